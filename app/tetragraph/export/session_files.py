"""Files of a session: all of it as JSON, its graph as GraphML.

The JSON document of :func:`to_json`, whose keys are sorted::

    schema      1; a new number when a field changes its meaning or is removed
    session     the fields of SessionRecord
    graph       the graph after the last step: anchors and relations with the fields of Anchor and Anchored, in order
    steps       the fields of AnchorStep, except for two:
      hits      rank, score and the id of the chunk
      graph     instead of it, anchors: those that are new or extended, as they are after the step; relations: the new
                ones. Accumulated from the first step on, they are the graph after any step.
    passages    each chunk that a step found, once, with the fields of Chunk, in the order in which they were found
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from io import BytesIO
from typing import TYPE_CHECKING, Any

from tetragraph.model import Chunk
from tetragraph.model.anchors import (
    Anchor,
    Anchored,
    AnchorGraph,
    AnchorStep,
    SessionRecord,
)

if TYPE_CHECKING:
    from networkx import MultiDiGraph

SCHEMA = 1
"""Version of the documented format."""
Tree = dict[str, Any]
NO_XML = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold (section 2.2); a parser would read a carriage return as a line feed."""


def to_json(record: SessionRecord, steps: Sequence[AnchorStep]) -> str:
    """Format a session with all its steps as described above; the same session gives the same bytes.

    Parts, path and facts of a hit are left out: a session does not store them.
    """
    passages: dict[str, Chunk] = {}
    for step in steps:
        for hit in step.hits:
            passages.setdefault(hit.chunk.id, hit.chunk)
    before = [AnchorGraph(), *(step.graph for step in steps)]
    tree = {
        "schema": SCHEMA,
        "session": _fields(record),
        "graph": {"anchors": before[-1].anchors, "relations": before[-1].relations},
        "steps": [_step(step, earlier) for step, earlier in zip(steps, before, strict=False)],
        "passages": list(passages.values()),
    }
    return json.dumps(tree, default=_fields, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _fields(value: Any) -> Tree:
    """Convert a dataclass or a mapping to a dictionary for JSON."""
    if isinstance(value, Mapping):
        return dict(value)
    return {name: getattr(value, name) for name in value.__dataclass_fields__}


def _step(step: AnchorStep, before: AnchorGraph) -> Tree:
    tree = _fields(step)
    del tree["graph"]
    known = set(before.relations)
    return {
        **tree,
        "hits": [{"rank": hit.rank, "score": hit.score, "chunk": hit.chunk.id} for hit in step.hits],
        "anchors": [anchor for anchor in step.graph.anchors if before.by_key.get(anchor.key) != anchor],
        "relations": [relation for relation in step.graph.relations if relation not in known],
    }


def to_graphml(record: SessionRecord, steps: Sequence[AnchorStep]) -> str:
    """Format the graph after the last step, for programs that draw and analyse graphs, such as Gephi and yEd.

    A node is an anchor: its name is the ``label``; further data are ``key``, ``step`` and, if any, ``entity``,
    ``attributes`` with one in each line, and ``chunks`` with a blank between their ids. An edge is a relation: its
    phrase is the ``label``, with its ``step``. The graph has the session's question, answer and settings. Characters
    that XML cannot hold are written as U+FFFD; a carriage return as a line feed.
    """
    from networkx import write_graphml_xml

    written = BytesIO()
    write_graphml_xml(network(record, steps[-1].graph if steps else AnchorGraph()), written)
    return written.getvalue().decode() + "\n"


def network(record: SessionRecord, graph: AnchorGraph) -> MultiDiGraph[str]:
    """Convert an anchor graph for networkx, with the names listed in :func:`to_graphml`."""
    from networkx import MultiDiGraph

    names = ("question", "answer", "status", "stopped", "retriever", "reasoner", "started", "forked_from")
    about = {"session": record.id, **{name: getattr(record, name) for name in names}, "steps": record.steps}
    found: MultiDiGraph[str] = MultiDiGraph(**_clean_text(about))
    nodes = {anchor.key: f"a{number}" for number, anchor in enumerate(graph.anchors, 1)}
    for anchor in graph.anchors:
        found.add_node(nodes[anchor.key], **_clean_text(_node(anchor)))
    for number, relation in enumerate(graph.relations, 1):
        found.add_edge(nodes[relation.source], nodes[relation.target], f"r{number}", **_clean_text(_edge(relation)))
    return found


def _node(anchor: Anchor) -> Tree:
    fields = asdict(anchor)
    name, attributes, chunks = fields.pop("name"), fields.pop("attributes"), fields.pop("chunks")
    return {"label": name, **fields, "attributes": "\n".join(attributes), "chunks": " ".join(chunks)}


def _edge(relation: Anchored) -> Tree:
    return {"label": relation.phrase, "step": relation.step}


def _clean_text(values: Tree) -> Tree:
    """The nonempty values, in the form of :func:`xml_text`."""
    return {
        name: xml_text(value) if isinstance(value, str) else value
        for name, value in values.items()
        if value not in ("", None)
    }


def xml_text(text: str) -> str:
    """Replace characters that XML cannot represent by U+FFFD, and a carriage return by a line feed."""
    return NO_XML.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
