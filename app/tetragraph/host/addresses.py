"""Addresses of servers, as they may be printed."""

from __future__ import annotations

import re


def hide_credentials(address: str) -> str:
    """Replace user and password in an address by ``…``.

    >>> hide_credentials("bolt://neo4j:pass/w@rd@host:7687"), hide_credentials("bolt://host:7687")
    ('bolt://…@host:7687', 'bolt://host:7687')
    """
    return re.sub(r"(?<=://).*@", "…@", address)
