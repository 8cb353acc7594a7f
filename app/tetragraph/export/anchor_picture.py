"""A drawing of an anchor graph for notebooks: SVG without scripts, styles or anything from elsewhere."""

from __future__ import annotations

from html import escape

from tetragraph.drawing.layout import place_nodes
from tetragraph.model.anchors import AnchorGraph
from tetragraph.model.display import shorten

WIDTH, HEIGHT = 720, 420
"""Size in pixels."""
MARGIN = 60
SHOWN = 30
"""Characters of a name."""


def draw(graph: AnchorGraph) -> str:
    """The anchors and their relations; the tooltip of a line is its phrase. Empty for a graph without anchors."""
    if not graph.anchors:
        return ""
    points = _scaled(place_nodes(graph.by_key, [(one.source, one.target) for one in graph.relations]))
    lines = [_line(points[one.source], points[one.target], one.phrase) for one in graph.relations]
    nodes = [_node(points[one.key], one.name) for one in graph.anchors]
    drawn = "".join([*lines, *nodes])
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">{drawn}</svg>'


def _scaled(where: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """The places in pixels, within the margins; points on one line lie in the middle."""

    def scale(axis: int, size: int) -> dict[str, float]:
        values = [place[axis] for place in where.values()]
        low, span = min(values), max(values) - min(values)
        inner = size - 2 * MARGIN
        return {key: MARGIN + inner * ((at[axis] - low) / span if span else 0.5) for key, at in where.items()}

    x, y = scale(0, WIDTH), scale(1, HEIGHT)
    return {key: (x[key], y[key]) for key in where}


def _line(start: tuple[float, float], end: tuple[float, float], phrase: str) -> str:
    ends = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    return f'<line {ends} stroke="#8a94a6"><title>{escape(phrase)}</title></line>'


def _node(place: tuple[float, float], name: str) -> str:
    at = f'x="{place[0]:.1f}" y="{place[1] - 10:.1f}"'
    centre = f'cx="{place[0]:.1f}" cy="{place[1]:.1f}"'
    circle = f'<circle {centre} r="6" fill="#2a6fdb"><title>{escape(name)}</title></circle>'
    label = escape(shorten(name, SHOWN))
    return f'{circle}<text {at} text-anchor="middle" font-size="12" fill="currentColor">{label}</text>'
