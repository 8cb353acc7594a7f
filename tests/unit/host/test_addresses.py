"""Clients of servers on this machine: which variables of the environment they obey."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from tetragraph.host.addresses import connection_options


def test_the_environment_counts_for_other_machines() -> None:
    assert connection_options("https://qdrant.example") == {}
    assert connection_options("") == {}


def test_no_variable_counts_for_plain_connections_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "nowhere.pem")
    first, second = (connection_options(f"http://127.0.0.1:{port}") for port in (6333, 6334))
    assert first == {"trust_env": False, "verify": second["verify"]}, "authorities are read once"
    assert isinstance(first["verify"], ssl.SSLContext)


def test_the_file_of_an_authority_counts_for_this_machine_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "authority.pem"
    empty.write_text("no certificate", encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(empty))
    with pytest.raises(ssl.SSLError):
        connection_options("https://localhost")
    monkeypatch.delenv("SSL_CERT_FILE")
    options = connection_options("https://localhost")
    assert not options["trust_env"]
    assert isinstance(options["verify"], ssl.SSLContext)
