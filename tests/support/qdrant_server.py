"""A Qdrant server for tests: that of a start script, else that of ``QDRANT_URL``.

The script is called as ``SCRIPT start FOLDER PORT KEY`` (an empty port is any free one), which prints
``QDRANT_URL=…``, and as ``SCRIPT stop|kill9|pause|resume FOLDER``.
"""

from __future__ import annotations

import os
import subprocess
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr
from qdrant_client import QdrantClient

from tetragraph.settings import Settings

VARIABLE = "TETRAGRAPH_QDRANT_SERVER"
"""Environment variable with the path of the script; empty for none."""
KEY = "a-key-of-tests"
_BESIDE_CHECKOUT = Path(__file__).parents[3] / "shared" / "bin" / "qdrant-server"


def find_script(environment: Mapping[str, str]) -> Path | None:
    """The script of the variable, else the one beside the checkout; None without either."""
    named = environment.get(VARIABLE)
    script = Path(named) if named else _BESIDE_CHECKOUT
    return script if named != "" and script.is_file() else None


def origin(environment: Mapping[str, str]) -> str:
    """Where tests find a server, in words; begins with "none" without one."""
    if script := find_script(environment):
        return f"{script} starts one"
    if url := environment.get("QDRANT_URL") or environment.get("TETRAGRAPH_QDRANT_URL"):
        return f"QDRANT_URL: {url}"
    return f"none, its tests are skipped: {VARIABLE} names no start script, and QDRANT_URL is not set"


def driver(settings: Settings) -> QdrantClient:
    """The plain client, for tests that look into the server or change it behind the code's back."""
    return QdrantClient(url=settings.qdrant_url, headers=_headers(settings), check_compatibility=False, timeout=60)


def take_snapshot(client: QdrantClient, settings: Settings, collection: str) -> bytes:
    """A snapshot of a collection; the server's own copy goes with the collection."""
    made = client.create_snapshot(collection)
    assert made is not None
    url = f"{settings.qdrant_url}/collections/{collection}/snapshots/{made.name}"
    request = urllib.request.Request(url, headers=_headers(settings))  # noqa: S310 - loopback
    with urllib.request.urlopen(request) as response:  # noqa: S310 - loopback
        return bytes(response.read())


def restore_snapshot(settings: Settings, collection: str, snapshot: bytes) -> None:
    """Put a collection into the state of a snapshot."""
    url = f"{settings.qdrant_url}/collections/{collection}/snapshots/upload?wait=true&priority=snapshot"
    head = b'--of-the-file\r\nContent-Disposition: form-data; name="snapshot"; filename="snapshot"\r\n\r\n'
    form = {"Content-Type": "multipart/form-data; boundary=of-the-file"}
    request = urllib.request.Request(  # noqa: S310 - loopback
        url, data=head + snapshot + b"\r\n--of-the-file--\r\n", headers={**_headers(settings), **form}, method="POST"
    )
    with urllib.request.urlopen(request) as response:  # noqa: S310 - loopback
        response.read()


def _headers(settings: Settings) -> dict[str, str]:
    return {"api-key": settings.qdrant_api_key.get_secret_value()} if settings.qdrant_api_key else {}


@dataclass
class QdrantServer:
    """A server that tests start, stop, kill and pause.

    Attributes:
        script: The start script.
        folder: Folder of data, log and process id.
        settings: Further settings of the server, as ``QDRANT__…``.
    """

    script: Path
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    url: str = ""

    def start(self) -> None:
        """Start it, at the same address as before if it ran already."""
        port = str(urlsplit(self.url).port or "")
        printed = self._call("start", port, KEY)
        self.url = printed.splitlines()[0].partition("=")[2]

    def stop(self) -> None:
        """Stop it as an operating system does."""
        self._call("stop")

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._call("kill9")

    def pause(self) -> None:
        """Stop it with SIGSTOP: connections are accepted, nothing answers."""
        self._call("pause")

    def resume(self) -> None:
        """Continue it after :meth:`pause`."""
        self._call("resume")

    def of(self, settings: Settings) -> Settings:
        """Settings with address and key of this server."""
        return settings.model_copy(update={"qdrant_url": self.url, "qdrant_api_key": SecretStr(KEY)})

    def _call(self, command: str, *arguments: str) -> str:
        self.folder.mkdir(parents=True, exist_ok=True)
        output = self.folder / "script.log"  # not a pipe, which the server would inherit and keep open
        with output.open("w+", encoding="utf-8") as log:
            subprocess.run(
                [self.script, command, str(self.folder), *arguments],
                stdout=log,
                stderr=log,
                env={**os.environ, **self.settings},
                check=True,
            )
            log.seek(0)
            return log.read()
