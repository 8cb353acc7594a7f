"""Rankings as a TREC run file: ``question Q0 passage rank score tag``."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.peers.material import Ranking
from tetragraph.errors import InvalidInput


def to_trec(rankings: Mapping[str, Ranking], tag: str) -> str:
    """The lines of a run, questions in their order, ranks from 1.

    Scores are written so that they are read back exactly.

    Raises:
        InvalidInput: an id or the tag is empty or has a blank in it, which the format cannot say.
    """
    _check_word("tag of a run", tag)
    lines = []
    for question, ranking in rankings.items():
        _check_word("question's id", question)
        for rank, (passage, score) in enumerate(ranking, start=1):
            _check_word("passage's id", passage)
            lines.append(f"{question} Q0 {passage} {rank} {score!r} {tag}\n")
    return "".join(lines)


def _check_word(what: str, word: str) -> None:
    if len(word.split()) != 1 or word != word.strip():
        raise InvalidInput(f"the {what} must be one word without blanks in a TREC run file, got {word!r}")
