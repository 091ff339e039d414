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
    """Code to be linked into that of other kernels."""

    def finalize(self) -> None:
        """Link what this code calls, optimise it, and leave it at that."""
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


class Pieces:
    """A kernel as kernels that call it see it, in place of its dispatcher."""

    def __init__(self, dispatcher: Any, cache: Any) -> None:
        self._dispatcher, self._cache = dispatcher, cache
        self._target = dispatcher.targetctx
        self._found: dict[Any, tuple[Any, Any]] = {}  # signatures and functions by arguments
        known = dispatcher._compiler
        self._compiler = _FunctionCompiler(
            known.py_func, known.targetdescr, known.targetoptions, known.locals, PieceCompiler
        )

    def get_call_template(self, args: Any, kws: Any) -> tuple[Any, Any, Any, dict[str, Any]]:
        """Return how Numba types a call of this kernel, which is compiled if it must be.

        Numba would compile code of its own for each constant that is passed: 0, 1, True, False.
        """
        pysig, folded = self._compiler.fold_argument_types(args, kws)
        key = tuple(map(types.unliteral, folded))  # type: ignore[attr-defined]
        if key not in self._found:
            ready = self._cache.load((PIECE, key), self._target, self._rebuild)
            self._found[key] = ready or self._make(key)
        name = self._dispatcher.py_func.__name__
        signatures = [signature for signature, _ in self._found.values()]
        return typing.make_concrete_template(f"Piece({name})", name, signatures), pysig, key, {}

    def get_overload(self, args: Any) -> Any:
        """Return the function for these arguments, by which Numba's context knows it."""
        return self._found[tuple(args)][1]

    def _make(self, args: Any) -> tuple[Any, Any]:
        details = {"dispatcher": self._dispatcher, "args": args, "return_type": None}
        with event.trigger_event("numba:compile", data=details):
            compiled = self._compiler.compile(args, None)
        compiled.library._ensure_finalized()
        compiled.fndesc.typemap = compiled.fndesc.calltypes = (
            None  # as Numba does before it saves them
        )
        if not compiled.library._reload_init:
            content = compiled.library.name, compiled.library._final_module.as_bitcode()
            self._cache.save(
                (PIECE, args),
                compiled.library,
                (*content, compiled.signature, compiled.fndesc),
            )
        return self._known(compiled.library, compiled.signature, compiled.fndesc)

    def _rebuild(
        self, target: Any, name: str, bitcode: bytes, signature: Any, function: Any
    ) -> tuple[Any, Any]:
        library = PieceLibrary(target.codegen(), name)
        library._final_module, library._finalized = binding.parse_bitcode(bitcode), True
        return self._known(library, signature, function)

    def _known(self, library: Any, signature: Any, function: Any) -> tuple[Any, Any]:
        """Tell Numba's context where to find a function; return its signature and itself."""
        self._target.insert_user_function(function, function, [library])
        return signature, function
