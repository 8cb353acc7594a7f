"""What a corpus keeps of how its information-gain graph was made, so that updates are made the same way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.systems.gain_graph.options import BuildOptions

_KEY = "gain"
"""In the corpus' settings; absent while the graph has only been made with the defaults."""
_UNFINISHED = "unfinished"


def options_of(record: CorpusRecord) -> BuildOptions:
    """The options that the graph was made with; the defaults where there is none."""
    return BuildOptions(**{name: value for name, value in _kept(record).items() if name != _UNFINISHED})


def is_unfinished(record: CorpusRecord) -> bool:
    """Whether a build with other options than before ended while its edges were written: some are old, some new."""
    return _UNFINISHED in _kept(record)


@contextmanager
def rebuilding(stores: CorpusStores, options: BuildOptions) -> Iterator[None]:
    """While the edges of a build are written; afterwards updates keep to its options.

    The options come before the first edge, marked as unfinished, so that a build that ends on the way is finished by
    the next change, whatever that is.
    """
    record = stores.record
    is_as_before = options == options_of(record) and not is_unfinished(record)
    if not is_as_before:
        _keep(stores, asdict(options) | {_UNFINISHED: True})
    yield
    if not is_as_before:
        _keep(stores, asdict(options))


def _kept(record: CorpusRecord) -> dict[str, Any]:
    return dict(record.settings.get(_KEY, {}))


def _keep(stores: CorpusStores, values: dict[str, Any]) -> None:
    row = stores.graph.read("corpus/get_corpus", corpus=stores.name)[0]
    settings = json.loads(row["settings"]) | {_KEY: values}
    stores.graph.write("corpus/upsert_settings", corpus=stores.name, settings=json.dumps(settings, sort_keys=True))
