"""The process that talks to Ray: starts the workers, gives them the tasks of its input, and writes their results.

Started by :mod:`tetragraph.executors.ray_executor`, which reads what it writes. It ends when its input ends.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, cast

from tetragraph.errors import TetragraphError, WorkersUnavailable
from tetragraph.executors.ray_pool import START_S, Pool, Task
from tetragraph.host.processors import count_processors

_MIB = 2**20
_BASE_MEMORY, _WORKER_MEMORY = 128 * _MIB, 64 * _MIB
"""Bytes of the object store of a cluster on this machine, and further ones for each worker: tasks and results."""
_POLL_S = 0.02
_REACH_S = 10.0
_END_S = 30.0
"""Seconds that the end may take after that of the input; then all processes that were started are killed."""

Send = Callable[[object], None]


@contextmanager
def connect(ray: Any, address: str | None, workers: int | None) -> Iterator[int]:
    """Connect to a cluster, or start one on this machine, until the end of the block; gives the number of workers.

    Raises:
        WorkersUnavailable: there is no cluster at the address, or it could not be started.
    """
    with tempfile.TemporaryDirectory(prefix="tg-ray-", ignore_cleanup_errors=True) as folder:
        options: dict[str, Any] = {"address": address}
        if address is None:
            count = workers or count_processors()
            memory = _BASE_MEMORY + count * _WORKER_MEMORY
            options = {"address": "local", "num_cpus": count, "num_gpus": 0, "include_dashboard": False}
            options |= {"object_store_memory": memory, "_temp_dir": folder}
            _keep_from_clouds(folder)
        try:
            _check_reachable(address)
            ray.init(**options, log_to_driver=False, configure_logging=False)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            where = "on this machine" if address is None else f"at {address!r}"
            raise WorkersUnavailable(
                f"the executor 'ray' needs a Ray cluster {where}, got: {error}. TETRAGRAPH_RAY_ADDRESS must be 'auto', "
                "'HOST:PORT' of a cluster that this machine belongs to, or 'ray://HOST:PORT', with RAY_AUTH_MODE and "
                "RAY_AUTH_TOKEN as there; without an address a cluster is started on this machine"
            ) from error
        try:
            yield workers or max(int(ray.cluster_resources().get("CPU", 0)), 1)
        finally:
            ray.shutdown()


def _keep_from_clouds(folder: str) -> None:
    """Give the processes of Ray a home with a configuration: without one they ask servers of clouds which cloud it is.

    They do so even if reports of usage are switched off. Workers get their own home back.
    """
    (Path(folder) / "ray_bootstrap_config.yaml").write_text("{}\n", encoding="utf-8")
    os.environ["HOME"] = folder


def _check_reachable(address: str | None) -> None:
    """Raise :class:`OSError` if nothing listens at an address with a port: Ray would try for a minute."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH_S).close()


def serve(ray: Any, requests: queue.Queue[Any], send: Send) -> None:
    """Work until the input ends: the first message starts, the second checks, each further one is a task."""
    start, check = requests.get(), requests.get()
    if start is None or check is None:
        return
    _, address, workers = start
    home = os.environ.get("HOME")
    with connect(ray, address, workers) as count:
        pool = Pool(
            ray, count, check[1], check[2], home if address is None else None, lambda note: send(("note", note))
        )
        pool.wait_for_workers(START_S)
        send(("ready", len(pool.machines), pool.description))
        while _take_requests(requests, pool):
            for task, result in pool.advance(_POLL_S):
                send((task.number, result))


def _take_requests(requests: queue.Queue[Any], pool: Pool) -> bool:
    """Give the pool what was asked meanwhile, and wait if it has nothing to do; False at the end of the input."""
    while not (pool.is_busy and requests.empty()):
        request = requests.get()
        if request is None:
            return False
        pool.add(Task(*request))
    return True


def read_requests(given: BufferedReader, requests: queue.Queue[Any]) -> None:
    """Put the messages of the input into a queue, and None at its end."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while given.peek(1):
            requests.put(pickle.load(given))  # noqa: S301  # from the process that started this one
    requests.put(None)


def _read_until_the_end(given: BufferedReader, requests: queue.Queue[Any]) -> None:
    """Read requests; where this process is busy long after their end, kill it with all that it has started."""
    read_requests(given, requests)
    time.sleep(_END_S)
    os.killpg(os.getpgrp(), signal.SIGKILL)  # the process that starts this one lets it lead a group


def main(given: BufferedReader, replies: IO[bytes]) -> None:
    """Serve, and write an error that ends it as the last reply."""
    requests: queue.Queue[Any] = queue.Queue()
    threading.Thread(target=_read_until_the_end, args=(given, requests), daemon=True).start()

    def send(reply: object) -> None:
        pickle.dump(reply, replies, protocol=pickle.HIGHEST_PROTOCOL)
        replies.flush()

    import ray

    try:
        serve(ray, requests, send)
    except TetragraphError as error:
        send(("fault", error))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one handles it, and then ends it
    written = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output that Ray prints is no reply
    main(cast("BufferedReader", sys.stdin.buffer), written)
