"""Metrics of answers: matches with the accepted answers, and the share of gold among citations.

Source: Rajpurkar et al. (2016), SQuAD, and its evaluation script; of several accepted answers the best match counts.
"""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion, RunAnswer

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(answer: str) -> str:
    """Convert to lower case, without ASCII punctuation, articles and surplus blanks.

    >>> normalise("The  Beatles' album")
    'beatles album'
    """
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, accepted: Sequence[str]) -> float:
    """1 if the answer equals an accepted answer after normalisation, otherwise 0."""
    return float(normalise(answer) in map(normalise, accepted))


def token_f1(answer: str, accepted: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of the words, against the accepted answer for which it is highest."""
    return max(_f1(normalise(answer).split(), normalise(one).split()) for one in accepted)


def string_accuracy(answer: str, accepted: Sequence[str]) -> float:
    """1 if the answer contains an accepted answer as whole words after normalisation, otherwise 0.

    An accepted answer of which normalisation leaves nothing has to be the whole answer.

    Source: SeRAG (2026), section 4.1 (Str-Acc). Deviation: whole words, so that "art" is not found in "party"; the
    paper does not state its normalisation.
    """
    words = f" {normalise(answer)} "
    wanted = [normalise(one) for one in accepted]
    return float(any(f" {one} " in words if one else not words.strip() for one in wanted))


def character_f1(answer: str, accepted: Sequence[str]) -> float:
    """Harmonic mean of precision and recall of the characters, without blanks, after normalisation.

    Source: iG²RAG (2025), eq. (11). Characters are counted, their order is ignored.
    """
    return max(_f1(_characters(answer), _characters(one)) for one in accepted)


def citation_score(answer: RunAnswer, gold: frozenset[str]) -> float:
    """Share of the cited documents that are gold, each document once; 0 without citations."""
    cited = set(answer.citations)
    return len(cited & gold) / len(cited) if cited else 0.0


def score_answers(answers: Mapping[str, RunAnswer], question: GoldQuestion) -> dict[str, float]:
    """The metrics of a run's answer to a question; a missing answer scores 0.

    ``em``, ``f1``, ``str_acc`` and ``char_f1`` require accepted answers; ``citations`` requires gold, and a run of
    which some answer has citations.
    """
    scores: dict[str, float] = {}
    if not answers:
        return scores
    answer = answers.get(question.id, RunAnswer(""))
    if question.answers:
        scores["em"] = exact_match(answer.text, question.answers)
        scores["f1"] = token_f1(answer.text, question.answers)
        scores["str_acc"] = string_accuracy(answer.text, question.answers)
        scores["char_f1"] = character_f1(answer.text, question.answers)
    if question.gold and any(one.citations for one in answers.values()):
        scores["citations"] = citation_score(answer, frozenset(one.document for one in question.gold))
    return scores


def read_answers(path: str | Path) -> dict[str, RunAnswer]:
    """Read the answers of a system, by question id, from JSON lines ``{"id", "answer", "citations"}``.

    ``citations`` lists ids of documents and may be left out.

    Raises:
        InvalidInput: the file does not exist, a row is broken, or a question is answered twice; the message has file
            and line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"a file of answers must be text that can be read, got {str(path)!r}: {error}") from error
    answers: dict[str, RunAnswer] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            identity, answer = _parse(line, f"{path}:{number}")
            if identity in answers:
                raise InvalidInput(f"{path}:{number}: a question must be answered once, {identity!r} is again")
            answers[identity] = answer
    return answers


def _parse(line: str, where: str) -> tuple[str, RunAnswer]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InvalidInput(f"{where}: an answer must be a JSON object, got {error}; mend the line") from error
    match row:
        case {"id": str(identity), "answer": str(text)}:
            citations = row.get("citations") or []
            if isinstance(citations, list) and all(isinstance(one, str) for one in citations):
                return identity, RunAnswer(text, tuple(citations))
    rule = "an answer must have 'id' and 'answer' as texts, and 'citations', if any, as a list of document ids"
    raise InvalidInput(f"{where}: {rule}; mend the line")


def _characters(text: str) -> str:
    return normalise(text).replace(" ", "")


def _f1(answer: Sequence[str], accepted: Sequence[str]) -> float:
    if not answer or not accepted:
        return float(answer == accepted)
    common = sum((Counter(answer) & Counter(accepted)).values())
    return 2 * common / (len(answer) + len(accepted))
