"""Pictures of graphs: what the script draws, what the table beside it lists, and paths as rows of boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tetragraph.export import subgraph_page
from tetragraph.export.contents import Contents
from tetragraph.model import Evidence, PathStep
from tetragraph.model.explanations import Explanation
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport
from tetragraph.systems.bipartite_graph.entity_queries import KnownFact
from tetragraph.systems.encoding_tree.overview import ThemeChunk
from tetragraph.systems.encoding_tree.themes import CentralChunk, ThemeReport

MOST_NODES: Final = 2_000
"""Largest number of nodes of a picture."""
_CALLED: Final = {"Chunk": "title", "Community": "name", "Entity": "name", "Relation": "description"}
_WORDS: Final = {
    "AFFINITY": "has affinity to",
    "CONTAINS": "contains",
    "DESCRIBES": "describes",
    "INFO_GAIN": "adds",
    "MENTIONS": "mentions",
    "PARTICIPATES_IN": "takes part in",
    "STATED_IN": "is stated in",
}


@dataclass(frozen=True, slots=True)
class Box:
    """A node of a path.

    Attributes:
        link: Words of the relationship that leads to it; empty for the first.
        kind: Label of the node; ``Question`` for the question.
        name: Its name.
        id: Its id.
    """

    link: str
    kind: str
    name: str
    id: str


def picture_of(subgraph: Subgraph, ranks: Mapping[NodeKey, int] | None = None) -> dict[str, Any]:
    """Everything that the templates need for a drawing and its table.

    Args:
        subgraph: Nodes and relationships; at most ``MOST_NODES`` nodes are drawn, hits first, and a note tells.
        ranks: Rank by node for the nodes that are hits.
    """
    shown, left_out = _limit(subgraph, ranks or {})
    contents = Contents.of(shown)
    nodes, links = list(contents.each_node()), list(contents.each_link())
    graph = subgraph_page.drawn(nodes, links, ranks or {})
    return {
        "graph": graph,
        "labels": subgraph_page.legend(nodes),
        "titles": {node["id"]: node["title"] for node in graph["nodes"]},
        "left_out": left_out,
    }


def ranks_of(found: Evidence) -> dict[NodeKey, int]:
    """Rank of each hit by its node."""
    return {NodeKey("Chunk", hit.chunk.id): hit.rank for hit in found}


def paths_of(told: Explanation) -> list[list[Box]]:
    """The paths of an explanation as rows of boxes, from the question to the passage."""
    names = {
        key.id: str(carried.get(_CALLED.get(key.label, "")) or key.id) for key, carried in told.subgraph.nodes.items()
    }
    kinds = {key.id: key.label for key in told.subgraph.nodes}
    return [list(_boxes(path, told.question, names, kinds)) for path in told.paths]


def _boxes(
    path: Sequence[PathStep], question: str, names: Mapping[str, str], kinds: Mapping[str, str]
) -> Iterable[Box]:
    first = path[0]
    if first.via == "SEED":
        yield Box("", "Question", question, "")
    else:
        yield Box("", kinds.get(first.source, ""), names.get(first.source, first.source), first.source)
    for step in path:
        words = step.label if step.via == "SEED" else _WORDS.get(step.via, step.via.lower().replace("_", " "))
        if step.via == "INFO_GAIN":
            words = f"{words} {step.label}"
        yield Box(words, kinds.get(step.target, ""), names.get(step.target, step.target), step.target)


def entity_graph(corpus: str, entity: EntityReport, facts: Sequence[KnownFact]) -> Subgraph:
    """An entity with its facts and their other participants."""
    nodes: dict[NodeKey, Mapping[str, Any]] = {NodeKey("Entity", entity.id): {"name": entity.name, "type": entity.type}}
    links: dict[LinkKey, Mapping[str, Any]] = {}
    for fact in facts:
        relation = NodeKey("Relation", fact.relation)
        nodes[relation] = {"description": fact.description, "type": fact.type, "confidence": fact.confidence}
        for other in fact.participants:
            key = NodeKey("Entity", other.entity)
            nodes.setdefault(key, {"name": other.name, "type": other.type})
            links[LinkKey("PARTICIPATES_IN", key, relation)] = {"role": other.role}
    return Subgraph(corpus, dict(sorted(nodes.items())), dict(sorted(links.items())))


def theme_graph(corpus: str, report: ThemeReport) -> Subgraph:
    """A theme with the themes inside it.

    One of the lowest level has its central chunks instead, and the chunks of its neighbours that have the highest
    affinity to its own.
    """
    theme = NodeKey("Community", report.theme.id)
    nodes: dict[NodeKey, Mapping[str, Any]] = {theme: {"name": report.theme.name, "size": report.theme.size}}
    links: dict[LinkKey, Mapping[str, Any]] = {}

    def add_chunk(parent: NodeKey, chunk: CentralChunk | ThemeChunk) -> NodeKey:
        key = NodeKey("Chunk", chunk.id)
        nodes.setdefault(key, {"title": chunk.title})
        links[LinkKey("CONTAINS", parent, key)] = {}
        return key

    for child in report.theme.children:
        key = NodeKey("Community", child.id)
        nodes[key] = {"name": child.name, "size": child.size}
        links[LinkKey("CONTAINS", theme, key)] = {}
    if not report.theme.children:
        for chunk in report.chunks:
            add_chunk(theme, chunk)
        for neighbour in report.neighbours:
            other = NodeKey("Community", neighbour.id)
            nodes[other] = {"name": neighbour.name, "size": neighbour.size}
            for bridge in neighbour.bridges:
                ends = sorted((add_chunk(theme, bridge.here), add_chunk(other, bridge.there)))
                links[LinkKey("AFFINITY", *ends)] = {"weight": bridge.weight}
    return Subgraph(corpus, dict(sorted(nodes.items())), dict(sorted(links.items())))


def _limit(subgraph: Subgraph, ranks: Mapping[NodeKey, int]) -> tuple[Subgraph, int]:
    """A subgraph of at most ``MOST_NODES`` nodes: hits first, then by key; and the number of those left out."""
    left_out = len(subgraph.nodes) - MOST_NODES
    if left_out <= 0:
        return subgraph, 0
    order = sorted(subgraph.nodes, key=lambda key: (ranks.get(key, len(subgraph.nodes)), key))
    kept = set(order[:MOST_NODES])
    nodes = {key: carried for key, carried in subgraph.nodes.items() if key in kept}
    links = {key: carried for key, carried in subgraph.links.items() if {key.start, key.end} <= kept}
    return Subgraph(subgraph.corpus, nodes, links), left_out
