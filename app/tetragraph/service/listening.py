"""The sockets and the TLS files of a server, checked before anything is served or any job is run."""

from __future__ import annotations

import errno
import socket
import ssl
from pathlib import Path

from tetragraph.errors import InvalidInput, ServiceError

_BACKLOG = 2048


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on all addresses of a host.

    Args:
        host: Name or address of this machine.
        port: Port; 0 for a free one.

    Raises:
        ServiceError: another program uses the port, or the system does not allow it.
        InvalidInput: the host is none of this machine.
    """
    sockets: list[socket.socket] = []
    try:
        for family, _, _, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            sockets.append(socket.create_server(place[:2], family=family, backlog=_BACKLOG))
    except OSError as error:
        for one in sockets:
            one.close()
        raise _describe(error, host, port) from error
    return sockets


def check_tls(certificate: Path, key: Path) -> None:
    """Check the files of a certificate chain and its private key.

    Raises:
        InvalidInput: a file cannot be read, is no PEM file of its kind, or the key belongs to another certificate.
    """
    for option, file in (("--tls-certificate", certificate), ("--tls-key", key)):
        try:
            file.read_bytes()
        except OSError as error:
            raise InvalidInput(f"{option} must be a file that can be read, got {file}: {error.strerror}") from error
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise InvalidInput(f"--tls-key must be the key of {certificate}, got that of another: {key}") from error
        raise InvalidInput(
            f"--tls-certificate and --tls-key must be PEM files of a certificate chain and of its key, got "
            f"{certificate} and {key}: {error.reason or error}"
        ) from error


def _describe(error: OSError, host: str, port: int) -> InvalidInput | ServiceError:
    if error.errno == errno.EADDRINUSE:
        return ServiceError(f"another program uses port {port} of {host}: choose another with --port")
    if error.errno == errno.EACCES:
        return ServiceError(f"the system does not allow port {port} of {host}: choose one from 1024 with --port")
    return InvalidInput(f"--host must be a name or an address of this machine, got {host!r}: {error.strerror}")
