"""Tasks of a worker that ends are given to others; what cannot work ends with an error that names the remedy.

Ray is replaced by a small class here; ``tests/e2e/test_ray.py`` has a real cluster whose workers are killed.
"""

from __future__ import annotations

import io
import itertools
import pickle
import queue
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tetragraph.errors import ProcessEnded, WorkersUnavailable
from tetragraph.executors import ray_process
from tetragraph.executors.ray_pool import ATTEMPTS, Pool, Task

SAME = {"tetragraph": "1"}


class RayError(Exception):
    """A worker or a machine is lost."""


class RayTaskError(RayError):
    """A task raised an error."""


class FakeRay:
    """A cluster whose calls are complete at once; some of them fail.

    Args:
        compute: Called with the number of the worker and a payload.
        describe: Called with the number of the worker.
    """

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, compute: Callable[[int, bytes], bytes], describe: Callable[[int], tuple[str, Any]]) -> None:
        self._calls: dict[int, Callable[[], Any]] = {}
        self._compute, self._describe = compute, describe
        self._workers = itertools.count()
        self.killed = 0
        self.starts: list[dict[str, Any]] = []
        self.is_open = False

    def remote(self, **options: Any) -> Callable[[type], Any]:
        return lambda kind: SimpleNamespace(remote=lambda *given: self._actor(next(self._workers)))

    def _actor(self, number: int) -> Any:
        return SimpleNamespace(
            describe=SimpleNamespace(remote=lambda steps: self._call(lambda: self._describe(number))),
            compute=SimpleNamespace(remote=lambda payload: self._call(lambda: self._compute(number, payload))),
        )

    def _call(self, call: Callable[[], Any]) -> int:
        self._calls[len(self._calls)] = call
        return len(self._calls) - 1

    def wait(self, references: Sequence[int], num_returns: int, timeout: float) -> tuple[list[int], list[int]]:
        return list(references[:1]), []

    def get(self, reference: int) -> Any:
        return self._calls[reference]()

    def kill(self, actor: Any) -> None:
        self.killed += 1

    def init(self, **options: Any) -> None:
        self.starts.append(options)
        self.is_open = True

    def shutdown(self) -> None:
        self.is_open = False

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}


def _upper(_: int, payload: bytes) -> bytes:
    return payload.upper()


def _described(number: int) -> tuple[str, dict[str, str]]:
    return f"host pid {number}", SAME


def _run(ray: FakeRay, count: int, payloads: Sequence[bytes], notes: list[str]) -> dict[int, bytes]:
    pool = Pool(ray, count, SAME, b"", None, notes.append)
    pool.wait_for_workers(5)
    for number, payload in enumerate(payloads):
        pool.add(Task(number, payload))
    found: dict[int, bytes] = {}
    while pool.is_busy:
        found |= {task.number: result for task, result in pool.advance(0)}
    return found


def test_tasks_of_an_ended_worker_are_computed_by_others() -> None:
    def compute(worker: int, payload: bytes) -> bytes:
        if worker == 1:
            raise RayError("the actor died")
        return payload.upper()

    notes: list[str] = []
    ray = FakeRay(compute, _described)
    assert _run(ray, 2, [b"a", b"b", b"c", b"d", b"e"], notes) == dict(enumerate([b"A", b"B", b"C", b"D", b"E"]))
    assert notes == ["the worker on host pid 1 ended, and its part was computed by another one"]
    assert ray.killed == 1


def test_a_task_that_ends_every_worker_ends_the_run() -> None:
    def compute(worker: int, payload: bytes) -> bytes:
        raise RayError("out of memory")

    with pytest.raises(ProcessEnded, match=f"at most {ATTEMPTS} workers.*out of memory"):
        _run(ray := FakeRay(compute, _described), 2, [b"a"], [])
    assert ray.killed == ATTEMPTS - 1


def test_an_unknown_error_of_a_task_ends_the_run() -> None:
    def compute(worker: int, payload: bytes) -> bytes:
        raise RayTaskError("a fault of the program")

    with pytest.raises(ProcessEnded, match="could not compute: a fault of the program"):
        _run(FakeRay(compute, _described), 1, [b"a"], [])


def test_a_worker_that_differs_is_refused_with_what_differs() -> None:
    with pytest.raises(WorkersUnavailable, match=r"host pid 0 has another tetragraph \(tetragraph: 1 here, 2 there\)"):
        _run(FakeRay(_upper, lambda number: (f"host pid {number}", {"tetragraph": "2"})), 1, [], [])


def test_a_worker_that_cannot_start_is_an_error_and_a_later_one_is_tried_again() -> None:
    def describe(number: int) -> tuple[str, dict[str, str]]:
        if number in {0, 3}:
            raise RayError("No module named 'tetragraph'")
        return _described(number)

    with pytest.raises(WorkersUnavailable, match="one could not: No module named"):
        _run(FakeRay(_upper, describe), 1, [], [])

    def later(number: int) -> tuple[str, dict[str, str]]:
        return describe(number + 2 if number else 1)

    notes: list[str] = []
    assert _run(FakeRay(_upper, later), 2, [b"a"], notes) == {0: b"A"}


def test_without_a_free_processor_the_run_does_not_begin() -> None:
    notes: list[str] = []
    pool = Pool(FakeRay(_upper, _described), 1, SAME, b"", None, notes.append)
    with pytest.raises(WorkersUnavailable, match="must start within 0 s, none did"):
        pool.wait_for_workers(0)
    assert pool.description.startswith("executor ray: 0 workers on 0 machine of 1")


def _serve(ray: FakeRay, messages: Sequence[object]) -> list[Any]:
    given = io.BufferedReader(io.BytesIO(b"".join(map(pickle.dumps, messages))))  # type: ignore[arg-type,unused-ignore]
    requests: queue.Queue[Any] = queue.Queue()
    ray_process.read_requests(cast("io.BufferedReader", given), requests)
    replies: list[Any] = []
    ray_process.serve(ray, requests, replies.append)
    return replies


def test_the_process_replies_to_each_task_and_ends_with_its_input() -> None:
    ray = FakeRay(_upper, _described)
    check = ("check", SAME, b"")
    replies = _serve(ray, [("start", "auto", None), check, *((number, b"x") for number in range(5))])
    assert replies[0] == ("ready", 2, "executor ray: 2 workers on 1 machine")
    assert set(replies[1:]) <= {(number, b"X") for number in range(5)}
    assert (ray.starts[0]["address"], ray.is_open) == ("auto", False)
    assert _serve(ray, [("start", None, 1)]) == []


def test_a_cluster_of_this_machine_is_started_without_dashboard_and_asks_no_cloud(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/home/of/a/user")
    ray = FakeRay(_upper, _described)
    with ray_process.connect(ray, None, 3) as count:
        assert count == 3
    (options,) = ray.starts
    assert (options["address"], options["num_cpus"], options["include_dashboard"]) == ("local", 3, False)


def test_an_address_where_nothing_listens_is_refused_at_once() -> None:
    ray = FakeRay(_upper, _described)
    with pytest.raises(WorkersUnavailable, match=r"a Ray cluster at 'ray://127\.0\.0\.1:1'"):
        _serve(ray, [("start", "ray://127.0.0.1:1", None), ("check", SAME, b"")])
    assert ray.starts == []
