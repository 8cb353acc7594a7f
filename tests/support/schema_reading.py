"""Reads the schema of a live corpus: labels, relationship types, properties and patterns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import neo4j

METADATA = "meta_*"
"""Placeholder for the properties of a document's metadata."""
_NODES = """
MATCH (n) WHERE n.corpus = $corpus OR n:SchemaMigration OR n:ServiceKey
UNWIND keys(n) + [''] AS key
RETURN labels(n) AS labels, key, collect(DISTINCT valueType(n[key])) AS types, count(*) AS count
ORDER BY labels, key
"""
_RELATIONSHIPS = """
MATCH (start)-[r]->(end) WHERE start.corpus = $corpus
UNWIND keys(r) + [''] AS key
RETURN type(r) AS type, labels(start) AS start, labels(end) AS end, key,
       collect(DISTINCT valueType(r[key])) AS types, count(*) AS count
ORDER BY type, start, end, key
"""
_NODE_EXAMPLES = "MATCH (n) WHERE n.corpus = $corpus OR n:SchemaMigration OR n:ServiceKey RETURN n AS found"
_RELATIONSHIP_EXAMPLES = "MATCH (start)-[r]->(end) WHERE start.corpus = $corpus RETURN r AS found, start, end"
_NO_ELEMENTS = "LIST<NOTHING>"

Pattern = tuple[str, str, str]
"""Start label, relationship type, end label."""
Found = neo4j.graph.Node | neo4j.graph.Relationship


@dataclass(frozen=True)
class Property:
    """A property of one label or relationship type.

    Attributes:
        types: Cypher's names of the types of its values, such as ``LIST<STRING>``.
        always: Whether every node or relationship has it.
    """

    types: frozenset[str]
    always: bool


@dataclass(frozen=True)
class Schema:
    """Schema of a corpus, without the property ``corpus``, which every node has.

    Attributes:
        nodes: Properties by label; the key of nodes with several labels is ``A:B``.
        relationships: Properties by relationship type.
        patterns: Relationship types with the labels of their ends.
    """

    nodes: Mapping[str, Mapping[str, Property]] = field(default_factory=dict)
    relationships: Mapping[str, Mapping[str, Property]] = field(default_factory=dict)
    patterns: frozenset[Pattern] = frozenset()


def read_schema(session: neo4j.Session, corpus: str) -> Schema:
    """Read the schema of a corpus, and of the nodes that belong to the database."""
    nodes, relationships = _Tally(), _Tally()
    patterns: set[Pattern] = set()
    for row in session.run(_NODES, corpus=corpus):
        if row["key"] != "corpus":
            nodes.add(":".join(row["labels"]), row)
    for row in session.run(_RELATIONSHIPS, corpus=corpus):
        relationships.add(row["type"], row)
        patterns.add((":".join(row["start"]), row["type"], ":".join(row["end"])))
    return Schema(nodes.finish(), relationships.finish(), frozenset(patterns))


def read_examples(session: neo4j.Session, corpus: str) -> dict[str, list[Found]]:
    """All nodes by label, and all relationships by type: for small corpora."""
    found: dict[str, list[Found]] = defaultdict(list)
    for query in (_NODE_EXAMPLES, _RELATIONSHIP_EXAMPLES):
        for row in session.run(query, corpus=corpus):
            found[kind_of(row["found"])].append(row["found"])
    return found


def kind_of(one: Found) -> str:
    """Label of a node, or type of a relationship."""
    return one.type if isinstance(one, neo4j.graph.Relationship) else ":".join(sorted(one.labels))


def ends_of(one: Found) -> list[neo4j.graph.Node]:
    """Start and end of a relationship; empty for a node."""
    return [node for node in one.nodes if node is not None] if isinstance(one, neo4j.graph.Relationship) else []


def differences(found: Schema, documented: Schema, *, is_whole: bool) -> list[str]:
    """Differences between a corpus and the document in words, in order.

    Args:
        found: Schema of the corpus.
        documented: Schema in the document.
        is_whole: Whether the corpus has everything, so that the document must not have more.
    """
    told = [
        *_kind_differences("node label", found.nodes, documented.nodes, is_whole=is_whole),
        *_kind_differences("relationship type", found.relationships, documented.relationships, is_whole=is_whole),
    ]
    pairs = [("is not documented", found.patterns - documented.patterns)]
    if is_whole:
        pairs.append(("is documented, and not there", documented.patterns - found.patterns))
    for words, patterns in pairs:
        told += [f"({start})-[:{kind}]->({end}) {words}" for start, kind, end in sorted(patterns)]
    return told


def _kind_differences(
    what: str,
    found: Mapping[str, Mapping[str, Property]],
    documented: Mapping[str, Mapping[str, Property]],
    *,
    is_whole: bool,
) -> Iterable[str]:
    for name in sorted(found.keys() | documented.keys()):
        if name not in documented:
            yield f"{what} {name} is not documented"
        elif name in found:
            for told in _property_differences(found[name], documented[name], is_whole=is_whole):
                yield f"{what} {name}: {told}"
        elif is_whole:
            yield f"{what} {name} is documented, and not there"


def _property_differences(
    found: Mapping[str, Property], documented: Mapping[str, Property], *, is_whole: bool
) -> Iterable[str]:
    for key in sorted(found.keys() | documented.keys()):
        if key not in documented:
            yield f"property {key} is not documented"
        elif key not in found:
            if is_whole or documented[key].always:
                yield f"property {key} is documented, and not there"
        else:
            here, there = found[key], documented[key]
            if here.types != there.types if is_whole else not _fit(here.types, there.types):
                yield f"property {key} is {named(here.types)}, documented is {named(there.types)}"
            if there.always and not here.always:
                yield f"property {key} is not always there, as is documented"


def _fit(types: frozenset[str], documented: frozenset[str]) -> bool:
    """Whether all types are documented; a list that happens to be empty fits wherever a list does."""
    holds_lists = any(one.startswith("LIST<") for one in documented)
    return types - ({_NO_ELEMENTS} if holds_lists else set()) <= documented


def named(types: Iterable[str]) -> str:
    """Types in words, as the document writes them."""
    return " or ".join(sorted(types))


class _Tally:
    """Adds up rows of properties with their counts; the row of the empty key counts all."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        self._types: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    def add(self, name: str, row: Mapping[str, Any]) -> None:
        key = METADATA if row["key"].startswith("meta_") else row["key"]
        self._counts[name][key] += row["count"]
        self._types[name][key].update(one.replace(" NOT NULL", "") for one in row["types"])

    def finish(self) -> dict[str, dict[str, Property]]:
        return {
            name: {
                key: Property(_known(self._types[name][key]), key != METADATA and count == counts[""])
                for key, count in counts.items()
                if key
            }
            for name, counts in self._counts.items()
        }


def _known(types: set[str]) -> frozenset[str]:
    """Types without that of empty lists."""
    return frozenset(types - {_NO_ELEMENTS} or types)
