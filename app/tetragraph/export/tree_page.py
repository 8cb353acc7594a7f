"""Renders the themes of a corpus as a page with nested boxes; it needs no network."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from tetragraph.export.page import Tree, figure_to_json, open_template
from tetragraph.systems.encoding_tree.overview import Theme, TreeOverview

MOST_CHUNKS = 5_000
"""Largest number of chunks that have boxes; more are slow to draw and illegible."""
SHADES = ((0.0, "#fff3d1"), (0.5, "#8fb9a8"), (1.0, "#1d4e68"))
"""Colours by share of affinity outside: from isolated themes to incoherent ones."""
LINE = 20
"""Number of characters of a name in one line of its box."""
_HOVER = "<b>%{label}</b><br>%{customdata}<extra></extra>"


@dataclass(frozen=True, slots=True)
class Box:
    """One box of the picture.

    Attributes:
        parent: Id of the box around it; empty for the outermost.
        size: Area of the box, in chunks.
        outside: Share of affinity that leaves the theme; for a chunk, that of its theme.
        hover_text: Text shown on hover, besides the name.
    """

    id: str
    parent: str
    label: str
    size: int
    outside: float
    hover_text: str


def page(tree: TreeOverview, corpus: str) -> str:
    """Render the page.

    Every name is escaped by the template, and for plotly, which interprets names as markup; the content security
    policy of the page forbids loading anything.

    Args:
        tree: The tree, with chunks if they are to have boxes.
        corpus: Name of the corpus.

    Raises:
        MissingDependency: plotly or jinja2 is not installed.
    """
    template = open_template("tetragraph.export", "tree_page.html.jinja", of="a picture of the themes")
    themes = list(tree.walk())
    return template.render(
        corpus=corpus,
        tree=tree,
        themes=len(themes),
        has_chunks=not themes or any(theme.chunks for theme in themes),
        figure=treemap(list(boxes(tree, corpus))),
    )


def boxes(tree: TreeOverview, corpus: str) -> Iterator[Box]:
    """Yield the box of the corpus, and after each box those inside it."""
    yield Box("corpus", "", corpus, tree.chunks, 0.0, f"{tree.chunks:,} chunks")
    for theme in tree.themes:
        yield from _boxes_of(theme, "corpus")


def _boxes_of(theme: Theme, parent: str) -> Iterator[Box]:
    place = f"theme {theme.id}"
    hover_text = (
        f"{theme.size:,} chunks<br>volume {theme.volume:,.1f}, cut {theme.cut:,.1f}: {theme.outside:.0%} of its "
        f"affinity goes to other themes<br>level {theme.level}, {theme.id}"
    )
    yield Box(place, parent, theme.name, theme.size, theme.outside, hover_text)
    for child in theme.children:
        yield from _boxes_of(child, place)
    for chunk in theme.chunks:
        yield Box(f"chunk {chunk.id}", place, chunk.title, 1, theme.outside, f"chunk {chunk.id}")


def treemap(shown: Sequence[Box]) -> Tree:
    """Build the figure, as values for plotly's script."""
    from plotly import graph_objects

    columns = {name: [asdict(box)[name] for box in shown] for name in ("id", "parent", "size", "outside", "hover_text")}
    trace = graph_objects.Treemap(
        ids=columns["id"],
        parents=columns["parent"],
        labels=[html.escape(box.label) or "–" for box in shown],
        values=columns["size"],
        branchvalues="total",
        customdata=columns["hover_text"],
        hovertemplate=_HOVER,
        marker={
            "colors": columns["outside"],
            "colorscale": [list(shade) for shade in SHADES],
            "cmin": 0,
            "cmax": 1,
            "showscale": True,
            "colorbar": {"title": {"text": "affinity<br>to others"}, "tickformat": ".0%", "thickness": 14},
            "line": {"width": 1, "color": "#ffffff"},
        },
        maxdepth=2,
        text=[_wrap(box.label) for box in shown],
        texttemplate="%{text}",
        tiling={"pad": 2},
        pathbar={"thickness": 26},
        root={"color": "#ffffff"},
    )
    layout = {"template": "none", "margin": {"l": 10, "r": 10, "t": 34, "b": 10}, "font": {"family": "system-ui"}}
    return figure_to_json(graph_objects.Figure(data=[trace], layout=layout))


def _wrap(label: str) -> str:
    """Break a name into lines, entities above words, as plotly shrinks long names instead."""
    return "<br>".join(html.escape(line) for part in label.split(" · ") for line in textwrap.wrap(part, LINE))
