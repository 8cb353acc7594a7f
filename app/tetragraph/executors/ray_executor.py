"""The executor ``ray``: workers of a Ray cluster, through a process of its own that talks to the cluster.

Ray is not loaded into this process, as it changes signals, logging and process groups of the process that uses it. The
other process has no variable of this one that could be a secret, and ends when its input ends, also after a kill.
"""

from __future__ import annotations

import itertools
import os
import pickle
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from typing import IO, Any, cast

from tetragraph.errors import MissingDependency, ProcessEnded, TetragraphError, WorkersUnavailable
from tetragraph.executors.base import ItemT, ResultT, Step
from tetragraph.executors.worker import describe_installation
from tetragraph.host.optional_imports import install_command

_MODULE = "tetragraph.executors.ray_process"
_START_S = 300.0
_END_S = 60.0
_SHOWN = 2_000
"""Characters of the output of an ended process that an error shows."""
_KEPT_OUT = re.compile(r"(TETRAGRAPH|NEO4J|QDRANT|OPENAI)_|KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_RAY = "RAY_"
"""Start of the names of Ray's own variables, the token of a cluster among them."""
_SWITCHES = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_USAGE_STATS_REPORT_URL": "http://127.0.0.1:9",  # nobody: a cluster also reports that it reports nothing
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # would send the working directory to the workers
}
_RETRIES = {"RAY_NUM_REDIS_GET_RETRIES": "2"}
"""Attempts to connect, each of up to 40 s; another number of the user's is kept."""
_ON_LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Lets a cluster of one machine use the loopback address, on every system."""


class RayExecutor:
    """Sends items to workers on a Ray cluster; several are computed at a time.

    An item whose worker ends is computed by another one, and another worker is started in its place.

    Args:
        address: Address of the cluster; None for one on this machine, which is started and ended.
        workers: Number of workers; None for one a processor of the cluster.
    """

    name = "ray"

    def __init__(self, address: str | None, workers: int | None) -> None:
        self._address = address
        self._asked = workers
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[bytes]] = {}
        self._lock = threading.Lock()
        self._ready: Future[int] = Future()
        self._fault: TetragraphError | None = None
        self._notes: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._output: IO[bytes] | None = None

    @property
    def ahead(self) -> int:
        return 2 * self._ready.result()

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)

    def check(self, steps: Sequence[Step[Any, Any]]) -> None:
        if find_spec("ray") is None:
            raise MissingDependency(f"the executor 'ray' needs the package ray: {install_command('ray')}")
        self._start()
        self._send(("start", self._address, self._asked))
        self._send(("check", describe_installation(steps), pickle.dumps(tuple(steps))))
        try:
            self._ready.result(_START_S)
        except TimeoutError as error:
            raise WorkersUnavailable(f"workers must start within {_START_S:.0f} s, they did not") from error

    def begin(
        self,
        step: Step[ItemT, ResultT],
        item: ItemT,
        here: Callable[[ItemT], ResultT],  # noqa: ARG002  # the interface
    ) -> Callable[[], ResultT]:
        task = pickle.dumps((step, item), protocol=pickle.HIGHEST_PROTOCOL)
        future: Future[bytes] = Future()
        with self._lock:
            if self._fault:
                raise self._fault
            number = next(self._numbers)
            self._waiting[number] = future
            self._send((number, task))
        return partial(_read_result, future)

    def close(self) -> None:
        """End the process, its workers, and a cluster that it has started."""
        process = self._process
        if process is None:
            return
        self._close_input()
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # it leads a group with all that it has started
            process.wait()
        if self._reader:
            self._reader.join()
        for pipe in (process.stdout, self._output):
            if pipe:
                pipe.close()
        self._process = None

    def _start(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        environment = {**_RETRIES, **without_secrets(os.environ), **_SWITCHES, "PYTHONPATH": paths}
        if self._address is None:
            token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
            environment |= {**_ON_LOOPBACK, **token}
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            env=environment,
            cwd=tempfile.gettempdir(),  # without a .env
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, args=(self._process,), name="replies of Ray", daemon=True)
        self._reader.start()

    def _send(self, message: object) -> None:
        process = cast("subprocess.Popen[bytes]", self._process)
        pipe = cast("IO[bytes]", process.stdin)
        with suppress(BrokenPipeError):  # the reader reports the end of the process
            pickle.dump(message, pipe, protocol=pickle.HIGHEST_PROTOCOL)
            pipe.flush()

    def _close_input(self) -> None:
        with suppress(BrokenPipeError), self._lock:
            cast("IO[bytes]", cast("subprocess.Popen[bytes]", self._process).stdin).close()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Hand over the replies of the process until it ends."""
        replies = cast("IO[bytes]", process.stdout)
        try:
            while True:
                kind, *rest = pickle.load(replies)  # noqa: S301  # from a process that this one started
                self._take(kind, rest)
        except (EOFError, OSError, pickle.UnpicklingError):
            self._fail(ProcessEnded(self._describe_end(process)))

    def _take(self, kind: object, rest: Sequence[Any]) -> None:
        match kind:
            case "ready":
                self._notes.insert(0, rest[1])
                self._ready.set_result(rest[0])
            case "note":
                self._notes.append(rest[0])
            case "fault":
                self._fail(rest[0])
            case int(number):
                self._waiting.pop(number).set_result(rest[0])

    def _fail(self, fault: TetragraphError) -> None:
        """Let all that wait, and what is begun later, raise an error; the first one counts."""
        with self._lock:
            self._fault = self._fault or fault
            waiting, self._waiting = self._waiting, {}
        for future in (*waiting.values(), *(() if self._ready.done() else (self._ready,))):
            cast("Future[Any]", future).set_exception(self._fault)

    def _describe_end(self, process: subprocess.Popen[bytes]) -> str:
        code = process.wait()
        output = cast("IO[bytes]", self._output)
        output.seek(0)
        words = output.read().decode(errors="replace")[-_SHOWN:].strip()
        return (
            f"the process that talks to Ray must work until all is computed, it ended with {code}: run this again, it "
            f"goes on where it stopped. Its last words: {words or 'none'}"
        )


def without_secrets(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of an environment that workers may have: neither settings of stores and models nor keys.

    >>> without_secrets({"PATH": "/bin", "NEO4J_URI": "bolt://localhost", "MY_API_KEY": "k", "RAY_AUTH_TOKEN": "t"})
    {'PATH': '/bin', 'RAY_AUTH_TOKEN': 't'}
    """
    return {name: value for name, value in variables.items() if name.startswith(_RAY) or not _KEPT_OUT.search(name)}


def _read_result(future: Future[bytes]) -> Any:
    result = pickle.loads(future.result())  # noqa: S301  # of a worker that this process has asked
    if isinstance(result, TetragraphError):
        raise result
    return result
