"""Ports and TLS files that a server cannot use."""

from __future__ import annotations

import re
import socket
import subprocess
from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput, ServiceError
from tetragraph.service.listening import check_tls, listen


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A self-signed certificate and its key, by the program openssl."""
    folder.mkdir(exist_ok=True)
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(key), "-out", str(certificate), "-days", "1", "-subj", f"/CN={name}"]
    subprocess.run([*command, *files], check=True, capture_output=True)
    return certificate, key


def test_a_free_port_is_listened_on() -> None:
    sockets = listen("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    socket.create_connection(("127.0.0.1", port), timeout=5).close()
    for one in sockets:
        one.close()


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ServiceError, match=f"another program uses port {port} of 127.0.0.1: choose another"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid"])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(InvalidInput, match=f"--host must be a name or an address of this machine, got '{host}'"):
        listen(host, 0)


def test_a_certificate_with_its_key_is_accepted_and_with_another_key_refused(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "one")
    _, other = make_certificate(tmp_path, "other")
    check_tls(certificate, key)
    with pytest.raises(InvalidInput, match=re.escape(f"--tls-key must be the key of {certificate}")):
        check_tls(certificate, other)


def test_files_that_are_missing_or_no_certificate_are_named(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "one")
    missing, text = tmp_path / "missing.pem", tmp_path / "text.pem"
    text.write_text("no certificate")
    for files, message in (
        ((missing, key), f"--tls-certificate must be a file that can be read, got {missing}"),
        ((certificate, missing), f"--tls-key must be a file that can be read, got {missing}"),
        ((text, key), f"must be PEM files of a certificate chain and of its key, got {text}"),
    ):
        with pytest.raises(InvalidInput, match=re.escape(message)):
            check_tls(*files)
