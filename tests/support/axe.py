"""axe-core, which finds faults of accessibility in a page; fetched once from the package registry of npm."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

PACKAGE = "axe-core@4.14.1"
SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
"""Hash of ``axe.min.js`` in the package."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def fetch(folder: Path) -> str | None:
    """The script; None without npm or its registry.

    Raises:
        AssertionError: the registry has another file under that version.
    """
    npm = shutil.which("npm")
    if npm is None:
        return None
    packed = subprocess.run(
        [npm, "pack", "--silent", PACKAGE], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    if packed.returncode:
        return None
    with tarfile.open(folder / packed.stdout.strip().splitlines()[-1]) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        script = member.read()
    assert hashlib.sha256(script).hexdigest() == SHA256
    return script.decode()


def violations(page: Page) -> list[str]:
    """Faults of a page against WCAG 2.2, level AA: rule, explanation and element. The page has run the script."""
    found: dict[str, Any] = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
    return [f"{one['id']}: {one['help']}: {node['html'][:200]}" for one in found["violations"] for node in one["nodes"]]
