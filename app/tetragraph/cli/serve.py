"""``serve`` and ``keys``: the HTTP service and the keys of its callers."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tetragraph.cli.arguments import Json, LlmName
from tetragraph.cli.llm_options import connect, settings_for
from tetragraph.cli.output import TerminalProgress, err, out, print_json, table
from tetragraph.errors import InvalidInput
from tetragraph.host.optional_imports import install_command, required

if TYPE_CHECKING:
    from tetragraph.service.keys import KeyRecord

commands = typer.Typer()
keys = typer.Typer(name="keys", help="Keys of the HTTP service.", no_args_is_help=True)
_LIFETIME = re.compile(r"(\d{1,20})([smhdw])")
_LONGEST = timedelta(days=36_500)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@commands.command(epilog="Example: tetragraph serve --port 8424")
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; any but loopback needs keys and TLS.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8424,
    behind_tls: Annotated[bool, typer.Option("--behind-tls", help="A proxy in front encrypts connections.")] = False,
    tls_certificate: Annotated[Path | None, typer.Option(help="File of the certificate chain, for TLS.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="File of the private key, for TLS.")] = None,
    audit: Annotated[Path | None, typer.Option(help="File that the audit log is appended to.")] = None,
    traces: Annotated[
        bool, typer.Option("--traces", help="Send OpenTelemetry traces to OTEL_EXPORTER_OTLP_ENDPOINT.")
    ] = False,
    llm: LlmName = None,
) -> None:
    """Serve search, answers and changes of all corpora over HTTP until interrupted.

    Without keys only this machine is served. Log lines are JSON, on standard error.
    """
    if (tls_certificate is None) != (tls_key is None):
        raise InvalidInput("TLS needs both --tls-certificate and --tls-key, got one of them")
    message = f"the service needs the package {{package}}: {install_command('server')}"
    required("python_multipart", message)  # read by FastAPI at the first upload
    server = required("tetragraph.service.server", message)
    tracing = f"--traces needs the package {{package}}: {install_command('traces')}"
    provider = required("tetragraph.service.tracing", tracing).make_provider() if traces else None
    from tetragraph.service import logs
    from tetragraph.service.config import ServiceConfig
    from tetragraph.service.surfaces import surfaces

    is_encrypted = behind_tls or tls_certificate is not None
    settings = settings_for(llm)
    config = ServiceConfig.of(settings, host=host, port=port, is_behind_tls=is_encrypted, is_behind_proxy=behind_tls)
    with TerminalProgress() as progress, connect(llm, progress, starts_empty=True) as client, progress.paused():
        logs.start(audit)
        is_computing = server.serve(
            client, config, certificate=tls_certificate, key=tls_key, surfaces=surfaces(), traces=provider
        )
    if is_computing:
        server.leave()


@keys.command(epilog="Example: tetragraph keys create --corpus handbook --scope search --expires 90d --name website")
def create(
    corpus: Annotated[
        list[str], typer.Option("--corpus", "-c", help="A corpus, or a pattern such as 'team-*'; may be repeated.")
    ],
    scope: Annotated[list[str], typer.Option("--scope", "-s", help="search, ingest or admin; may be repeated.")],
    name: Annotated[str, typer.Option(help="Name of the key, for lists and logs.")] = "",
    expires: Annotated[str | None, typer.Option(help="Time until it expires: 90d, 12h, 30m; default: never.")] = None,
    json: Json = False,
) -> None:
    """Create a key and print it, once: only its hash is stored."""
    from tetragraph.service.keys import KeyStore

    with connect(starts_empty=True) as client:
        key, record = KeyStore(client.connection.graph).create(
            scope, corpus, name=name, lifetime=None if expires is None else _read_lifetime(expires)
        )
    if json:
        print_json({"key": key, "record": record})
        return
    out.print(key, markup=False)
    err.print("It is shown this once; `tetragraph keys revoke` with its id ends it.", markup=False)


@keys.command("list", epilog="Example: tetragraph keys list")
def list_keys(json: Json = False) -> None:
    """List the keys with their rights, without the secrets."""
    from tetragraph.service.keys import KeyStore

    with connect() as client:
        found = KeyStore(client.connection.graph).list()
    if json:
        print_json(found)
    elif not found:
        out.print("no key yet; `tetragraph keys create` makes one", markup=False)
    else:
        table(("id", "name", "scopes", "corpora", "expires", "last used", "state"), [_row(one) for one in found])


@keys.command(epilog="Example: tetragraph keys revoke 3f9c0a72b5d1")
def revoke(
    identity: Annotated[str, typer.Argument(metavar="ID", help="Id of the key, as `keys list` shows it.")],
    json: Json = False,
) -> None:
    """Revoke a key; servers refuse it within 5 seconds."""
    from tetragraph.service.keys import KeyStore

    with connect() as client:
        record = KeyStore(client.connection.graph).revoke(identity)
    if json:
        print_json(record)
    else:
        out.print(f"revoked: {record.id}", markup=False)


@keys.command(epilog="Example: tetragraph keys delete 3f9c0a72b5d1")
def delete(
    identity: Annotated[str, typer.Argument(metavar="ID", help="Id of a revoked key, as `keys list` shows it.")],
    json: Json = False,
) -> None:
    """Delete a revoked key from the list.

    A server on loopback that has no key in its list needs none.
    """
    from tetragraph.service.keys import KeyStore

    with connect() as client:
        record = KeyStore(client.connection.graph).delete(identity)
    if json:
        print_json(record)
    else:
        out.print(f"deleted: {record.id}", markup=False)


def _row(record: KeyRecord) -> tuple[str, ...]:
    state = "valid" if record.is_valid else "revoked" if record.revoked else "expired"
    corpora, scopes = ", ".join(record.corpora), ", ".join(record.scopes)
    return (record.id, record.name, scopes, corpora, record.expires or "never", record.used or "never", state)


def _read_lifetime(text: str) -> timedelta:
    match = _LIFETIME.fullmatch(text)
    if match is None:
        raise InvalidInput(f"--expires must be a number and one of s, m, h, d, w, such as 90d, got {text!r}")
    count, unit = int(match[1]), timedelta(**{_UNITS[match[2]]: 1})
    if count > _LONGEST // unit:
        raise InvalidInput(
            f"--expires must be at most {_LONGEST.days}d, got {text!r}: leave it out for a key that never expires"
        )
    return count * unit
