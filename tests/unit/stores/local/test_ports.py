"""Ports: the requested ones, otherwise the last ones, the usual ones, or free ones."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput, PortInUse
from tetragraph.host.file_lock import is_locked
from tetragraph.stores.local import ports
from tetragraph.stores.local.ports import Ports


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server((ports.LOOPBACK, 0)) as server:
        yield server.getsockname()[1]


def test_the_ports_of_the_last_start_are_taken_again() -> None:
    last = Ports(ports.free(), ports.free())
    assert ports.choose(None, None, last) == last


def test_ports_that_were_asked_for_come_first() -> None:
    bolt, http = ports.free(), ports.free()
    assert ports.choose(bolt, http, Ports(ports.free(), ports.free())) == Ports(bolt, http)


def test_a_taken_port_that_was_asked_for_is_an_error(taken: int) -> None:
    with pytest.raises(PortInUse, match=f"TETRAGRAPH_BOLT_PORT asks for port {taken}, which is taken"):
        ports.choose(taken, None)
    with pytest.raises(PortInUse, match=f"TETRAGRAPH_HTTP_PORT asks for port {taken}"):
        ports.choose(None, taken)


def test_a_taken_port_of_the_last_start_is_left_for_another(taken: int) -> None:
    http = ports.free()
    chosen = ports.choose(None, http, Ports(taken, http))
    assert chosen.bolt not in {taken, http}
    assert not ports.is_taken(chosen.bolt)


def test_the_last_bolt_port_gives_way_to_an_http_port_that_was_asked_for() -> None:
    last = Ports(ports.free(), ports.free())
    assert ports.choose(None, last.bolt, last).bolt != last.bolt


def test_one_port_for_both_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="two ports, got 7000 for both"):
        ports.choose(7000, 7000)


def test_a_listener_on_all_addresses_takes_the_port() -> None:
    with socket.create_server(("0.0.0.0", 0)) as server:  # that is what is tested
        assert ports.is_taken(server.getsockname()[1])


def test_a_port_whose_last_connection_is_still_closing_is_free() -> None:
    with socket.create_server((ports.LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
        client = socket.create_connection((ports.LOOPBACK, port))
        accepted, _ = server.accept()
        accepted.close()
        client.close()
    assert not ports.is_taken(port)


def test_the_lock_for_choosing_is_in_the_folder_whatever_the_place_of_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "other"))
    with ports.choosing(tmp_path / "cache"):
        assert is_locked(tmp_path / "cache" / "ports.lock")
    assert not is_locked(tmp_path / "cache" / "ports.lock")


def test_ports_are_chosen_without_the_lock_where_it_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    with ports.choosing(tmp_path / "cache"):
        assert ports.free()
