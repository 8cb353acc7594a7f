"""The numeric environment of this process: BLAS library, its kernel and threads, packages, and the processor.

The functions of OpenBLAS are looked up through a module that is linked to the library, so that the library's file need
not be located.
"""

from __future__ import annotations

import copy
import ctypes
import platform
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

_PACKAGES = ("numpy", "scipy", "numba", "onnxruntime", "qdrant-edge-py")
"""Packages whose loops compute scores, vectors or graphs."""
_LINKED_TO_BLAS = "numpy._core._multiarray_umath"
_PREFIXES = ("scipy_openblas_", "openblas_")
_SUFFIXES = ("64_", "_64", "")
"""Suffixes of OpenBLAS functions: they differ in wheels and in builds with 64-bit integers."""


class _Limit:
    """Blocks that are computed with one thread of BLAS, and the number of its threads outside of them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open = 0
        self.threads: int | None = None


_limit = _Limit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let products of arrays be computed by the thread that asks for them, until the last such block ends.

    Products of a few hundred rows gain nothing from more threads of OpenBLAS, which wait for each other without giving
    up the processor: beside other busy processes a product can take twenty times as long. It holds for all threads of
    the process, and does nothing with another library.
    """
    with _limit.lock:
        if not _limit.open:
            _limit.threads = _call_openblas("get_num_threads", ctypes.c_int)
            _set_threads(1)
        _limit.open += 1
    try:
        yield
    finally:
        with _limit.lock:
            _limit.open -= 1
            if not _limit.open and _limit.threads:
                _set_threads(_limit.threads)


def _count_threads() -> int | None:
    """Number of threads of OpenBLAS outside of such blocks; None with another library."""
    with _limit.lock:
        found: int | None = _limit.threads if _limit.open else _call_openblas("get_num_threads", ctypes.c_int)
    return found


def describe_numerics() -> dict[str, Any]:
    """Properties of the process on which the last bits of results can depend, for manifests; read once per process.

    Returns:
        ``blas``: name and version of the library that numpy was built with. ``kernel`` and ``threads``: the kernel
        that OpenBLAS chose for the processor (``OPENBLAS_CORETYPE`` takes precedence) and the number of its threads,
        both None with another library. ``processor`` and ``simd``: the architecture, and its extensions that numpy
        uses. Then the installed versions of numpy, scipy, numba, onnxruntime and qdrant-edge-py.
    """
    return copy.deepcopy(_read())


@cache
def _read() -> dict[str, Any]:
    import numpy as np  # slow to import

    built: Any = np.show_config(mode="dicts")
    blas = built.get("Build Dependencies", {}).get("blas", {})
    kernel = _call_openblas("get_corename", ctypes.c_char_p)
    return {
        "blas": f"{blas.get('name')} {blas.get('version')}",
        "kernel": kernel.decode() if kernel else None,
        "threads": _count_threads(),
        "processor": platform.machine(),
        "simd": built.get("SIMD Extensions", {}).get("found", []),
        **{name: found for name in _PACKAGES if (found := _version(name))},
    }


def _call_openblas(function: str, result: type[Any] | None, *arguments: Any) -> Any:
    """Call a function of numpy's OpenBLAS; None if numpy uses another library."""
    call = _find_openblas(function)
    if call is None:
        return None
    call.restype = result
    return call(*arguments)


@cache
def _find_openblas(function: str) -> Any:
    library = ctypes.CDLL(import_module(_LINKED_TO_BLAS).__file__)
    names = [f"{prefix}{function}{suffix}" for prefix in _PREFIXES for suffix in _SUFFIXES]
    return next(filter(None, (getattr(library, name, None) for name in names)), None)


def _set_threads(count: int) -> None:
    _call_openblas("set_num_threads", None, ctypes.c_int(count))


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
