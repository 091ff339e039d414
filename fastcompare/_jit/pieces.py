"""Kernels that kernels call: typed, lowered and optimised once, translated where they end up.

Numba makes of a kernel that another one calls all that Python could ask for: a wrapper and machine
code, which are never run. Without them first calls take 0.75 of the time. Pieces that are left to
their callers to optimise save a tenth more, but run slower: a bootstrap of labels by a tenth. Of
half of Numba's passes, those before it prunes references, the same holds: bootstraps take 1.2 of
the time.
"""

from typing import Any

from llvmlite import binding  # type: ignore[import-untyped]
from numba.core import event, types, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]

PIECE = "piece"  # what the key of an entry has before the arguments


class PieceLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Compiled code that is linked into the code of the kernels that call it."""

    def finalize(self) -> None:
        """Link the code that this code calls and optimise it, but generate no machine code."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._optimize_final_module()
        self._finalized = True


class PieceCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, up to code that can be linked."""

    def define_pipelines(self) -> Any:
        """Return Numba's own passes, for another library."""
        state = self.state
        state.library = PieceLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = state.flags.no_cpython_wrapper = True
        return super().define_pipelines()


class LinkableKernel:
    """What kernels that call a kernel get in place of its dispatcher: code to link."""

    def __init__(self, dispatcher: Any, cache: Any) -> None:
        """Prepare a compiler of linkable code like that of the dispatcher."""
        self._dispatcher, self._cache = dispatcher, cache
        self._target = dispatcher.targetctx
        self._functions: dict[Any, tuple[Any, Any]] = {}  # signatures and functions by arguments
        numba_compiler = dispatcher._compiler
        self._compiler = _FunctionCompiler(
            numba_compiler.py_func,
            numba_compiler.targetdescr,
            numba_compiler.targetoptions,
            numba_compiler.locals,
            PieceCompiler,
        )

    def get_call_template(self, args: Any, kws: Any) -> tuple[Any, Any, Any, dict[str, Any]]:
        """Return how Numba types a call of this kernel, which is compiled if it must be.

        Numba would compile code of its own for each constant that is passed: 0, 1, True, False.
        """
        pysig, folded = self._compiler.fold_argument_types(args, kws)
        key = tuple(map(types.unliteral, folded))  # type: ignore[attr-defined]
        if key not in self._functions:
            ready = self._cache.load((PIECE, key), self._target, self._rebuild)
            self._functions[key] = ready or self._compile_and_save(key)
        name = self._dispatcher.py_func.__name__
        signatures = [signature for signature, _ in self._functions.values()]
        return typing.make_concrete_template(f"Piece({name})", name, signatures), pysig, key, {}

    def get_overload(self, args: Any) -> Any:
        """Return the function for these arguments, by which Numba's context knows it."""
        _, function = self._functions[tuple(args)]
        return function

    def _compile_and_save(self, args: Any) -> tuple[Any, Any]:
        """Return the signature and function compiled for argument types, after caching the code."""
        details = {"dispatcher": self._dispatcher, "args": args, "return_type": None}
        with event.trigger_event("numba:compile", data=details):
            compiled = self._compiler.compile(args, None)
        compiled.library._ensure_finalized()
        # As Numba does before it saves them.
        compiled.fndesc.typemap = compiled.fndesc.calltypes = None
        if not compiled.library._reload_init:
            content = compiled.library.name, compiled.library._final_module.as_bitcode()
            self._cache.save(
                (PIECE, args),
                compiled.library,
                (*content, compiled.signature, compiled.fndesc),
            )
        return self._register(compiled.library, compiled.signature, compiled.fndesc)

    def _rebuild(
        self, target: Any, name: str, bitcode: bytes, signature: Any, function: Any
    ) -> tuple[Any, Any]:
        """Return the signature and function of code that was saved, as `_register` returns them."""
        library = PieceLibrary(target.codegen(), name)
        library._final_module, library._finalized = binding.parse_bitcode(bitcode), True
        return self._register(library, signature, function)

    def _register(self, library: Any, signature: Any, function: Any) -> tuple[Any, Any]:
        """Register a function in Numba's context; return its signature and the function."""
        self._target.insert_user_function(function, function, [library])
        return signature, function
