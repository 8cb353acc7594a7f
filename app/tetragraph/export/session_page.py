"""Renders the growth of a session's graph as a page with a slider over its steps; it needs no network."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tetragraph.drawing.layout import Places, place_nodes
from tetragraph.drawing.looks import COLOURS
from tetragraph.export import page
from tetragraph.export.page import Tree
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model.anchors import (
    Anchor,
    AnchorGraph,
    AnchorStep,
    SessionRecord,
)
from tetragraph.systems.anchor_graph.step_summary import (
    ENDED,
    chunks_read_per_step,
    summarise_step,
    title_of,
)

MOST_LABELLED = 24
"""Largest number of relations whose phrases are written beside them; with more, they are shown on hover."""
LINE, HOVER_LINE = 18, 60
"""Numbers of characters in a line of a name, and of a hover text."""
OF_QUESTION, FOUND, NEW, KNOWN = COLOURS[0], COLOURS[2], COLOURS[1], "#b5b5b5"
ARROW = 0.6
"""Position of an arrow along its line, from 0 to 1, so that arrows of opposite directions do not overlap."""
STEP_MS = 1500
FEW = 20
"""Largest number of anchors of a graph with room for large names."""
HEIGHTS_PX = (340, 1600)
WIDTH_PX = 1240
"""Largest width of the page in pixels."""
CONTROLS_PX = 130
UNIT_PX = 110
"""Length of a relation in pixels, if width and height allow it."""
_LONGEST_NAME = 60
_HOVER = "%{customdata}<extra></extra>"


@dataclass(frozen=True, slots=True)
class Line:
    """All relations from one anchor to another.

    Attributes:
        hover_text: Head, phrases and tail.
        label: The phrases.
        is_new: Whether the step added one of them.
    """

    source: str
    target: str
    hover_text: str
    label: str
    is_new: bool


def render(record: SessionRecord, steps: Sequence[AnchorStep]) -> str:
    """Render the page.

    Every text is escaped by the template, and for plotly, which interprets texts as markup; the content security
    policy of the page forbids loading anything. The same session gives the same bytes.

    Raises:
        MissingDependency: plotly or jinja2 is not installed.
    """
    template = page.open_template("tetragraph.export", "session_page.html.jinja", of="a picture of the anchor graph")
    return template.render(
        record=record,
        ended=ENDED[record.stopped],
        is_sufficient=bool(steps) and steps[-1].judgement == "sufficient",
        started=datetime.fromisoformat(record.started).strftime("%Y-%m-%d %H:%M UTC"),
        graph=steps[-1].graph if steps else AnchorGraph(),
        steps=[summarise_step(step, steps, chunks_read_per_step(record)) for step in steps],
        title_of=title_of,
        figure=evolution(steps),
        height=height_px(steps),
    )


def height_px(steps: Sequence[AnchorStep]) -> int:
    """Return the height of the figure in pixels: a large graph needs room for its names."""
    where = _places(steps[-1].graph if steps else AnchorGraph()).values()
    width, height = (high - low for low, high in (_range([place[axis] for place in where]) for axis in (0, 1)))
    unit = min(UNIT_PX, WIDTH_PX / width)
    return round(min(max(HEIGHTS_PX[0], CONTROLS_PX + unit * height), HEIGHTS_PX[1]))


def _places(graph: AnchorGraph) -> Places:
    """Positions of the anchors of a session's last graph, which they keep from step to step."""
    return place_nodes(graph.by_key, ((relation.source, relation.target) for relation in graph.relations))


def evolution(steps: Sequence[AnchorStep]) -> Tree:
    """Build the figure with a frame per step, as values for plotly's script; it shows the last step first."""
    from plotly import graph_objects

    graph = steps[-1].graph if steps else AnchorGraph()
    where = _places(graph)
    frames = [
        graph_objects.Frame(name=str(place), data=_traces(step, where), layout={"annotations": _emptiness(step.graph)})
        for place, step in enumerate(steps, 1)
    ]
    figure = graph_objects.Figure(data=frames[-1].data if frames else [], layout=_layout(steps, where), frames=frames)
    return page.figure_to_json(figure)


