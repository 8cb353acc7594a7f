"""What a model is shown of the evidence, and what options mean."""

from __future__ import annotations

import pytest

from tetragraph.answering.compose import AskOptions, is_generated, truncate_to_tokens
from tetragraph.errors import InvalidInput
from tetragraph.model import Chunk
from tetragraph.settings import Settings

TEXT = "x" * 400


def chunk(name: str, text: str = TEXT) -> Chunk:
    return Chunk(name, name, "", "", text, 0, 0, len(text), 9)


def test_passages_are_shown_from_the_first_as_long_as_there_is_room() -> None:
    passages = [chunk("a"), chunk("b"), chunk("c", "short")]
    assert [one.id for one in truncate_to_tokens(passages, 1000)] == ["a", "b", "c"]
    assert [one.id for one in truncate_to_tokens(passages, 240)] == ["a", "b"]
    assert [one.id for one in truncate_to_tokens(passages, 239)] == ["a"]
    assert truncate_to_tokens([], 50) == []


def test_a_first_passage_that_is_too_long_is_cut_so_that_its_offsets_stay() -> None:
    (cut,) = truncate_to_tokens([chunk("a", TEXT + "end"), chunk("b")], 60)
    assert cut.id == "a"
    assert 0 < len(cut.text) < len(TEXT)
    assert TEXT.startswith(cut.text)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"iterations": 0}, "iterations must be"),
        ({"iterations": 1.5}, "iterations must be"),
        ({"context_tokens": 10}, "context_tokens must be"),
        ({"min_confidence": 1.5}, "min_confidence must be a number from 0 to 1, got 1.5"),
        ({"min_confidence": True}, "min_confidence must be a number from 0 to 1, got True"),
        ({"generate": "yes"}, "generate must be true or false, got 'yes'"),
        ({"generate": 0, "context": "facts"}, "generate must be true or false, got 0"),
        ({"generate": 1.0}, "generate must be true or false, got 1.0"),
        ({"context": "graph"}, "context must be one of passages, facts, both, got 'graph'"),
        ({"context": "facts", "generate": False}, "with context 'facts' a language model answers in one go"),
        ({"context": "both", "iterations": 2}, "with context 'both' a language model answers in one go"),
    ],
)
def test_a_wrong_option_is_told(options: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        AskOptions(**options)  # type: ignore[arg-type]  # what is wrong is the test


@pytest.mark.parametrize("generate", [None, False])
def test_follow_up_questions_need_a_model(generate: bool | None) -> None:
    with pytest.raises(InvalidInput, match="language model: iterations must be 1 without, got 2"):
        is_generated(Settings(llm=None), AskOptions(generate, iterations=2))
    assert not is_generated(Settings(llm=None), AskOptions(generate))


def test_a_configured_model_writes_unless_it_is_not_to() -> None:
    assert is_generated(Settings(llm="m"), AskOptions(iterations=2))
    assert not is_generated(Settings(llm="m"), AskOptions(generate=False))
