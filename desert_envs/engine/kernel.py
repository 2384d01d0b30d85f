"""The decorators for compiled functions: ``kernel``, and ``apart`` for those that are compiled separately.

Machine code is kept on disk, see ``cache``. With ``NUMBA_DISABLE_JIT=1`` every kernel is the plain Python function it
was written as.
"""

from __future__ import annotations

import ctypes
import dis
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial
from types import ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite.binding import add_symbol
from numba import types
from numba.core import config
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.extending import models, register_model
from numba.np.numpy_support import from_dtype

from desert_envs.engine.cache import Cache

INTERPRETED = bool(config.DISABLE_JIT)


def kernel(function: Callable[..., Any] | None = None, *, parallel: bool = False) -> Any:
    """Compile a function with numba, without the interpreter lock, and cache it keyed to the package's sources.

    Use as ``@kernel`` or ``@kernel(parallel=True)``; the latter splits ``prange`` loops over all cores.
    """
    if function is None:
        return lambda later: kernel(later, parallel=parallel)
    options = {"nogil": True, "parallel": parallel, "error_model": "numpy"}
    dispatcher = numba.njit(function, **options)
    if not INTERPRETED:
        # What other kernels call is compiled without the means to be called from Python: half as long.
        called = cache(lambda: numba.njit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options))
        dispatcher.get_call_template = partial(_call_template, lambda *args: called().get_call_template(*args))
        dispatcher.get_overload = lambda signature: called().get_overload(signature)
        dispatcher._cache = Cache(function)
        dispatcher.compile = partial(_compile_linked, dispatcher.compile, function)
    return dispatcher


def _compile_linked(compile_: Callable[..., Any], function: Callable[..., Any], signature: Any) -> Any:
    _link_needs(function)
    with indices_as_they_are():
        return compile_(signature)


@contextmanager
def indices_as_they_are() -> Iterator[None]:
    """Let numba compile indexing without checks for negative indices, which kernels never use.

    Numba would let them count from the end, as Python does; the check costs a tenth of a game's speed. Code compiled by
    other threads and packages is not affected.
    """
    from numba.np import arrayobj  # what numba itself imports when it first compiles

    with global_compiler_lock:
        before = arrayobj.fix_integer_index
        arrayobj.fix_integer_index = _as_it_is
        try:
            yield
        finally:
            arrayobj.fix_integer_index = before


def _as_it_is(context: Any, builder: Any, kind: types.Integer, index: Any, size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp)


def apart(*records: np.dtype[Any]) -> Callable[[Callable[..., Any]], Any]:
    """A decorator for kernels that other kernels share as one piece of machine code, instead of each holding a copy.

    Numba compiles a kernel together with all that it calls, once for every kernel that calls it in turn: a game's
    hundreds of rules would be compiled thousands of times. What is decorated with ``apart(BOARD, STATE)`` is compiled
    once, or read from the cache, before the first kernel that needs it; a call costs some nanoseconds more.

    The first parameters are records of those types; of the others, those annotated ``np.ndarray`` are addresses of
    arrays (a caller gives ``array.ctypes``, ``numba.carray`` makes an array of it) and the rest are int64. The result
    is void, or what ``-> bool``, ``-> int`` or ``-> float`` says. Such kernels must not call each other in a circle.
    """
    return lambda function: function if INTERPRETED else Apart(function, records)


