"""Pictures of results for notebooks: the paths to hits, facts with their participants, parts of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tetragraph.drawing.columns import place_paths
from tetragraph.drawing.node_links import Link, Node, draw
from tetragraph.model.captions import caption, phrase
from tetragraph.model.path_links import ENDS, SEED
from tetragraph.model.subgraphs import NodeKey

if TYPE_CHECKING:
    from tetragraph.model.anchors import AnchorGraph
    from tetragraph.model.evidence import FoundFact, Hit, PathStep
    from tetragraph.model.subgraphs import Subgraph

SHOWN_HITS, SHOWN_FACTS = 10, 8
"""Largest numbers of hits and of facts in a picture."""
QUESTION, ANSWER = NodeKey("Question", ""), NodeKey("Answer", "")
"""Ends of a picture of paths; they are no nodes of the graph."""
NAMED_BY = {"CONTAINS": "Community", "DESCRIBES": "Entity", "MENTIONS": "Entity", "STATED_IN": "Relation"}
"""Relationship types whose steps have the name of one end as label, and the label of that end."""


def draw_hits(hits: Sequence[Hit], *, answer: str = "", others: Sequence[Hit] = ()) -> str:
    """Draw the strongest path from the question to each hit, from left to right, and to an answer from them.

    A hit of a method without a graph is joined to the question directly. Empty for no hits.

    Args:
        hits: Hits, best first; the first :data:`SHOWN_HITS` are drawn.
        answer: Text of the answer; empty for none.
        others: Hits that name the chunks on the paths.
    """
    shown = hits[:SHOWN_HITS]
    paths = [(QUESTION, *_nodes_of(hit), *((ANSWER,) if answer else ())) for hit in shown]
    names, hovers = {QUESTION: "question", ANSWER: answer}, {}
    links: dict[tuple[str, str], Link] = {}
    for hit, path in zip(shown, paths, strict=True):
        names.update(_names_on(hit.path, path))
        for link in _links_on(hit, path):
            links.setdefault((link.source, link.target), link)
    for hit in (*others, *shown):
        chunk = NodeKey("Chunk", hit.chunk.id)
        names[chunk] = f"{hit.rank} · {hit.chunk.title or hit.chunk.place}"
        hovers[chunk] = f"{hit.places}: score {hit.score:.4f}"
    drawn = dict.fromkeys(key for path in paths for key in path)
    nodes = [Node(_text(key), names.get(key, ""), key.label, hovers.get(key, names.get(key, key.id))) for key in drawn]
    places = place_paths([[_text(key) for key in path] for path in paths])
    return draw(nodes, list(links.values()), title="Paths from the question to the passages found", places=places)


def draw_facts(facts: Sequence[FoundFact]) -> str:
    """Draw facts with the entities that take part in them, in their roles; empty for no facts."""
    nodes: dict[NodeKey, Node] = {}
    links: list[Link] = []
    for fact in facts[:SHOWN_FACTS]:
        relation = NodeKey("Relation", fact.relation)
        nodes[relation] = Node(_text(relation), f"{fact.rank} · {fact.description}", "Relation", fact.description)
        for one in fact.participants:
            entity = NodeKey("Entity", one.entity)
            nodes[entity] = Node(_text(entity), one.name, "Entity")
            links.append(Link(_text(entity), _text(relation), f"{one.name}: {one.role}", one.role))
    return draw(list(nodes.values()), links, title="Facts and the entities that take part in them")


def draw_subgraph(subgraph: Subgraph) -> str:
    """Draw nodes with their names, and relationships with what names them; empty if there are too many."""
    nodes = [Node(_text(key), caption(about, key.id), key.label) for key, about in subgraph.nodes.items()]
    links = [
        Link(_text(key.start), _text(key.end), phrase(about, key.type), phrase(about, ""))
        for key, about in subgraph.links.items()
    ]
    return draw(nodes, links, title=f"A part of the graph of {subgraph.corpus}")


def draw_anchors(graph: AnchorGraph) -> str:
    """Draw anchors and what relates them; empty for a graph without anchors."""
    nodes = [Node(one.key, one.name, "Anchor") for one in graph.anchors]
    links = [Link(one.source, one.target, one.phrase, one.phrase) for one in graph.relations]
    return draw(nodes, links, title="Anchors and what relates them")


def _nodes_of(hit: Hit) -> list[NodeKey]:
    """Nodes of the path to a hit without the question, the hit last; the hit alone without a path."""
    if not hit.path:
        return [NodeKey("Chunk", hit.chunk.id)]
    label, found = "Chunk", []
    for step in reversed(hit.path):
        found.append(NodeKey(label, step.target))
        if step.via != SEED:
            start, end = ENDS[step.via]
            label = start if label == end else end
    return found[::-1]


def _names_on(path: Sequence[PathStep], keys: Sequence[NodeKey]) -> Iterator[tuple[NodeKey, str]]:
    """Names of nodes that the labels of the steps contain."""
    for step, ends in zip(path, pairwise(keys), strict=False):
        if step.via == "PARTICIPATES_IN":
            yield ends[1], step.label
        yield from ((key, step.label) for key in ends if key.label == NAMED_BY.get(step.via))


def _links_on(hit: Hit, keys: Sequence[NodeKey]) -> Iterator[Link]:
    """The steps to a hit as links; the words beside a link are those that name no node."""
    for number, (one, other) in enumerate(pairwise(keys)):
        beside = ""
        if other == ANSWER:
            hover = "cited"
        elif not hit.path:
            hover = f"score {hit.score:.4f}"
        else:
            step = hit.path[number]
            hover = f"{step.via}: {step.label} ({step.weight:.2f})"
            beside = step.label if step.via == "INFO_GAIN" else ""
        yield Link(_text(one), _text(other), hover, beside)


def _text(key: NodeKey) -> str:
    return f"{key.label} {key.id}"
