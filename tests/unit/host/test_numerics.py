"""The numeric environment is described, and read once."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import version

import numpy as np
import pytest

from blas_kernels import kernel_variables
from tetragraph.host import numerics
from tetragraph.host.numerics import describe_numerics, one_blas_thread
from tetragraph.host.processors import count_processors

PROGRAM = (
    "from tetragraph.host.numerics import describe_numerics as d; import sys; assert 'numpy' not in sys.modules; "
    "print(d()['kernel'], d()['threads'])"
)


def count_threads() -> int:
    """Number of threads that OpenBLAS uses now."""
    return int(numerics._call_openblas("get_num_threads", ctypes.c_int))


def forget() -> None:
    """Let what is read once per process be read again."""
    numerics._read.cache_clear()
    numerics._find_openblas.cache_clear()


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


@pytest.fixture
def another_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if numpy used another library than OpenBLAS."""
    monkeypatch.setattr(numerics, "_PREFIXES", ("another_",))
    forget()
    yield
    forget()


@pytest.mark.usefixtures("another_library")
def test_another_library_has_no_kernel_to_name() -> None:
    found = describe_numerics()
    assert (found["kernel"], found["threads"]) == (None, None)


@pytest.mark.usefixtures("another_library")
def test_another_library_keeps_its_threads() -> None:
    with one_blas_thread():
        assert (np.eye(2) @ np.eye(2)).tolist() == [[1, 0], [0, 1]]


def test_blas_has_one_thread_until_the_last_block_ends() -> None:
    before = count_threads()
    began, may_end = threading.Event(), threading.Event()

    def compute_beside() -> None:
        with one_blas_thread():
            began.set()
            may_end.wait(30)

    beside = threading.Thread(target=compute_beside)
    with one_blas_thread():
        beside.start()
        began.wait(30)
        assert count_threads() == 1
    assert count_threads() == 1
    may_end.set()
    beside.join()
    assert count_threads() == before


def test_a_description_made_meanwhile_has_the_usual_number_of_threads() -> None:
    before = count_threads()
    forget()
    with one_blas_thread():
        assert describe_numerics()["threads"] == before


def test_blas_has_its_threads_again_after_an_error() -> None:
    before = count_threads()
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        raise ZeroDivisionError
    assert count_threads() == before


def test_a_package_that_is_not_installed_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numerics, "_PACKAGES", ("numpy", "no-such-package"))
    forget()
    found = describe_numerics()
    forget()
    assert {"numpy", "no-such-package"} & found.keys() == {"numpy"}
