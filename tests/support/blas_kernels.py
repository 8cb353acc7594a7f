"""Two kernels of one BLAS library, to compare the results of processes with each."""

from __future__ import annotations

import platform

import pytest

from environments import NUMERIC
from tetragraph.host.numerics import describe_numerics

KERNELS = ("Haswell", "Sandybridge")
"""Kernels that add in different orders and run on every x86-64 processor with AVX2."""


def kernel_variables(environment: dict[str, str]) -> dict[str, dict[str, str]]:
    """Environment by kernel, in which OpenBLAS selects it at the import of numpy.

    The first has one thread, the second two. Tests are skipped without such kernels.
    """
    numerics = describe_numerics()
    if numerics["kernel"] is None or platform.machine() not in {"x86_64", "AMD64"}:
        pytest.skip(f"numpy's BLAS must be OpenBLAS on x86-64, it is {numerics['blas']} on {platform.machine()}")
    if not {"AVX2", "X86_V3"} & set(numerics["simd"]):
        pytest.skip(f"the processor must have AVX2 for both kernels, numpy uses {numerics['simd']}")
    rest = {name: value for name, value in environment.items() if not NUMERIC.fullmatch(name)}
    return {
        kernel: {**rest, "OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": str(threads)}
        for threads, kernel in enumerate(KERNELS, start=1)
    }
