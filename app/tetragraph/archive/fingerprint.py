"""Digests of what a corpus is, by which two copies are compared: independent of its name, times and generations.

The digest of a section, such as all nodes of one label, is the sum of the hashes of its rows modulo 2^256. It needs no
memory and does not depend on the order of rows, which vector stores do not define.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from tetragraph.stores.portable_values import from_json, to_json

_MODULUS = 1 << 256
_NOT_CONTENT = "generation"
"""Property that depends on the number of earlier changes."""
_MARK = f'"{_NOT_CONTENT}":'.encode()


class FingerprintSum:
    """Digests by section, to which rows are added one by one."""

    def __init__(self) -> None:
        self._sums: dict[str, int] = {}
        self._counts: dict[str, int] = {}

    def add(self, section: str, row: Mapping[str, Any]) -> None:
        """Add a row of a backup to its section."""
        self.add_line(section, to_json(row).encode())

    def add_all(self, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        """Add rows, each with its section."""
        for section, row in rows:
            self.add(section, row)

    def add_line(self, section: str, line: bytes) -> None:
        """Add a row that is a line of :func:`tetragraph.stores.portable_values.to_json`."""
        if _MARK in line:
            row = from_json(line.decode())
            row.get("properties", {}).pop(_NOT_CONTENT, None)
            line = to_json(row).encode()
        digest = hashlib.sha256(line).digest()
        self._sums[section] = (self._sums.get(section, 0) + int.from_bytes(digest)) % _MODULUS
        self._counts[section] = self._counts.get(section, 0) + 1

    @property
    def sections(self) -> dict[str, str]:
        """Number of rows and digest of each section that has rows, in order of name."""
        return {name: f"{self._counts[name]}-{self._sums[name]:064x}" for name in sorted(self._sums)}


def find_differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Names of the sections that differ, in order."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def digest_of(sections: Mapping[str, str]) -> str:
    """One digest of all sections, as 64 hexadecimal digits."""
    return hashlib.sha256(to_json(sections).encode()).hexdigest()
