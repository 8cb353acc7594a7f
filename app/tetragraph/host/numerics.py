"""The numeric environment of this process: BLAS library, its kernel and threads, packages, and the processor."""

from __future__ import annotations

import copy
import ctypes
import platform
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
    kernel = _ask_openblas("get_corename", ctypes.c_char_p)
    return {
        "blas": f"{blas.get('name')} {blas.get('version')}",
        "kernel": kernel.decode() if kernel else None,
        "threads": _ask_openblas("get_num_threads", ctypes.c_int),
        "processor": platform.machine(),
        "simd": built.get("SIMD Extensions", {}).get("found", []),
        **{name: found for name in _PACKAGES if (found := _version(name))},
    }


def _ask_openblas(function: str, result: type[Any]) -> Any:
    """Call a function of numpy's OpenBLAS; None if numpy uses another library.

    The name is looked up through a module that is linked to the library, so that the library's file need not be
    located.
    """
    library = ctypes.CDLL(import_module(_LINKED_TO_BLAS).__file__)
    for prefix in _PREFIXES:
        for suffix in _SUFFIXES:
            if call := getattr(library, f"{prefix}{function}{suffix}", None):
                call.restype = result
                return call()
    return None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
