"""The page of a session: a frame for each step, stable places of anchors, and escaped texts."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

import anchor_session
from anchor_session import DIARMAIT, FIRST, MUGAIN, RECORD, SECOND, STEPS, a_step
from tetragraph.errors import MissingDependency
from tetragraph.export.session_page import (
    FEW,
    HEIGHTS_PX,
    KNOWN,
    MOST_LABELLED,
    NEW,
    evolution,
    height_px,
    render,
)
from tetragraph.model.anchors import (
    Anchor,
    Anchored,
    AnchorGraph,
    AnchorStep,
)

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"
STROKES, NEW_STROKES, RINGS, ARROWS, OF_QUESTION, FOUND = range(6)


def parsed(steps: Sequence[AnchorStep] = STEPS, **changed: str) -> LexborHTMLParser:
    return LexborHTMLParser(render(replace(RECORD, **changed), steps))  # type: ignore[arg-type]  # texts of the record


def words(html: LexborHTMLParser | LexborNode, place: str) -> str:
    """The text of one element, in one line."""
    (found,) = html.css(place)
    return " ".join(found.text().split())


def drawn(steps: Sequence[AnchorStep], step: int) -> list[dict[str, Any]]:
    """The traces of a step's frame."""
    traces: list[dict[str, Any]] = evolution(steps)["frames"][step - 1]["data"]
    return traces


def star(anchors: int) -> AnchorGraph:
    """A graph in which all are joined to the first."""
    keys = [f"a{place}" for place in range(anchors)]
    return AnchorGraph(
        tuple(Anchor(key, key, (), 1) for key in keys), tuple(Anchored("a0", "to", key, 1) for key in keys[1:])
    )


def test_every_step_has_a_frame_and_a_place_on_the_slider() -> None:
    figure = evolution(STEPS)
    assert [frame["name"] for frame in figure["frames"]] == ["1", "2", "3"]
    (slider,) = figure["layout"]["sliders"]
    assert [(step["label"], step["args"][0]) for step in slider["steps"]] == [("1", ["1"]), ("2", ["2"]), ("3", ["3"])]
    assert slider["active"] == 2
    assert figure["data"] == figure["frames"][-1]["data"]


def test_anchors_keep_their_places_from_step_to_step() -> None:
    def where(step: int) -> dict[str, tuple[float, float]]:
        return {
            text: (x, y)
            for trace in drawn(STEPS, step)[OF_QUESTION:]
            for text, x, y in zip(trace["text"], trace["x"], trace["y"], strict=True)
        }

    first, second = where(1), where(2)
    assert set(first) < set(second)
    assert {name: second[name] for name in first} == first


def test_what_a_step_added_is_marked_and_the_questions_anchors_stand_apart() -> None:
    traces = drawn(STEPS, 2)
    assert traces[OF_QUESTION]["text"] == ["Mugain"]
    assert traces[FOUND]["text"] == ["Diarmait mac<br>Cerbaill", "Corbach ingen<br>Maine"]
    assert traces[RINGS]["x"] == traces[FOUND]["x"][1:]
    assert traces[ARROWS]["marker"]["color"] == [KNOWN, NEW]
    assert [trace["name"] for trace in traces if trace.get("showlegend", True)] == [
        "new in this step",
        "named in the question",
        "found on the way",
    ]


def test_a_follow_up_question_has_anchors_of_its_own() -> None:
    step = replace(STEPS[2], question="Where did Corbach ingen Maine live?")
    assert drawn((*STEPS[:2], step), 3)[OF_QUESTION]["text"] == ["Corbach ingen<br>Maine"]


def test_lines_run_from_head_to_tail_and_arrows_point_there() -> None:
    traces = drawn(STEPS, 1)
    (head,), (tail,) = traces[OF_QUESTION]["x"], traces[FOUND]["x"]
    assert traces[NEW_STROKES]["x"] == [head, tail, None]
    arrow = traces[ARROWS]
    assert arrow["x"] == [pytest.approx(head + 0.6 * (tail - head), abs=0.002)]
    (up,) = arrow["marker"]["angle"]
    assert (0 < up < 180) == (tail > head)