def _traces(step: AnchorStep, where: Places) -> list[Any]:
    """Traces of a step, from back to front; each step has the same traces in the same order."""
    from plotly import graph_objects

    lines = list(lines_of(step))
    labelled = len(step.graph.relations) <= MOST_LABELLED
    asked = f" {normalise_name(step.question)} "
    of_question = [anchor for anchor in step.graph.anchors if f" {anchor.key} " in asked]
    found = [anchor for anchor in step.graph.anchors if f" {anchor.key} " not in asked]
    return [
        graph_objects.Scatter(_strokes([line for line in lines if not line.is_new], where, KNOWN)),
        graph_objects.Scatter(_strokes([line for line in lines if line.is_new], where, NEW)),
        graph_objects.Scatter(_rings(step.added, where)),
        graph_objects.Scatter(_arrows(lines, where, labelled=labelled)),
        graph_objects.Scatter(_points(of_question, where, OF_QUESTION, "named in the question")),
        graph_objects.Scatter(_points(found, where, FOUND, "found on the way")),
    ]


def lines_of(step: AnchorStep) -> Iterator[Line]:
    """Yield the relations of a step's graph as lines, one per direction between two anchors."""
    between: dict[tuple[str, str], list[tuple[str, bool]]] = {}
    for relation in step.graph.relations:
        pair = between.setdefault((relation.source, relation.target), [])
        pair.append((relation.phrase, relation.step == step.number))
    for (source, target), phrases in between.items():
        head, tail = (step.graph.by_key[key].name for key in (source, target))
        lines = [f"{head} — {phrase} → {tail}" for phrase, _ in phrases]
        label = "<br>".join(_wrap(phrase, LINE) for phrase, _ in phrases)
        hover_text = "<br>".join(_wrap(one, HOVER_LINE) for one in lines)
        yield Line(source, target, hover_text, label, any(is_new for _, is_new in phrases))


def _strokes(lines: Sequence[Line], where: Places, colour: str) -> Tree:
    ends = [place for line in lines for place in (where[line.source], where[line.target], (None, None))]
    line = {"color": colour, "width": 2}
    return {**_columns(ends), "mode": "lines", "line": line, "hoverinfo": "skip", "showlegend": False}


def _arrows(lines: Sequence[Line], where: Places, *, labelled: bool) -> Tree:
    """Arrows from head to tail, whose hover texts name the relations."""
    ends = [(where[line.source], where[line.target]) for line in lines]
    places_of = [tuple(a + ARROW * (b - a) for a, b in zip(source, target, strict=True)) for source, target in ends]
    angles = [math.degrees(math.atan2(there[0] - here[0], there[1] - here[1])) for here, there in ends]
    return {
        **_columns(places_of),
        "mode": "markers+text" if labelled else "markers",
        "text": [line.label if labelled else "" for line in lines],
        "textposition": ["middle right" if _is_steep(angle) else "bottom center" for angle in angles],
        "textfont": {"size": 11, "color": "#666666"},
        "customdata": [line.hover_text for line in lines],
        "hovertemplate": _HOVER,
        "marker": {
            "symbol": "triangle-up",
            "size": 11,
            "angle": [round(angle, 1) for angle in angles],
            "color": [NEW if line.is_new else KNOWN for line in lines],
        },
        "showlegend": False,
    }


def _is_steep(angle: float) -> bool:
    """Whether a line, by its angle from the vertical in degrees, has no room for text above or below it."""
    return abs(math.sin(math.radians(angle))) < math.sqrt(0.5)


def _rings(anchors: Sequence[Anchor], where: Places) -> Tree:
    marker = {"symbol": "circle", "size": 21, "color": "#ffffff", "line": {"width": 2, "color": NEW}}
    columns = _columns([where[anchor.key] for anchor in anchors])
    return {**columns, "mode": "markers", "name": "new in this step", "marker": marker, "hoverinfo": "skip"}


