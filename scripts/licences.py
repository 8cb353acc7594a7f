"""Print the licences of what a plain installation of tetragraph brings in as a table of Markdown.

Usage: licences.py   (with the Python of an environment that has tetragraph)

Exits with 1 if a package has the GPL or AGPL as its only licence, or none that is known.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = "tetragraph"
_COPYLEFT = re.compile(r"\bA?GPL|GNU (?:Affero )?General Public", re.IGNORECASE)
_LESSER = re.compile(r"\bLGPL|Lesser General Public", re.IGNORECASE)


def runtime_packages(root: str = ROOT) -> dict[str, metadata.Distribution]:
    """Distributions that a package needs without extras, directly or not, by name; itself left out.

    Raises:
        PackageNotFoundError: one of them is not installed.
    """
    found: dict[str, metadata.Distribution] = {}
    waiting: list[tuple[str, frozenset[str]]] = [(root, frozenset())]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        found[name] = metadata.distribution(name)
        for line in found[name].requires or ():
            needed = Requirement(line)
            if _applies(needed, extras):
                waiting.append((canonicalize_name(needed.name), frozenset(needed.extras)))
    del found[root]
    return dict(sorted(found.items()))


def licence_of(about: metadata.PackageMetadata) -> str:
    """The licence that a package states: its expression, otherwise its classifiers, otherwise the short text of it."""
    for expression in about.get_all("License-Expression", ()):
        return str(expression)
    classifiers = [line for line in about.get_all("Classifier", ()) if line.startswith("License ::")]
    names = [line.rpartition(" :: ")[2] for line in classifiers if not line.endswith("OSI Approved")]
    stated = [line for text in about.get_all("License", ()) for line in text.strip().splitlines()[:1]]
    return "; ".join(names or stated)


def is_refused(licence: str) -> bool:
    """Whether a licence is unknown, or the GPL or AGPL without an alternative.

    >>> [is_refused(one) for one in ("GPL-3.0-only", "AGPL-3.0", "", "LGPL-3.0", "MIT OR GPL-2.0", "MIT")]
    [True, True, True, False, False, False]
    """
    alternatives = re.split(r"\bOR\b|;", licence)
    return all(not one.strip() or (_COPYLEFT.search(one) and not _LESSER.search(one)) for one in alternatives)


def table(packages: Iterable[metadata.Distribution]) -> str:
    """Name, version and licence of each package, as a table."""
    rows = [f"| {one.name} | {one.version} | {licence_of(one.metadata)} |" for one in packages]
    return "\n".join(["| package | version | licence |", "| --- | --- | --- |", *rows]) + "\n"


def _applies(needed: Requirement, extras: frozenset[str]) -> bool:
    if needed.marker is None:
        return True
    return any(needed.marker.evaluate({"extra": extra}) for extra in (extras or {""}))


if __name__ == "__main__":
    packages = runtime_packages()
    print(table(packages.values()), end="")
    refused = [name for name, one in packages.items() if is_refused(licence_of(one.metadata))]
    if refused:
        print(f"licences that are unknown, or GPL or AGPL: {', '.join(refused)}", file=sys.stderr)
    sys.exit(bool(refused))
