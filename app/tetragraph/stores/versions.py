"""Versions of the documents of a corpus: when each is valid, and which documents supersede it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from tetragraph.errors import InvalidInput
from tetragraph.model.validity import VERSION_KEYS, Validity
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.generation_memory import GenerationMemory


@dataclass(frozen=True, slots=True)
class Versions:
    """Validity of documents; empty for a corpus whose documents state none.

    Attributes:
        validity: Validity by id of the documents that state one.
        successors: Ids of the documents that supersede one, directly or by others, by its id.
    """

    validity: Mapping[str, Validity] = field(default_factory=dict)
    successors: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, validity: Mapping[str, Validity]) -> Versions:
        """The versions that some documents state."""
        direct: dict[str, set[str]] = defaultdict(set)
        for successor, stated in validity.items():
            for superseded in stated.supersedes:
                direct[superseded].add(successor)
        return cls(validity, {one: _reach(one, direct) for one in direct})

    def __bool__(self) -> bool:
        return bool(self.validity)

    def superseded_by(self, document: str) -> tuple[str, ...]:
        """Ids of the documents that supersede one, directly or by others, in ascending order."""
        return tuple(sorted(self.successors.get(document, ())))

    def not_valid_on(self, day: str) -> set[str]:
        """Ids of the documents that are not valid on a day: before, after, or superseded by one that has begun."""
        outside = {one for one, stated in self.validity.items() if not stated.holds_on(day)}
        replaced = {
            one
            for one, successors in self.successors.items()
            if any(self.validity[successor].has_begun(day) for successor in successors)
        }
        return outside | replaced


NO_VERSIONS = Versions()
_LOADED: GenerationMemory[tuple[Versions, str]] = GenerationMemory()


def _reach(document: str, direct: Mapping[str, set[str]]) -> frozenset[str]:
    found: set[str] = set()
    waiting = [document]
    while waiting:
        for successor in direct.get(waiting.pop(), ()):
            if successor not in found:
                found.add(successor)
                waiting.append(successor)
    return frozenset(found - {document})


def has_versions(stores: CorpusStores) -> bool:
    """Whether a document of the corpus may state its validity; costs nothing."""
    return any(key in VERSION_KEYS for key in stores.record.metadata_keys)


def load_versions(stores: CorpusStores) -> Versions:
    """The versions of a corpus, read from Neo4j once for each published generation and process.

    Values that cannot be read count as absent, with a note.
    """
    if not has_versions(stores):
        return NO_VERSIONS
    versions, note = _LOADED.recall(stores, _read) or _read(stores)
    if note:
        stores.note(note)
    return versions


def read_versions_now(stores: CorpusStores) -> Versions:
    """The versions of a corpus as they are at this moment, also during a change."""
    return _read(stores)[0] if has_versions(stores) else NO_VERSIONS


def _read(stores: CorpusStores) -> tuple[Versions, str]:
    """The versions, and a note on those that cannot be read."""
    found: dict[str, Validity] = {}
    wrong: list[str] = []
    for row in stores.graph.read("corpus/find_versions", corpus=stores.name):
        try:
            found[row["id"]] = Validity.of(row["document"])
        except InvalidInput as error:
            wrong.append(f"{row['id']!r} ({error})")
    note = (
        f"{len(wrong):,} documents state a validity that cannot be read, which was ignored, the first is {wrong[0]}: "
        "ingest it again with another one"
        if wrong
        else ""
    )
    return Versions.of(found), note
