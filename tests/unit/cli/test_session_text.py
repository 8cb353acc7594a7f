"""Output of a search in several steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from rich.cells import cell_len

from anchor_session import DIARMAIT, MUGAIN, QUEENS, STEPS, a_step
from tetragraph.cli.session_text import show_end, show_step, step_lines
from tetragraph.model.anchors import (
    Anchor,
    Anchored,
    AnchorGraph,
    AnchorStep,
)


def printed(step: AnchorStep, steps: Sequence[AnchorStep] = STEPS, width: int = 100, read: int = 5) -> list[str]:
    return [line.plain for line in step_lines(step, steps, read, width)]


def test_a_step_tells_query_passages_growth_and_conclusion() -> None:
    assert printed(STEPS[1]) == [
        "step 2  Who is the mother of Diarmait mac Cerbaill?",
        "   1 ★ Diarmait mac Cerbaill",
        "   2   Mugain",
        "  + Corbach ingen Maine (daughter of Maine)",
        "  ~ Diarmait mac Cerbaill (king)",
        "  + Diarmait mac Cerbaill —son of→ Corbach ingen Maine",
        "  thought: A name is there; one more look.",
        "  insufficient, next query: Corbach ingen Maine",
    ]


def test_the_steps_so_far_say_as_much_as_all_do() -> None:
    for place, step in enumerate(STEPS):
        assert printed(step, STEPS[:place]) == printed(step)


def test_passages_that_were_not_read_are_counted_and_stay_new() -> None:
    assert printed(STEPS[0], read=1)[1:3] == ["   1 ★ Mugain", "       1 more found, not read"]
    later = a_step(2, STEPS[0].graph, QUEENS)
    assert printed(later, (STEPS[0], later), read=1)[1] == "   1 ★ Queens of Tara"
    assert printed(later, (STEPS[0], later), read=2)[1] == "   1   Queens of Tara"


def test_notes_stand_last_and_a_step_without_growth_is_short() -> None:
    assert printed(STEPS[0])[-1] == "  note: the corpus has no fact graph: sentences stand in for it"
    assert printed(STEPS[2]) == [
        "step 3  Corbach ingen Maine",
        "   1   Diarmait mac Cerbaill",
        "  thought: The mother of her husband is named.",
        "  sufficient",
    ]


def test_a_step_that_nobody_judged_says_so() -> None:
    assert printed(a_step(1, AnchorGraph(), judgement=None), ())[-1] == "  not judged"


def test_a_follow_up_question_and_the_answers_stand_with_their_steps() -> None:
    answered = replace(STEPS[2], answer="Corbach ingen Maine")
    follow_up = replace(a_step(4, STEPS[2].graph, query="Where did she live? Corbach ingen Maine"), question="Where?")
    told = [printed(step, (*STEPS[:2], answered, follow_up)) for step in (answered, follow_up)]
    assert told[0][-1] == "  answer: Corbach ingen Maine"
    assert told[1][:2] == ["question: Where?", "step 4  Where did she live? Corbach ingen Maine"]


def test_the_question_is_told_where_another_one_is_searched_for_first() -> None:
    assert printed(a_step(1, AnchorGraph(), query="Mugain"), ())[0] == "question: Who is Mugain's mother-in-law?"


def test_long_texts_go_on_under_their_beginning() -> None:
    assert printed(STEPS[0], width=40) == [
        "step 1  Who is Mugain's mother-in-law?",
        "   1 ★ Mugain",
        "   2 ★ Queens of Tara",
        "  + Mugain (queen of Tara)",
        "  + Diarmait mac Cerbaill",
        "  + Mugain —wife of→ Diarmait mac",
        "    Cerbaill",
        "  thought: It is known whom Mugain was",
        "           married to, and not who his",
        "           mother was.",
        "  insufficient, next query: Who is the",
        "  mother of Diarmait mac Cerbaill?",
        "  note: the corpus has no fact graph:",
        "        sentences stand in for it",
    ]


@pytest.mark.parametrize("width", [1, 24, 37, 80])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    wide = "名前の長い人" * 20 + " " + "x" * 300
    graph = AnchorGraph((Anchor("a", wide, (wide,), 1), Anchor("b", "b", (), 1)), (Anchored("a", wide, "b", 1),))
    step = replace(a_step(1, graph, replace(MUGAIN, title=wide), query=wide, thought=wide), notes=(wide,))
    assert max(map(cell_len, printed(step, (), width))) <= max(width, 24)


def test_no_text_commands_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    bad = "a\x1b[2J\x07b\r\n\u202ec \x9b31m[red]d[/red]"
    graph = AnchorGraph((Anchor("a", bad, (bad,), 1), Anchor("b", bad, (), 1)), (Anchored("a", bad, "b", 1),))
    step = replace(
        a_step(1, graph, replace(DIARMAIT, title=bad), query=bad, thought=bad, next_query=bad),
        notes=(bad,),
        question=bad + "?",
        answer=bad,
    )
    show_step(step, (), 5)
    lines = capsys.readouterr().out.splitlines()
    shown = "a[2Jb c 31m[red]d[/red]"
    assert [line for line in lines if not all(character.isprintable() for character in line)] == []
    assert [line.count(shown) for line in lines] == [1, 1, 1, 2, 1, 3, 1, 1, 1, 1]


def test_the_lines_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    show_step(STEPS[2], STEPS, 5)
    assert capsys.readouterr().out.splitlines() == printed(STEPS[2])


def test_the_end_tells_why_and_how_many_steps_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    show_end("sufficient", 3)
    show_end(None, 1)
    assert capsys.readouterr().out.splitlines() == [
        "ended: the evidence suffices (3 steps)",
        "the search has not ended (1 step)",
    ]
