"""A process is identified by its command line, never by its number alone."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tetragraph.host import processes

Spawn = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def mine(tmp_path: Path) -> str:
    return f"--home-dir={tmp_path}"


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    started = []

    def start(code: str, *arguments: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", f"{code}; print(flush=True); input()", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        started.append(process)
        assert process.stdout
        process.stdout.readline()
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_process_is_known_by_its_argument(spawn: Spawn, mine: str) -> None:
    process = spawn("pass", mine)
    assert processes.is_running(process.pid, mine)
    assert not processes.is_running(process.pid, mine + "2")
    assert processes.find(mine) == process.pid
    assert processes.find(mine + "2") is None


def test_a_dead_process_does_not_run_even_before_its_parent_knows(spawn: Spawn, mine: str) -> None:
    process = spawn("pass", mine)
    process.kill()
    assert processes.wait_until(lambda: not processes.is_running(process.pid, mine), 10)
    assert processes.find(mine) is None
    assert processes.resident_mb(process.pid) == 0


def test_it_is_ended_in_order_and_none_is_left(spawn: Spawn, mine: str) -> None:
    process = spawn("pass", mine)
    processes.stop(process.pid, mine)
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_it_is_ended_by_force_when_it_does_not_listen(spawn: Spawn, mine: str) -> None:
    process = spawn("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)", mine)
    processes.stop(process.pid, mine, timeout_s=0.1)
    assert processes.wait_until(lambda: not processes.is_running(process.pid, mine), 10)


def test_another_process_with_its_number_is_left_alone(spawn: Spawn, mine: str) -> None:
    process = spawn("pass", "--home-dir=/elsewhere")
    processes.stop(process.pid, mine)
    assert process.poll() is None


def test_the_memory_of_a_process_is_measured() -> None:
    assert processes.resident_mb(os.getpid()) > 10


def test_a_process_listens_on_its_own_ports_and_those_of_its_children(spawn: Spawn) -> None:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        ports = {one.getsockname()[1], two.getsockname()[1]}
        child = spawn("pass")
        assert processes.listens(os.getpid(), ports)
        assert not processes.listens(child.pid, ports)
        two.close()
        assert not processes.listens(os.getpid(), ports)
    bind = "import socket, sys; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True)"
    with subprocess.Popen([sys.executable, "-c", f"{bind}; input()"], stdin=-1, stdout=-1) as listener:
        assert listener.stdout
        assert processes.listens(os.getpid(), {int(listener.stdout.readline())})
        listener.kill()
    assert not processes.listens(listener.pid, set())


def test_waiting_ends_with_the_time() -> None:
    assert not processes.wait_until(lambda: False, 0.0)
    assert processes.wait_until(lambda: True, 0.0)