def _points(anchors: Sequence[Anchor], where: Places, colour: str, name: str) -> Tree:
    return {
        **_columns([where[anchor.key] for anchor in anchors]),
        "mode": "markers+text",
        "name": name,
        "text": [_wrap(textwrap.shorten(anchor.name, _LONGEST_NAME, placeholder=" …"), LINE) for anchor in anchors],
        "textposition": "top center",
        "textfont": {"size": 13 if len(where) <= FEW else 10},
        "customdata": [_anchor_hover_text(anchor) for anchor in anchors],
        "hovertemplate": _HOVER,
        "marker": {"size": 16, "color": colour},
    }


def _columns(found: Sequence[tuple[float | None, ...]]) -> Tree:
    """Convert positions for plotly; a trace without any would vanish from the legend."""
    if not found:
        return {"x": [None], "y": [None]}
    return {
        axis: [None if one[index] is None else round(float(one[index] or 0), 3) for one in found]
        for index, axis in enumerate(("x", "y"))
    }


def _anchor_hover_text(anchor: Anchor) -> str:
    facts = [f"<b>{_wrap(anchor.name, HOVER_LINE)}</b>"]
    facts += [_wrap(attribute, HOVER_LINE) for attribute in anchor.attributes]
    facts.append(f"since step {anchor.step}, seen in {len(anchor.chunks)} passage{'s' * (len(anchor.chunks) != 1)}")
    if anchor.entity:
        facts.append(f"entity {page.escape(anchor.entity)}")
    return "<br>".join(facts)


def _wrap(text: str, width: int) -> str:
    return "<br>".join(page.escape(line) for line in textwrap.wrap(text, width))


def _emptiness(graph: AnchorGraph) -> list[Tree]:
    """The annotation of an empty graph; plotly can change an annotation, not remove one."""
    words = "" if len(graph) else "the graph has no anchor"
    place = {"xref": "paper", "yref": "paper", "x": 0.5, "y": 0.5}
    return [{**place, "text": words, "showarrow": False, "font": {"size": 15, "color": "#777777"}}]


def _layout(steps: Sequence[AnchorStep], where: Places) -> Tree:
    axis = {"visible": False, "fixedrange": False}
    ranges = [_range([place[index] for place in where.values()]) for index in (0, 1)]
    layout: Tree = {
        "template": "none",
        "paper_bgcolor": page.CLEAR,
        "plot_bgcolor": page.CLEAR,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "font": page.FONT,
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "bgcolor": "#ffffff", "font": {"color": "#222222"}},
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False},
        "xaxis": {**axis, "range": ranges[0]},
        "yaxis": {**axis, "range": ranges[1], "scaleanchor": "x"},
        "annotations": _emptiness(steps[-1].graph if steps else AnchorGraph()),
    }
    if len(steps) > 1:
        layout["sliders"], layout["updatemenus"] = [_slider(steps)], [_buttons()]
    return layout


def _range(values: Sequence[float]) -> list[float]:
    return [round(min(values, default=0.0) - 1, 3), round(max(values, default=0.0) + 1, 3)]


def _slider(steps: Sequence[AnchorStep]) -> Tree:
    at_once = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
    return {
        "active": len(steps) - 1,
        "currentvalue": {"prefix": "step "},
        "len": 0.84,
        "x": 0.14,
        "pad": {"t": 10, "b": 10},
        "steps": [
            {"label": str(step.number), "method": "animate", "args": [[str(place)], at_once]}
            for place, step in enumerate(steps, 1)
        ],
    }


def _buttons() -> Tree:
    run = {"mode": "immediate", "frame": {"duration": STEP_MS, "redraw": True}, "transition": {"duration": 0}}
    pause = {"mode": "immediate", "frame": {"duration": 0, "redraw": False}, "transition": {"duration": 0}}
    return {
        "type": "buttons",
        "direction": "left",
        "showactive": False,
        "x": 0,
        "xanchor": "left",
        "y": 0,
        "yanchor": "top",
        "pad": {"t": 34},
        "buttons": [
            {"label": "▶", "method": "animate", "args": [None, run]},
            {"label": "❚❚", "method": "animate", "args": [[None], pause]},
        ],
    }
