"""Compile the kernels for levels of processors, and write a library of each: see `_jit/bundle.py`.

python scripts/build_bundle.py DIRECTORY LEVEL...

A level is a name of `bundle.LEVELS`, or `here`: what this machine would take. Wheels get the files
by `scripts/wheel_hook.py`; in a checkout they are found in fastcompare/_jit/bundles. It takes a C
compiler (`cc`, or what CC names) and the headers of Python.

Numba's code of each kernel, as it is optimised for the first call in a process, is translated to
an object that can be linked; functions in C take Python's arguments apart as Numba would.
"""

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from importlib import import_module
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
SETTING_PREFIXES = (
    "NUMBA_",
    "FASTCOMPARE_",
    "NPY_",
)  # how variables begin that change code or its place
LEVEL_VARIABLE = (
    "FASTCOMPARE_BUNDLE_FOR"  # in the environment of a process that compiles for a level
)
LLVMS_NAMES = {"aarch64": "generic"}  # of processors, where a level is called otherwise
SHARED = Path(__file__).with_name("bundle.c")  # what the functions of all kernels share
C_TYPES = {"int64": "int64_t", "uint64": "uint64_t", "float64": "double", "bool": "uint8_t"}
RETURNED = {"int64": "PyLong_FromLongLong", "uint64": "PyLong_FromUnsignedLongLong"}
RETURNED |= {"float64": "PyFloat_FromDouble", "bool": "PyBool_FromLong"}


def best_level() -> str:
    """Return the name of the level of compiled kernels that fits this machine best."""
    bundle = import_module("fastcompare._jit.bundle")
    return next(level for level in bundle.LEVELS if not bundle.reason_not_to_use(level, ""))


def llvms_name(level: str) -> str:
    """Return what LLVM calls the processors of a level."""
    return LLVMS_NAMES.get(level, level.removesuffix("-digits"))


def settings(level: str) -> dict[str, str]:
    """Return environment variables for a process that compiles all kernels for a level."""
    processor = llvms_name(level)
    return {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "FASTCOMPARE_CACHE_DIR": ""}


def collect(package: str, level: str) -> dict[str, list]:
    """Return a dictionary that collects all kernels which this process compiles from now on.

    By their names, a list of signature, whether it takes ``*args``, name in LLVM's code, and code.
    """
    codes: dict[str, list] = {}
    room = {name: import_module(f"{package}._jit.{name}") for name in ("kernel", "numpy_sort")}

    def save(self, signature, compiled) -> None:
        function = self._function
        if not function.__code__.co_freevars and " at 0x" not in repr(signature):
            code = compiled.library._final_module.as_bitcode()
            is_open = bool(function.__code__.co_flags & 0x04)  # *args: a tuple for Numba
            name = f"{function.__module__}.{function.__qualname__}"
            found = compiled.signature, is_open, compiled.fndesc.llvm_func_name, code
            codes.setdefault(name, []).append(found)

    room["kernel"].KernelCache.save_overload = save
    room["numpy_sort"].sorts_by_microcode = lambda: level.endswith(
        "-digits"
    )  # for kernels, imported later
    return codes


def object_code(code: bytes, name: str, processor: str) -> bytes:
    """Return the object code of a kernel, without the other functions of Numba's module."""
    from llvmlite import binding

    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(cpu=processor, features="", opt=3, reloc="pic")
    module = binding.parse_bitcode(code)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == name else "internal"
    passes = binding.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    options = binding.create_pipeline_tuning_options()
    passes.run(module, binding.create_pass_builder(machine, options))
    return machine.emit_object(module)


def argument_code(name: str, given: str, kind) -> tuple[str, str, list[str], list[str]]:
    """Return C code for an argument of a kernel: its declaration and its check.

    And what is passed to Numba's code in place of the argument, with the types of these.
    """
    if hasattr(kind, "fields"):  # a named tuple, which Numba passes field by field
        fields = [
            argument_code(f"{name}_{i}", f"PyTuple_GET_ITEM({given}, {i})", each)
            for i, each in enumerate(kind)
        ]
        declared, checks, passed, types = zip(*fields, strict=True)
        whole = " && ".join((f"is_tuple({given}, {len(fields)})", *checks))
        return " ".join(declared), whole, [*chain(*passed)], [*chain(*types)]
    if not hasattr(kind, "dtype"):
        c_type = C_TYPES[str(kind)]
        return f"{c_type} {name};", f"as_{kind}({given}, &{name})", [name], [c_type]
    return array_argument_code(name, given, kind)


def array_argument_code(name: str, given: str, kind) -> tuple[str, str, list[str], list[str]]:
    """Return for an array what `argument_code` returns for any argument."""
    kept = {"C": "KEPT & ~NPY_ARRAY_F_CONTIGUOUS", "A": "KEPT"}[kind.layout]
    flags = "NPY_ARRAY_ALIGNED" + " | NPY_ARRAY_WRITEABLE" * kind.mutable
    flags += " | NPY_ARRAY_C_CONTIGUOUS" * (kind.layout == "C")
    asked = f"NPY_{str(kind.dtype).upper()}, {kind.ndim}, {kept}, {flags}"
    sizes = [f"PyArray_DIM({name}, {axis})" for axis in range(kind.ndim)]
    strides = [f"PyArray_STRIDE({name}, {axis})" for axis in range(kind.ndim)]
    whole = ["NULL", "NULL", f"PyArray_SIZE({name})", f"PyArray_ITEMSIZE({name})"]
    types = ["void *", "void *", "int64_t", "int64_t", "void *", *2 * kind.ndim * ["int64_t"]]
    passed = [*whole, f"PyArray_DATA({name})", *sizes, *strides]
    return f"PyArrayObject *{name};", f"as_array({given}, &{name}, {asked})", passed, types


