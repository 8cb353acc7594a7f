"""Methods with their options as one word, such as ``gain:engine=memory``, and the names of their runs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import LONGEST_NAME
from tetragraph.model import content_id
from tetragraph.model.written_values import read_value


def read_method(written: str) -> tuple[str, dict[str, Any]]:
    """Parse a method with its options.

    Raises:
        InvalidInput: an option is not NAME=VALUE.

    >>> read_method("gain:engine=memory:seeds=3")
    ('gain', {'engine': 'memory', 'seeds': 3})
    """
    method, *options = written.split(":")
    return method, read_options(options)


def read_options(items: Sequence[str]) -> dict[str, Any]:
    """Parse options such as ``restart=0.3``.

    Raises:
        InvalidInput: an option is not NAME=VALUE.
    """
    return {name: read_value(value) for name, value in map(_pair, items)}


def run_name(written: str) -> str:
    """A name for a run from its method and settings, valid in file names and for TREC tools.

    >>> run_name("evidence:restart=0.3")
    'evidence-restart-0.3'
    """
    return re.sub(r"[^A-Za-z0-9._+]+", "-", written).strip("-")


def run_names(written: Collection[str]) -> dict[str, str]:
    """Unique names for some runs: one that is too long, or that two runs would share, ends in a hash of the settings.

    >>> list(run_names(["dense", "anchor:policy=mine@1", "anchor:policy=mine-1"]).values())
    ['dense', 'anchor-policy-mine-1-78093cb3', 'anchor-policy-mine-1-a774f902']
    """
    names = {one: run_name(one) for one in written}
    counts = Counter(names.values())
    is_usable = {name: times == 1 and len(name) <= LONGEST_NAME for name, times in counts.items()}
    return {
        one: name if is_usable[name] else f"{name[: LONGEST_NAME - 9]}-{content_id(one)[:8]}"
        for one, name in names.items()
    }


def _pair(item: str) -> tuple[str, str]:
    name, found, value = item.partition("=")
    if not found or not name:
        raise InvalidInput(f"an option must read NAME=VALUE, got {item!r}")
    return name, value