class Apart(types.ExternalFunction):
    """A function that kernels call by the name of its machine code, and Python by its address.

    In a process that compiles a share of a game, ``only_compile`` lets a name stand for what another one compiles.
    """

    only_compile = False

    def __init__(self, function: Callable[..., Any], records: tuple[np.dtype[Any], ...]) -> None:
        hints = function.__annotations__
        arguments: list[types.Type] = [_type_of(dtype) for dtype in records]
        for name in list(inspect.signature(function).parameters)[len(records) :]:
            arguments.append(types.voidptr if name in hints else types.int64)
        super().__init__(f"{function.__module__}.{function.__qualname__}", _RESULTS[hints.get("return")](*arguments))
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.linked: Any = None

    def __call__(self, *args: Any) -> Any:
        """Run the machine code; booleans are returned as 0 or 1."""
        self.link()
        plain = [arg.__array_interface__["data"][0] if isinstance(arg, np.void) else arg for arg in args]
        return self.entry(*plain)

    @cached_property
    def entry(self) -> Any:
        """The machine code, to be called with the addresses of records."""
        kinds: list[Any] = [_C_TYPES.get(kind, ctypes.c_void_p) for kind in (self.sig.return_type, *self.sig.args)]
        return ctypes.CFUNCTYPE(*kinds)(self.linked.address)

    def link(self) -> None:
        """Compile the function, or read it from the cache, after all of its kind that it calls."""
        if self.linked is None and not Apart.only_compile:
            self.compile()
        elif self.linked is None:
            self.linked = _nothing
            add_symbol(self.symbol, _nothing)

    def compile(self) -> None:
        """Compile the function, or read it from the cache, whatever stood for it so far."""
        _link_needs(self.function)
        linked: Any = CFunc(
            self.function, (self.sig.args, self.sig.return_type), locals={}, options={"error_model": "numpy"}
        )
        linked._cache = Cache(self.function)
        with indices_as_they_are():
            linked.compile()
        self.linked = linked
        add_symbol(self.symbol, linked.address)


@cache
def _type_of(record: np.dtype[Any]) -> types.Type:
    return from_dtype(record)


_nothing = ctypes.addressof(ctypes.create_string_buffer(8))  # an address that is never called

register_model(Apart)(models.OpaqueModel)

# A C function cannot return a numba boolean, so it returns 0 or 1.
_RESULTS = {None: types.void, "bool": types.int64, "int": types.int64, "float": types.float64}
_C_TYPES = {types.void: None, types.int64: ctypes.c_int64, types.float64: ctypes.c_double}


def plain(function: Any) -> Any:
    """The Python function that a kernel was written as."""
    return getattr(function, "py_func", None) or getattr(function, "function", function)


def aparts_of(function: Callable[..., Any], seen: dict[Any, None] | None = None) -> dict[Any, None]:
    """All that is ``apart`` in what a function calls, directly or not, in the order of first use."""
    seen = {} if seen is None else seen
    for called in _globals_of(function):
        if isinstance(called, Apart | Dispatcher) and called not in seen:
            seen[called] = None
            aparts_of(plain(called), seen)
    return seen


def code_size(function: Callable[..., Any], seen: set[Any] | None = None) -> int:
    """Bytes of bytecode that are compiled together with a function: its own, and of all it calls that is not apart."""
    seen = set() if seen is None else seen
    size = len(function.__code__.co_code)
    for called in _globals_of(function):
        if isinstance(called, Dispatcher) and called not in seen:
            seen.add(called)
            size += code_size(called.py_func, seen)
    return size


def _link_needs(function: Callable[..., Any], seen: set[Any] | None = None) -> None:
    """Link what is ``apart`` among all that a function calls: machine code from the cache finds it by name."""
    seen = set() if seen is None else seen
    for called in _globals_of(function):
        if isinstance(called, Apart):
            called.link()
        elif isinstance(called, Dispatcher) and called not in seen:
            seen.add(called)
            _link_needs(called.py_func, seen)


@cache
def _globals_of(function: Callable[..., Any]) -> list[Any]:
    """The objects that a function gets by the name of a global, or as ``module.name``."""
    found: list[Any] = []
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_GLOBAL" and step.argval in function.__globals__:
            found.append(function.__globals__[step.argval])
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and found and isinstance(found[-1], ModuleType):
            found.append(getattr(found[-1], step.argval, None))
        else:
            found.append(None)  # a field of a record, say, is no global of the same name
    return [one for one in found if one is not None]


def _call_template(call_template: Callable[..., Any], args: Any, kws: Any) -> Any:
    """Let a call from another kernel pass every signed integer as int64.

    Otherwise numba compiles a function anew for every width and literal it is called with: three times as long.
    """
    return call_template([_widened(arg) for arg in args], {name: _widened(arg) for name, arg in kws.items()})


def _widened(kind: types.Type) -> types.Type:
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else kind