def return_code(kind) -> tuple[str, str]:
    """Return C code that declares what a kernel returns, and that makes it a Python object."""
    kinds = list(kind) if hasattr(kind, "__len__") else [kind]
    if str(kind) == "none":
        return "void *r = NULL;", "Py_NewRef(Py_None)"
    fields = " ".join(f"{C_TYPES[str(each)]} v{i};" for i, each in enumerate(kinds))
    made = [f"{RETURNED[str(each)]}(r.v{i})" for i, each in enumerate(kinds)]
    whole = f'Py_BuildValue("({"N" * len(kinds)})", {", ".join(made)})'
    return f"struct {{{fields}}} r = {{0}};", whole if hasattr(kind, "__len__") else made[0]


def wrapper_code(number: int, signatures: list[tuple]) -> str:
    """Return a function in C that calls the code for the arguments that it is given."""
    declared, calls = [], []
    for order, (signature, is_open, llvms, _) in enumerate(signatures):
        arguments = list(signature.args)
        arguments = [*arguments[:-1], *arguments[-1]] if is_open else arguments
        parts = [argument_code(f"x{i}", f"a[{i}]", kind) for i, kind in enumerate(arguments)]
        place, value = return_code(signature.return_type)
        types = ", ".join(["void *", "void *", *(each for part in parts for each in part[3])])
        passed = ", ".join(["&r", "&e", *(each for part in parts for each in part[2])])
        name = f"k{number}_{order}"
        declared.append(f'HIDDEN int32_t {name}({types}) __asm__("{llvms}");')
        checks = " && ".join([f"n == {len(arguments)}", *(part[1] for part in parts)])
        calls.append(
            f"    {{ {' '.join(part[0] for part in parts)} {place} void *e = NULL; int32_t s;\n"
            f"    if ({checks}) {{\n        Py_BEGIN_ALLOW_THREADS s = {name}({passed});"
            f" Py_END_ALLOW_THREADS\n        return s == 0 || s == -2 ? {value} : failed(s); }} }}"
        )
    head = f"static PyObject *w{number}(PyObject *self, PyObject *const *a, Py_ssize_t n) {{"
    return "\n".join([*declared, head, *calls, "    Py_RETURN_NOTIMPLEMENTED; }\n"])


def write(package: str, level: str, codes: dict[str, list], directory: str | Path) -> Path:
    """Write the library of a level; return its path."""
    import numpy as np

    with tempfile.TemporaryDirectory() as place:
        objects, functions, methods = [], [], []
        for number, (name, signatures) in enumerate(sorted(codes.items())):
            for order, (*_, llvms, code) in enumerate(signatures):
                objects.append(Path(place, f"{number}_{order}.o"))
                objects[-1].write_bytes(object_code(code, llvms, llvms_name(level)))
            functions.append(wrapper_code(number, signatures))
            methods.append(
                f'    {{"{name}", (PyCFunction)(void *)w{number}, METH_FASTCALL, NULL}},'
            )
        table = ["static PyMethodDef METHODS[] = {", *methods, "    {NULL}};", ""]
        source = Path(place, "kernels.c")
        module = SHARED.read_text().replace("/* KERNELS */", "\n".join([*functions, *table]))
        source.write_text(module)
        made, flags = Path(place, "kernels.so"), ["-O2", "-shared", "-fPIC", "-s", "-o"]
        headers = [f"-I{each}" for each in (sysconfig.get_path("include"), np.get_include())]
        tail = [*headers, "-Wl,--gc-sections", "-lm"]
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run([*compiler, *flags, made, source, *objects, *tail], check=True)
        bundle = import_module(f"{package}._jit.bundle")
        assert len(bundle.load(made)) == len(codes), "the library cannot be loaded"
        path = Path(directory, f"{bundle.tag()}-{level}")
        import_module(f"{package}._jit.cache").write_entry(path, made.read_bytes())
    path.chmod(0o644)
    return path


def compile_all(level: str, directory: str) -> None:
    """Compile the kernels of the package in this process, and write the library of its level."""
    codes = collect("fastcompare", level)
    seconds = import_module("fastcompare").warmup()
    path = write("fastcompare", level, codes, directory)
    size = f"{path.stat().st_size / 1e6:.2f} MB"
    print(f"{path.name}: {len(codes)} kernels, {size}, {seconds:.0f} s", flush=True)


def main() -> None:
    """Write libraries of levels, each by a process of its own."""
    sys.path.insert(0, str(ROOT))
    directory, *levels = sys.argv[1:]
    if levels == [os.environ.get(LEVEL_VARIABLE)]:
        compile_all(*levels, directory)
        return
    for name in levels:
        level = best_level() if name == "here" else name
        print(f"{level}: compiling all kernels takes a minute or two ...", flush=True)
        kept = {
            name: each for name, each in os.environ.items() if not name.startswith(SETTING_PREFIXES)
        }
        command = [sys.executable, __file__, directory, level]
        subprocess.run(command, env={**kept, **settings(level), LEVEL_VARIABLE: level}, check=True)


if __name__ == "__main__":
    main()
