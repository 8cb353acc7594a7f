"""Neo4j Browser with tetragraph's style sheet and guide: a copy of its jar for each home.

Browser loads both only from a server that it trusts and that allows it. The simplest is the server that serves Browser
itself, which serves every file in its jar. The jar in the shared cache stays as downloaded. The copy is for this
machine and not to be redistributed: Browser is under the GNU General Public License.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import gettempdir

from tetragraph.errors import StartFailed
from tetragraph.stores.local import browser_files
from tetragraph.stores.local.homes import Home
from tetragraph.stores.local.jars import Distribution

SERVED = "browser/tetragraph"
"""Folder in the jar, and path on the server's HTTP port."""


def prepare(home: Home, distribution: Distribution) -> Path:
    """The copy of Browser's jar for this home, rewritten when Browser or the added files have changed.

    Only to be called while no server runs on the home: copies of earlier versions are removed.

    Raises:
        StartFailed: the folder of the copy belongs to another user.
    """
    files = browser_files.files()
    jar = distribution.lock.browser_jar
    folder = _folder(home)
    copy = folder / f"{jar.artifact}-{jar.version}-{_digest(jar.sha256, files)}.jar"
    folder.mkdir(mode=0o700, exist_ok=True)
    if not _is_own(folder):
        raise StartFailed(f"the folder of Neo4j Browser must be yours, {str(folder)!r} is of another user: remove it")
    for other in folder.iterdir():
        if other != copy:
            other.unlink()
    if not copy.is_file():
        _make(copy, distribution.file(jar), files)
    return copy


def remove_temporary(home: Home) -> None:
    """Remove the copy of a home outside of ASCII, which lies in a temporary folder; one in the home stays.

    Only to be called while no server runs on the home.
    """
    folder = _folder(home)
    if folder.parent != home.folder and _is_own(folder):
        shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Whether a folder exists and belongs to this user; in the folder for temporary files, others can make it first."""
    return folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.geteuid()


def _folder(home: Home) -> Path:
    """The folder of the copy: in the home, or a temporary one, as Jetty serves no files of a path outside of ASCII."""
    if str(home.folder).isascii():
        return home.folder / "browser"
    return Path(gettempdir()) / f"tetragraph-{hashlib.sha256(str(home.folder).encode()).hexdigest()[:16]}"


def _make(copy: Path, original: Path, files: Mapping[str, bytes]) -> None:
    temporary = copy.with_name(f".{copy.name}.{os.getpid()}.tmp")
    shutil.copyfile(original, temporary)
    with zipfile.ZipFile(temporary, "a") as archive:
        for name, content in files.items():
            archive.writestr(browser_files.entry(f"{SERVED}/{name}"), content)
    temporary.replace(copy)


def _digest(sha256: str, files: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256(sha256.encode())
    for name, content in files.items():
        whole.update(f"\n{name} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:12]
