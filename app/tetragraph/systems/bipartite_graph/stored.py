"""The bipartite graph of a corpus in Neo4j: reads it and writes differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph.construction import (
    AliasOf,
    Audit,
    BipartiteGraph,
    Entity,
    Participation,
    Relation,
    Statement,
)

STAGE = "facts"
_PAGE = 5_000
_BATCH = 5_000
Rows = list[dict[str, Any]]
Step = tuple[str, Rows]
"""Name of a query, and its rows."""


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """The graph in Neo4j.

    Attributes:
        graph: Entities, relations and merges; an entity of the entity dictionary has no name here.
        aliases: Ids of all aliases, including those without a merge that an interrupted run left.
        apart: Forbidden merges: the id that the name would have as an entity, and the id of the other entity.
    """

    graph: BipartiteGraph
    aliases: frozenset[str]
    apart: frozenset[tuple[str, str]]


def read(stores: CorpusStores) -> StoredGraph:
    """Read the graph in Neo4j, which may be incomplete after an interrupted run."""
    found = stores.graph.pages("bipartite_graph/find_participants", corpus=stores.name, limit=_PAGE)
    entities = {row["id"]: Entity(row["name"] or "", row["type"], row["confidence"]) for row in found}
    merges: dict[AliasOf, Audit] = {}
    aliases: set[str] = set()
    apart: set[tuple[str, str]] = set()
    for row in stores.graph.pages("bipartite_graph/find_aliases", corpus=stores.name, limit=_PAGE):
        for entity, document, reason, score in row["merges"]:
            merges[AliasOf(row["id"], entity, document)] = Audit(row["name"], row["type"], reason, score)
        if not row["apart"]:
            aliases.add(row["id"])
        apart.update((content_id(normalise_name(row["name"])), entity) for entity in row["apart"])
    graph = BipartiteGraph(entities, dict(find_relations(stores)), merges)
    return StoredGraph(graph, frozenset(aliases), frozenset(apart))


def find_relations(stores: CorpusStores) -> Iterator[tuple[str, Relation]]:
    """Yield every relation in Neo4j with its id, in order of id."""
    for row in stores.graph.pages("bipartite_graph/find_relations", corpus=stores.name, limit=_PAGE):
        yield (
            row["id"],
            Relation(
                row["description"],
                row["type"],
                row["confidence"],
                row["weight"],
                tuple(Participation(*part) for part in row["participants"]),
                tuple(Statement(*statement) for statement in row["statements"]),
            ),
        )


def mark_unfinished(stores: CorpusStores, settings: Mapping[str, str]) -> None:
    """Mark the graph as unfinished on its root.

    Args:
        stores: Stores of the corpus.
        settings: Properties of the root that a run after an interruption needs.
    """
    properties = {**settings, "unfinished": True}
    stores.graph.write("bipartite_graph/upsert_graph", corpus=stores.name, properties=properties)


def is_unfinished(stores: CorpusStores) -> bool:
    """Whether the last build was interrupted after its first write."""
    root = stores.graph.get("bipartite_graph/get_graph", corpus=stores.name)
    return root is not None and bool(root["unfinished"])


def write_root(stores: CorpusStores, graph: BipartiteGraph, settings: Mapping[str, str]) -> None:
    """Write the root of a complete graph."""
    counts = {"relations": len(graph.relations), "entities": len(graph.entities), "merges": len(graph.merges)}
    properties = {**settings, **counts, "unfinished": None}
    stores.graph.write("bipartite_graph/upsert_graph", corpus=stores.name, properties=properties)


def write_difference(stores: CorpusStores, now: StoredGraph, wanted: BipartiteGraph, progress: Progress) -> int:
    """Change the graph from ``now`` to ``wanted``: first additions and changes, then deletions.

    Returns:
        Number of rows written.
    """
    steps = list(_steps(now, wanted))
    count = sum(len(rows) for _, rows in steps)
    progress.start(STAGE, count, "changes")
    for query, rows in steps:
        extra = {"generation": stores.record.generation} if query == "bipartite_graph/link_aliases" else {}
        for done in stores.graph.write_rows(query, rows, batch=_BATCH, corpus=stores.name, **extra):
            progress.advance(STAGE, done)
    progress.finish(STAGE)
    return count


def _steps(now: StoredGraph, wanted: BipartiteGraph) -> Iterator[Step]:
    """Steps that change the graph, in a fixed order."""
    old = now.graph
    yield "bipartite_graph/upsert_participants", list(_changed_entities(old, wanted))
    yield from _relation_steps(old.relations, wanted.relations)
    merged = [
        {**merge._asdict(), **asdict(audit)} for merge, audit in wanted.merges.items() if old.merges.get(merge) != audit
    ]
    yield "bipartite_graph/link_aliases", merged
    undone = [merge._asdict() for merge in sorted(old.merges.keys() - wanted.merges.keys())]
    yield "bipartite_graph/delete_merges", undone
    yield "bipartite_graph/delete_aliases", _ids(now.aliases - {merge.alias for merge in wanted.merges})
    yield "bipartite_graph/delete_participants", _ids(old.entities.keys() - wanted.entities.keys())


def _changed_entities(old: BipartiteGraph, wanted: BipartiteGraph) -> Iterator[dict[str, Any]]:
    for entity, new in wanted.entities.items():
        known = old.entities.get(entity)
        if known is None or known != replace(new, name=new.name if known.name else ""):
            yield {"id": entity, **asdict(new)}


def _relation_steps(old: Mapping[str, Relation], wanted: Mapping[str, Relation]) -> Iterator[Step]:
    nodes: Rows = []
    participants: Rows = []
    statements: Rows = []
    unstated: Rows = []
    for relation, new in wanted.items():
        known = old.get(relation)
        if known == new:
            continue
        nodes.append({"id": relation, "description": new.description, "type": new.type})
        nodes[-1] |= {"confidence": new.confidence, "weight": new.weight}
        if known is None or known.participants != new.participants:
            participants.append({"id": relation, "participants": [list(part) for part in new.participants]})
        stated = set(known.statements) if known else set()
        statements.extend({"id": relation, **one._asdict()} for one in new.statements if one not in stated)
        chunks = {one.chunk for one in new.statements}
        unstated.extend({"id": relation, "chunk": one.chunk} for one in sorted(stated) if one.chunk not in chunks)
    yield "bipartite_graph/upsert_relations", nodes
    yield "bipartite_graph/link_participants", participants
    yield "bipartite_graph/link_statements", statements
    yield "bipartite_graph/delete_statements", unstated
    yield "bipartite_graph/delete_relations", _ids(old.keys() - wanted.keys())


def _ids(nodes: set[str] | frozenset[str]) -> Rows:
    return [{"id": node} for node in sorted(nodes)]