def test_relations_of_a_small_graph_have_labels_and_all_tell_themselves() -> None:
    arrows = drawn(STEPS, 3)[ARROWS]
    assert arrows["text"] == ["wife of", "son of"]
    assert arrows["textposition"] == ["bottom center", "bottom center"]
    assert arrows["customdata"] == [
        "Mugain — wife of → Diarmait mac Cerbaill",
        "Diarmait mac Cerbaill — son of → Corbach ingen Maine",
    ]
    crowded = drawn([a_step(1, star(MOST_LABELLED + 2))], 1)[ARROWS]
    assert set(crowded["text"]) == {""}
    assert crowded["mode"] == "markers"
    assert crowded["customdata"][0] == "a0 — to → a1"


def test_relations_of_the_same_two_anchors_share_an_arrow_and_those_back_have_their_own() -> None:
    back = (Anchored("mugain", "queen of", "diarmait mac cerbaill", 1), Anchored(*_ends()[::-1], step=1))
    arrows = drawn([a_step(1, replace(FIRST, relations=(*FIRST.relations, *back)))], 1)[ARROWS]
    assert arrows["text"] == ["wife of<br>queen of", "husband of"]
    assert arrows["x"][0] != arrows["x"][1]


def _ends() -> tuple[str, str, str]:
    return "mugain", "husband of", "diarmait mac cerbaill"


def test_an_anchor_tells_what_is_known_of_it() -> None:
    assert drawn(STEPS, 3)[FOUND]["customdata"] == [
        "<b>Diarmait mac Cerbaill</b><br>king<br>since step 1, seen in 2 passages<br>entity e2",
        "<b>Corbach ingen Maine</b><br>daughter of Maine<br>since step 2, seen in 1 passage",
    ]


def test_long_names_are_cut_in_the_picture_and_whole_under_the_pointer() -> None:
    name = "word " * 40
    traces = drawn([a_step(1, AnchorGraph((Anchor("w", name.strip(), (), 1),)))], 1)
    assert traces[FOUND]["text"][0].endswith("…")
    assert traces[FOUND]["customdata"][0].count("word") == 40


def test_each_step_is_told_under_the_figure() -> None:
    html = parsed()
    assert [node.attributes["data-frame"] for node in html.css("section")] == ["1", "2", "3"]
    second = html.css("section")[1]
    assert words(second, "h2") == "Step 2: Who is the mother of Diarmait mac Cerbaill?"
    assert words(second, ".thought") == "A name is there; one more look."
    assert words(second, ".judgement") == "insufficient → next query: Corbach ingen Maine"
    assert [" ".join(node.text().split()) for node in second.css(".passages li")] == [
        "★ Diarmait mac Cerbaill 1.0000 · doc-c3",
        "Mugain 0.5000 · doc-c1",
    ]
    assert [" ".join(node.text().split()) for node in second.css(".added li")] == [
        "Corbach ingen Maine (daughter of Maine)",
        "Diarmait mac Cerbaill (king)",
        "Diarmait mac Cerbaill — son of → Corbach ingen Maine",
    ]
    assert words(html.css("section")[2], ".added li") == "nothing"


def test_passages_that_were_not_read_are_counted() -> None:
    html = LexborHTMLParser(render(replace(RECORD, options={"documents": 1}), STEPS[:1]))
    assert words(html, ".passages li") == "★ Mugain 1.0000 · doc-c1"
    assert words(html, ".passages p") == "and 1 more that was found, and not read"


def test_notes_and_a_step_that_nobody_judged_are_told() -> None:
    html = parsed((replace(STEPS[0], judgement=None, next_query=""),))
    assert words(html, ".note") == "the corpus has no fact graph: sentences stand in for it"
    assert words(html, ".judgement") == "not judged"


def test_the_page_says_what_it_shows_and_how_it_ended() -> None:
    html = parsed()
    assert words(html, "h1") == RECORD.question
    assert words(html, "#answer") == "Corbach ingen Maine"
    assert words(html, "#facts").startswith("3 steps, the evidence suffices · 3 anchors, 2 relations · searched with")
    assert parsed(answer="").css("#answer") == []


