"""Explains hits: reads the graph once, without another search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.model import Evidence, Hit
from tetragraph.model.answers import Answer
from tetragraph.model.explanations import Explanation
from tetragraph.model.path_links import path_graph, paths_of
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph
from tetragraph.retrieval import explanation_text

_CALLED = {"Chunk": "title", "Community": "name", "Entity": "name", "Relation": "description"}
"""Property that contains the name of a node, by label."""


def evidence_of(result: object) -> Evidence:
    """The evidence of a result: of a search itself, or that of an answer.

    Raises:
        InvalidInput: it is neither.
    """
    evidence = result.evidence if isinstance(result, Answer) else result
    if not isinstance(evidence, Evidence):
        raise InvalidInput(
            f"a result must be that of search or ask, an Evidence or an Answer, got {type(result).__name__}"
        )
    return evidence


def explain(connection: Connection, corpus: str, result: Evidence | Answer, hit: Hit | int) -> Explanation:
    """Explain the rank of a chunk; see ``Corpus.explain``."""
    evidence = evidence_of(result)
    explained = find_hit(evidence, hit)
    subgraph, notes = _read(connection, corpus, evidence, [explained])
    names = {key.id: str(carried.get(_CALLED[key.label]) or key.id) for key, carried in subgraph.nodes.items()}
    parts, paths = explanation_text.parts_of(evidence.method, explained), paths_of(explained)
    return Explanation(
        evidence.question,
        evidence.method,
        explained.rank,
        explained.score,
        explained.chunk,
        parts,
        paths,
        subgraph,
        tuple(explanation_text.explanation_lines(explained, parts, lambda node: names.get(node, node))),
        notes,
    )


def read_subgraph(
    connection: Connection, corpus: str, result: Evidence | Answer, hits: Sequence[Hit | int]
) -> Subgraph:
    """Return the subgraph of the paths to hits; see ``Corpus.subgraph``."""
    evidence = evidence_of(result)
    chosen = [find_hit(evidence, hit) for hit in hits] if hits else list(evidence)
    return _read(connection, corpus, evidence, chosen)[0]


def find_hit(evidence: Evidence, hit: Hit | int) -> Hit:
    """The hit of a result that a caller names by itself or by its rank.

    Raises:
        InvalidInput: it is another hit, or the rank is no integer from 1 to the number of hits.
    """
    if isinstance(hit, Hit):
        if hit not in evidence.hits:
            raise InvalidInput(f"the hit must be one of the result, got {hit.chunk.title!r} at rank {hit.rank}")
        return hit
    if isinstance(hit, bool) or not isinstance(hit, int) or not 1 <= hit <= len(evidence):
        raise InvalidInput(f"a hit is named by its rank, 1 to {len(evidence)}, got {hit!r}")
    return evidence[hit - 1]


def _read(
    connection: Connection, corpus: str, evidence: Evidence, hits: Sequence[Hit]
) -> tuple[Subgraph, tuple[str, ...]]:
    """The current subgraph, and a note if parts of it were deleted since the search.

    Raises:
        InvalidInput: the result is from another corpus.
        UnknownCorpus: the corpus was dropped.
    """
    if (of := evidence.manifest.get("corpus")) != corpus:
        raise InvalidInput(f"the result must be of corpus {corpus!r}, got one of {of!r}: ask that corpus to explain it")
    stores = connection.stores(corpus)
    wanted, links = path_graph(hits)
    asked = [[link.type, link.start.id, link.end.id] for link in sorted(links)]
    rows = stores.graph.read("explain/find_links", corpus=corpus, links=asked) if asked else []
    by_ids = {(link.type, link.start.id, link.end.id): link for link in links}
    found: dict[LinkKey, Mapping[str, Any]] = {}
    nodes: dict[NodeKey, Mapping[str, Any]] = {}
    for row in rows:
        link = by_ids[row["type"], row["start"]["id"], row["end"]["id"]]
        found[link] = row["properties"]
        nodes[link.start], nodes[link.end] = _select_properties(row["start"]), _select_properties(row["end"])
    if alone := sorted(node.id for node in wanted - nodes.keys()):
        for row in stores.graph.read("explain/find_chunks", corpus=corpus, ids=alone):
            nodes[NodeKey("Chunk", row["id"])] = _select_properties(row["properties"])
    missing = len(links) - len(found) + len(wanted - nodes.keys())
    note = f"{missing} of what led here is no longer in the graph: the corpus has changed since the search"
    subgraph = Subgraph(corpus, dict(sorted(nodes.items())), dict(sorted(found.items())))
    return subgraph, (note,) if missing else ()


def _select_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in sorted(properties.items()) if name not in {"corpus", "id"}}
