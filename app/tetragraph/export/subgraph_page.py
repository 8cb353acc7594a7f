"""Renders a subgraph as a page with an embedded copy of cytoscape.js; it needs no network."""

from __future__ import annotations

import textwrap
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from tetragraph.drawing.looks import LOOKS, OTHERWISE
from tetragraph.errors import InvalidInput
from tetragraph.export import page
from tetragraph.export.contents import Contents
from tetragraph.model.captions import (
    NAMES,
    Properties,
    as_text,
    caption,
    phrase,
)
from tetragraph.model.subgraphs import LinkKey, NodeKey

MOST_NODES = 1_000
"""Largest number of nodes; more take long to lay out and draw, and cannot be distinguished."""
MOST_LABELLED = 30
"""Largest number of relationships whose labels are always shown; with more, they are shown on hover."""
UNIT_PX = 105
"""Length of a relationship in pixels."""
_CAPTION = 42
"""Largest number of characters of a caption."""
_BEGINNING = 90
"""Largest number of characters of the text of a result in the list of results."""
_SCRIPTS = ("cytoscape.min.js", "picture.js")


def write(
    contents: Contents, file: Path, *, title: str, ranks: Mapping[NodeKey, int], places: Mapping[NodeKey, str]
) -> None:
    """Write the page; see :func:`render`."""
    nodes, links = list(contents.each_node()), list(contents.each_link())
    text = render(contents.corpus, nodes, links, title=title, ranks=ranks, places=places)
    file.write_text(text, encoding="utf-8", newline="\n")


def render(
    corpus: str,
    nodes: Sequence[tuple[NodeKey, Properties]],
    links: Sequence[tuple[LinkKey, Properties]],
    *,
    title: str,
    ranks: Mapping[NodeKey, int],
    places: Mapping[NodeKey, str] | None = None,
) -> str:
    """Render the page; the same graph gives the same bytes. A result is listed with its place and its first words.

    Texts are escaped, and the script creates no markup from them. The content security policy of the page allows its
    two scripts by their hashes and nothing else: no other script, and no network.

    Raises:
        InvalidInput: there are more nodes than :data:`MOST_NODES`.
        MissingDependency: jinja2 is not installed.
    """
    if len(nodes) > MOST_NODES:
        raise InvalidInput(
            f"a page draws at most {MOST_NODES:,} nodes, got {len(nodes):,}: draw a smaller part, or take graphml"
        )
    template = page.open_bare_template("tetragraph.export", "subgraph_page.html.jinja", of="a picture of a graph")
    scripts = [resources.files("tetragraph.export").joinpath(name).read_text("utf-8") for name in _SCRIPTS]
    graph = drawn(nodes, links, ranks)
    return template.render(
        title=title or f"A part of {corpus}",
        corpus=corpus,
        graph=graph,
        titles={node["id"]: node["title"] for node in graph["nodes"]},
        hits=_results(nodes, graph, places or {}),
        labels=legend(nodes),
        types=_count_by_kind(links),
        scripts=scripts,
        hashes=[b64encode(sha256(script.encode()).digest()).decode() for script in scripts],
    )


def _results(
    nodes: Sequence[tuple[NodeKey, Properties]], graph: Mapping[str, Any], places: Mapping[NodeKey, str]
) -> list[dict[str, Any]]:
    """The drawn nodes that are hits, by rank, with where each stands and how it begins."""
    found = [
        {**node, "place": places.get(key, ""), "begins": _beginning(properties)}
        for (key, properties), node in zip(nodes, graph["nodes"], strict=True)
        if node["rank"]
    ]
    return sorted(found, key=lambda node: (node["rank"], node["id"]))


def _beginning(properties: Properties) -> str:
    return textwrap.shorten(as_text(properties.get("text", "")), _BEGINNING, placeholder=" …")


def _count_by_kind(things: Sequence[tuple[NodeKey | LinkKey, Properties]]) -> list[tuple[str, int]]:
    return sorted(Counter(key[0] for key, _ in things).items())


def legend(nodes: Sequence[tuple[NodeKey, Properties]]) -> list[tuple[str, int, str, str]]:
    """Label, number of nodes, colour and shape of each kind of node."""
    return [(label, count, *LOOKS.get(label, OTHERWISE)) for label, count in _count_by_kind(nodes)]


def drawn(
    nodes: Sequence[tuple[NodeKey, Properties]],
    links: Sequence[tuple[LinkKey, Properties]],
    ranks: Mapping[NodeKey, int],
) -> dict[str, Any]:
    """Input of the script of the page: nodes, relationships and their texts."""
    from tetragraph.drawing.layout import place_nodes

    numbers = {key: f"n{number}" for number, (key, _) in enumerate(nodes)}
    places = place_nodes(numbers.values(), ((numbers[link.start], numbers[link.end]) for link, _ in links))
    return {
        "nodes": [
            {
                "id": numbers[key],
                "key": key.id,
                "label": key.label,
                "caption": _caption(properties, key, ranks.get(key, 0)),
                "title": caption(properties, key.id),
                "rank": ranks.get(key, 0),
                "colour": LOOKS.get(key.label, OTHERWISE)[0],
                "shape": LOOKS.get(key.label, OTHERWISE)[1],
                "x": round(places[numbers[key]][0] * UNIT_PX),
                "y": round(-places[numbers[key]][1] * UNIT_PX),
                "properties": _shown_properties(properties),
            }
            for key, properties in nodes
        ],
        "links": [
            {
                "id": f"r{number}",
                "type": key.type,
                "source": numbers[key.start],
                "target": numbers[key.end],
                "caption": textwrap.shorten(phrase(properties, key.type), _CAPTION, placeholder=" …"),
                "properties": _shown_properties(properties),
            }
            for number, (key, properties) in enumerate(links)
        ],
        "labelled": len(links) <= MOST_LABELLED,
    }


def _caption(properties: Properties, key: NodeKey, rank: int) -> str:
    short = textwrap.shorten(caption(properties, key.id), _CAPTION, placeholder=" …")
    return f"{rank} · {short}" if rank else short


def _shown_properties(properties: Properties) -> list[tuple[str, str]]:
    """The properties as text, those that name the node first."""
    first = [name for name in NAMES if name in properties]
    return [(name, as_text(properties[name])) for name in dict.fromkeys([*first, *properties])]
