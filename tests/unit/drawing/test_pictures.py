"""Pictures as SVG: each shape, what is left out, and that nothing lies outside of a picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from tetragraph.drawing import bars, blocks, svg
from tetragraph.drawing.blocks import Block
from tetragraph.drawing.looks import LOOKS, OTHERWISE
from tetragraph.drawing.node_links import MOST_LABELLED, MOST_NODES, WIDTH, Link, Node, draw


def ring(size: int) -> tuple[list[Node], list[Link]]:
    nodes = [Node(str(number), f"node {number}", "Chunk") for number in range(size)]
    return nodes, [Link(str(number), str((number + 1) % size), "to", "beside") for number in range(size)]


@pytest.mark.parametrize(("label", "kind"), [*((label, shape) for label, (_, shape) in LOOKS.items()), ("?", "barrel")])
def test_a_label_has_its_colour_and_a_shape(label: str, kind: str) -> None:
    picture = draw([Node("a", "A", label)], [], title="one")
    shapes = {"diamond": "polygon", "hexagon": "polygon", "octagon": "polygon", "triangle": "polygon"}
    named = "rect" if kind.endswith("rectangle") else shapes.get(kind, "circle")
    assert picture.count(f"<{named} ") == 2  # the node, and the legend
    assert LOOKS.get(label, OTHERWISE)[0] in picture


def test_all_of_a_wide_picture_lies_inside_of_it() -> None:
    picture = draw(*ring(40), title="a ring")
    root = ET.fromstring(picture)  # noqa: S314 - made above
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    assert width <= WIDTH
    places = re.findall(r'c?x[12]?="([0-9.]+)" c?y[12]?="([0-9.]+)"', picture)
    assert len(places) >= 120
    assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in places)


def test_words_beside_links_are_left_out_where_there_are_many() -> None:
    assert draw(*ring(MOST_LABELLED), title="few").count(">beside<") == MOST_LABELLED
    assert ">beside<" not in draw(*ring(MOST_LABELLED + 1), title="many")


def test_words_of_opposite_links_stand_apart() -> None:
    nodes = [Node(key, key, "Chunk") for key in ("a", "b")]
    picture = draw(nodes, [Link("a", "b", "", "there"), Link("b", "a", "", "back")], title="both ways")
    places = {word: float(x) for x, word in re.findall(r'<text [^>]*x="([0-9.]+)"[^>]*>(there|back)<', picture)}
    assert abs(places["there"] - places["back"]) > 30


def test_a_graph_that_cannot_be_told_apart_is_not_drawn() -> None:
    assert draw(*ring(MOST_NODES + 1), title="too many") == draw([], [], title="none") == ""


def test_a_link_of_a_node_to_itself_has_no_arrow() -> None:
    assert "<polygon" not in svg.line((1, 1), (1, 1), hover="itself")
    assert "<polygon" in svg.line((1, 1), (20, 1), hover="another")


def test_parts_of_a_hierarchy_lie_below_the_whole_and_narrow_ones_have_no_name() -> None:
    parts = (Block("large", 99, "99 of 100", (Block("all of it", 99, "inside"),)), Block("narrow", 1, "1 of 100"))
    picture = blocks.draw(Block("whole", 100, "all", parts), title="parts")
    assert re.findall(r">([^<]+)</text>", picture) == ["whole", "large", "all of it"]
    corners = re.findall(r'<rect x="([0-9.]+)" y="([0-9.]+)"', picture)
    assert corners == [("0.0", "0.0"), ("0.0", "34.0"), ("0.0", "68.0"), ("950.4", "34.0")]


def test_a_bar_is_as_long_as_its_share() -> None:
    picture = bars.draw([("dense", 0.25), ("evidence", 1.0)], title="recall@5")
    widths = [float(found) for found in re.findall(r'<rect [^>]*width="([0-9.]+)"', picture)]
    assert widths == [bars.BAR, bars.BAR / 4, bars.BAR, bars.BAR]
    assert bars.draw([], title="none") == ""
