"""Graphs around things, as the page draws them."""

from __future__ import annotations

from tetragraph.model.subgraphs import LinkKey, NodeKey
from tetragraph.service.page.drawing import theme_graph
from tetragraph.systems.encoding_tree.overview import Theme, ThemeChunk
from tetragraph.systems.encoding_tree.themes import CentralChunk, Neighbour, ThemeBridge, ThemeReport

NEIGHBOUR = Neighbour("t2", "towns", 3, 1.5, 2, (), (ThemeBridge(ThemeChunk("b", "B"), ThemeChunk("a", "A"), 0.75),))


def theme(identity: str, *children: Theme) -> Theme:
    return Theme(identity, f"theme {identity}", 1, 4, 2.0, 1.0, 0.5, children)


def test_a_theme_has_its_central_chunks_and_the_affinity_to_those_of_its_neighbours() -> None:
    report = ThemeReport(theme("t1"), (CentralChunk("c", "C", 1.0, 0.8),), (), (NEIGHBOUR,))
    found = theme_graph("handbook", report)
    one, other = NodeKey("Community", "t1"), NodeKey("Community", "t2")
    a, b, c = (NodeKey("Chunk", name) for name in "abc")
    called = {key: carried.get("name", carried.get("title")) for key, carried in found.nodes.items()}
    assert called == {a: "A", b: "B", c: "C", one: "theme t1", other: "towns"}
    assert found.links == {
        LinkKey("AFFINITY", a, b): {"weight": 0.75},
        LinkKey("CONTAINS", one, b): {},
        LinkKey("CONTAINS", one, c): {},
        LinkKey("CONTAINS", other, a): {},
    }


def test_a_theme_of_themes_has_those_inside_it_alone() -> None:
    report = ThemeReport(theme("t1", theme("t3")), (CentralChunk("c", "C", 1.0, 0.8),), (), (NEIGHBOUR,))
    found = theme_graph("handbook", report)
    assert set(found.links) == {LinkKey("CONTAINS", NodeKey("Community", "t1"), NodeKey("Community", "t3"))}
    assert len(found.nodes) == 2
