"""Files of OpenDocument with a given body."""

from __future__ import annotations

import zipfile
from pathlib import Path

OPEN_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "manifest")
)


def write_open_document(path: Path, kind: str, body: str) -> Path:
    """Write an OpenDocument file of a kind such as ``text`` or ``spreadsheet``."""
    content = f"<office:document-content {OPEN_NAMES}><office:body><office:{kind}>{body}</office:{kind}></office:body>"
    entry = (
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.{kind}"/>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr("META-INF/manifest.xml", f"<manifest:manifest {OPEN_NAMES}>{entry}</manifest:manifest>")
        archive.writestr("content.xml", f"{content}</office:document-content>")
    return path
