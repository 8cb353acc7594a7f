"""Two kernels of one BLAS library, to compare what processes compute with each."""

from __future__ import annotations

import platform

import pytest

from environments import NUMERIC
from tetragraph.host.numerics import describe_numerics

KERNELS = ("Haswell", "Sandybridge")
"""They add in different orders, and every x86-64 processor with AVX2 runs both."""


def kernel_variables(environment: dict[str, str]) -> dict[str, dict[str, str]]:
    """For each kernel the environment in which OpenBLAS chooses it, which it does when numpy is imported.

    The first has one thread, the second two. A test skips where there are no such kernels.
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
