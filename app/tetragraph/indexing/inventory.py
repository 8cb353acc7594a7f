"""Counts of what a corpus holds, kept with each published generation, by which a later loss is found.

Only changes by tetragraph end in a published generation. Where the counts of a complete corpus are not those that it
was published with, something else has changed the graph: a statement in Neo4j Browser, a restored backup.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Self

from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.registry import BUILD_TARGETS

DOCUMENTS = "documents"
ENTITIES = "entities"
Counts = Mapping[str, float]
"""Value by column of ``ingest/count_contents``."""
_SUM = "_sum"
"""End of the columns that hold sums of weights; they are compared only where the counts agree."""
_SHARED: Mapping[str, Mapping[str, str]] = {
    DOCUMENTS: {"documents": "documents", "chunks": "chunks"},
    ENTITIES: {"entities": "entities", "mentions": "mentions", "describes": "descriptions"},
}
"""Columns of the parts that every corpus has, each with a plural noun."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """Counts of a corpus by part: ``documents``, ``entities`` and the names of its build targets.

    Attributes:
        found: Present counts.
        published: Counts at the last publish; without the parts of a corpus that no version with counts published.
    """

    found: Mapping[str, Counts]
    published: Mapping[str, Counts]

    @classmethod
    def read(cls, stores: CorpusStores, graphs: Collection[str] | None = None) -> Self:
        """Count the contents of a corpus.

        Args:
            stores: Stores of the corpus.
            graphs: Names of its build targets; those of the record by default.
        """
        row = stores.graph.read("ingest/count_contents", corpus=stores.name)[0]
        names = stores.record.graphs if graphs is None else graphs
        columns = {**_SHARED, **{name: _nouns(name) for name in names if name in BUILD_TARGETS}}
        found = {part: {column: row[column] for column in nouns} for part, nouns in columns.items()}
        return cls(found, json.loads(row["contents"] or "{}"))

    def differences(self, part: str) -> dict[str, int]:
        """Differences of a part from its published state in words, each with a number; 0 for changed sums."""
        before, now = self.published.get(part, {}), self.found.get(part, {})
        shared = before.keys() & now.keys()
        counts = [column for column in now if column in shared and not column.endswith(_SUM)]
        words = {
            f"{_nouns(part)[column]} {'fewer' if now[column] < before[column] else 'more'} than were published": abs(
                int(now[column] - before[column])
            )
            for column in counts
            if now[column] != before[column]
        }
        sums = [column for column in now if column in shared and column.endswith(_SUM)] if not words else []
        changed = [column for column in sums if not _is_same(now[column], before[column])]
        return words | {f"{_nouns(part)[column]} are not those that were published": 0 for column in changed}

    @property
    def lost_documents(self) -> int:
        """Number of documents that have gone since the last publish."""
        return max(0, int(self.published.get(DOCUMENTS, {}).get("documents", 0) - self.found[DOCUMENTS]["documents"]))

    @property
    def changed_graphs(self) -> dict[str, dict[str, int]]:
        """Differences of each graph; empty where documents or chunks differ, with which graphs lose their nodes too."""
        before, now = self.published.get(DOCUMENTS, {}), self.found[DOCUMENTS]
        if any(before.get(column) != now[column] for column in ("documents", "chunks")):
            return {}
        differences = {part: self.differences(part) for part in self.found if part != DOCUMENTS}
        return {part: words for part, words in differences.items() if words}

    def to_publish(self, kept: Collection[str]) -> str:
        """JSON of the counts to publish; parts in ``kept`` keep the counts of the last publish."""
        return json.dumps(
            {part: self.published[part] if part in kept else counts for part, counts in self.found.items()},
            sort_keys=True,
        )


def find_changed_graphs(stores: CorpusStores) -> dict[str, dict[str, int]]:
    """Differences by name of each build target that something else has changed since the last publish.

    Empty while a change is unfinished. An update of such a graph would keep the loss; a build restores it.
    """
    if stores.record.generation != stores.record.published:
        return {}
    changed = Inventory.read(stores).changed_graphs
    return {part: words for part, words in changed.items() if part in BUILD_TARGETS}


def describe(words: Mapping[str, int]) -> str:
    """Differences as a phrase.

    >>> describe({"gain edges fewer than were published": 2, "gains are not those that were published": 0})
    '2 gain edges fewer than were published, gains are not those that were published'
    """
    return ", ".join(f"{count} {what}" if count else what for what, count in words.items())


def _nouns(part: str) -> Mapping[str, str]:
    return _SHARED[part] if part in _SHARED else BUILD_TARGETS[part].counted


def _is_same(one: float, other: float) -> bool:
    """Whether two sums are those of the same numbers, which may be added in another order."""
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