def test_an_answer_that_the_evidence_may_not_carry_is_marked_as_doubtful() -> None:
    assert parsed().css("#doubt") == []
    doubted = parsed((replace(STEPS[0], judgement="insufficient"),))
    assert words(doubted, "#doubt").startswith("This answer may be wrong")
    assert parsed((replace(STEPS[0], judgement="insufficient"),), answer="").css("#doubt") == []


def test_the_date_is_one_that_people_read_and_is_not_divided() -> None:
    html = parsed(started="2026-11-22T22:30:57.973Z")
    assert words(html, "time") == "2026-11-22 22:30 UTC"
    assert "time { white-space: nowrap; }" in html.css("style")[0].text()


def test_no_text_breaks_out_of_page_or_plot() -> None:
    graph = AnchorGraph(
        (Anchor("a", HOSTILE, (HOSTILE,), 1, HOSTILE), Anchor("b", "B", (), 1)), (Anchored("a", HOSTILE, "b", 1),)
    )
    step = replace(
        a_step(1, graph, replace(MUGAIN, title=HOSTILE), query=HOSTILE, thought=HOSTILE, next_query=HOSTILE),
        notes=(HOSTILE,),
    )
    html = parsed([step], question=HOSTILE, answer=HOSTILE, reasoner=HOSTILE)
    assert len(html.css("script")) == 2
    assert html.css("img") == []
    assert words(html, "h1") == words(html, "#answer") == words(html, ".note") == HOSTILE
    assert words(html, ".passages li") == f"★ {HOSTILE} 1.0000 · doc-c1 › {HOSTILE}"
    told = json.dumps(evolution([step]))
    assert "<script" not in told
    assert "<img" not in told
    assert "&lt;img" in told


def test_the_page_asks_for_nothing_and_forbids_itself_to() -> None:
    html = parsed()
    policy = html.css_first("meta[http-equiv=Content-Security-Policy]")
    assert policy is not None
    assert "default-src 'none'" in (policy.attributes["content"] or "")
    assert html.css("[src], [href], [action], link, iframe, object, embed") == []


def test_a_session_of_one_step_has_no_slider() -> None:
    figure = evolution(STEPS[:1])
    assert len(figure["frames"]) == 1
    assert figure["layout"].keys() & {"sliders", "updatemenus"} == set()
    assert len(parsed(STEPS[:1]).css("section")) == 1


def test_a_graph_without_anchors_says_so_until_it_has_some() -> None:
    steps = (a_step(1, AnchorGraph(), DIARMAIT), a_step(2, replace(SECOND, relations=()), MUGAIN))
    figure = evolution(steps)
    notes = [frame["layout"]["annotations"][0]["text"] for frame in figure["frames"]]
    assert notes == ["the graph has no anchor", ""]
    assert len(figure["frames"][0]["data"]) == len(figure["frames"][1]["data"])
    assert words(parsed(steps[:1]), "#facts").startswith("1 step, the evidence suffices · 0 anchors, 0 relations")


def test_a_session_without_a_step_has_a_page() -> None:
    html = parsed(())
    assert html.css("section") == []
    assert "No step has been made yet." in words(html, "body > p")


def test_large_graphs_have_a_higher_picture_and_smaller_names() -> None:
    large = [a_step(1, replace(star(120), relations=()))]
    assert HEIGHTS_PX[0] < height_px(STEPS) < height_px(large) <= HEIGHTS_PX[1]
    sizes = [drawn(steps, 1)[FOUND]["textfont"]["size"] for steps in ([a_step(1, star(FEW))], large)]
    assert sizes[0] > sizes[1]


def test_the_same_session_gives_the_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib; from anchor_session import RECORD, STEPS; "
        "from tetragraph.export.session_page import render; "
        "print(hashlib.sha256(render(RECORD, STEPS).encode()).hexdigest())"
    )
    env = {"PYTHONPATH": str(Path(anchor_session.__file__).parent), "PYTHONHASHSEED": "1"}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout
    assert told.strip() == hashlib.sha256(render(RECORD, STEPS).encode()).hexdigest()


def test_without_plotly_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(MissingDependency, match=r"anchor graph needs .* pip install 'tetragraph\[eval\]'"):
        render(RECORD, STEPS)
