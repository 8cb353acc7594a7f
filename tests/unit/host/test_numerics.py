"""The numeric environment is described, and read once."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version

import numpy as np
import pytest

from blas_kernels import kernel_variables
from tetragraph.host import numerics
from tetragraph.host.numerics import describe_numerics
from tetragraph.host.processors import count_processors

PROGRAM = (
    "from tetragraph.host.numerics import describe_numerics as d; import sys; assert 'numpy' not in sys.modules; "
    "print(d()['kernel'], d()['threads'])"
)


def test_versions_are_those_that_are_installed_and_blas_is_what_numpy_was_built_with() -> None:
    found = describe_numerics()
    assert found["numpy"] == version("numpy") == np.__version__
    assert found["scipy"] == version("scipy")
    built = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    assert found["blas"] == f"{built['name']} {built['version']}"


def test_what_a_caller_changes_is_changed_for_nobody_else() -> None:
    describe_numerics()["simd"].append("another")
    assert "another" not in describe_numerics()["simd"]


def test_kernel_and_threads_are_those_of_the_process() -> None:
    for threads, (kernel, environment) in enumerate(kernel_variables(dict(os.environ)).items(), start=1):
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout.split() == [kernel, str(min(threads, count_processors()))]


def test_another_library_has_no_kernel_to_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numerics, "_PREFIXES", ("another_",))
    numerics._read.cache_clear()
    found = describe_numerics()
    numerics._read.cache_clear()
    assert (found["kernel"], found["threads"]) == (None, None)


def test_a_package_that_is_not_installed_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numerics, "_PACKAGES", ("numpy", "no-such-package"))
    numerics._read.cache_clear()
    found = describe_numerics()
    numerics._read.cache_clear()
    assert {"numpy", "no-such-package"} & found.keys() == {"numpy"}
