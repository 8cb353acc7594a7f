"""Run files and qrels (judgements of relevance) in the formats of TREC tools, written and read.

A line of a run file is ``question Q0 passage rank score tag``. A chunk is named by the id of its document, followed by
``@start-end`` unless it is the whole document; characters that could break a line, ``%`` and ``@`` are percent-encoded.
The tag is the name of the run. A system that ranks whole documents writes their ids alone.

Source: the formats of trec_eval. Its tools sort by score, and break ties by their own rule.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.answer_metrics import read_answers
from tetragraph.evaluate.metrics import find_rank
from tetragraph.evaluate.model import Found, Gold, GoldQuestion, Run

_SAFE = "!\"#$&'()*+,-./:;<=>?[\\]^_`{|}~"
"""Printable ASCII punctuation except ``%`` and ``@``."""
_PART = re.compile(r"(.+)@([0-9]{1,15})-([0-9]{1,15})", re.DOTALL)
"""Name of a part of a document; more digits than any text has characters belong to the name of the document."""


@dataclass(frozen=True, slots=True)
class _Line:
    question: str
    passage: str
    rank: int
    score: float
    tag: str


def passage_name(passage: Found | Gold) -> str:
    """Name of a chunk in a run file.

    >>> passage_name(Gold("guide/a b.md", 0, 120)), passage_name(Gold("4f2a"))
    ('guide/a%20b.md@0-120', '4f2a')
    """
    document = quote(passage.document, safe=_SAFE)
    return document if passage.start is None else f"{document}@{passage.start}-{passage.end}"


def parse_passage(name: str, score: float) -> Found:
    """The chunk with a name of a run file.

    >>> parse_passage("guide/a%20b.md@0-120", 0.5)
    Found(chunk='guide/a%20b.md@0-120', document='guide/a b.md', title='', start=0, end=120, score=0.5)
    """
    part = _PART.fullmatch(name)
    document, start, end = (part[1], int(part[2]), int(part[3])) if part else (name, None, None)
    return Found(name, unquote(document), "", start, end, score)


def format_run(run: Run) -> str:
    """A run as the text of a run file, questions in order of id; scores are written without loss of precision."""
    lines = [
        f"{quote(question, safe=_SAFE)} Q0 {passage_name(found)} {rank} {found.score!r} {run.name}\n"
        for question, ranking in sorted(run.rankings.items())
        for rank, found in enumerate(ranking, start=1)
    ]
    return "".join(lines)


def format_qrels(run: Run, questions: Sequence[GoldQuestion]) -> str:
    """Format the gold as a qrels file for one run.

    A piece of gold is named by the first chunk of the run that contains it, otherwise by a name of its own, so that
    other tools compute the same recall, nDCG and MRR although the run ranks chunks.
    """
    lines = {
        f"{quote(question.id, safe=_SAFE)} 0 {_qrels_name(gold, run.rankings.get(question.id, ()))} 1\n"
        for question in questions
        for gold in question.gold
    }
    return "".join(sorted(lines))


def read_run(path: str | Path, *, name: str | None = None, answers: str | Path | None = None) -> Run:
    """Read the rankings of a run file of this or another system.

    Args:
        path: Path of the run file. Ranks determine the order within a question.
        name: Name of the run; by default the tag of the first line.
        answers: File with the answers of the system; see :func:`tetragraph.evaluate.answer_metrics.read_answers`.

    Raises:
        InvalidInput: the file cannot be read or has no line; a line is broken, or repeats a rank or a chunk of its
            question. The message names file and line.
    """
    rankings: dict[str, dict[int, Found]] = {}
    taken: set[tuple[str, str]] = set()
    tag = ""
    for where, line in _read_lines(path):
        tag = tag or line.tag
        ranking = rankings.setdefault(unquote(line.question), {})
        if line.rank in ranking or (line.question, line.passage) in taken:
            rule = "rank and passage must be unique within a question"
            raise InvalidInput(f"{where}: {rule}, got rank {line.rank} and {line.passage!r} again; mend the run")
        taken.add((line.question, line.passage))
        ranking[line.rank] = parse_passage(line.passage, line.score)
    if not rankings:
        raise InvalidInput(f"a run file must have at least one line, {str(path)!r} has none")
    return Run(
        name=name or tag,
        method=tag,
        options={},
        rankings={
            question: tuple(found for _, found in sorted(ranking.items())) for question, ranking in rankings.items()
        },
        answers=read_answers(answers) if answers else {},
    )


def read_qrels(path: str | Path) -> Mapping[str, tuple[Gold, ...]]:
    """Read the gold of questions from a qrels file, ``question iteration passage grade``.

    Gold is relevant or not: a grade of at least 1 counts, whatever it is.

    Args:
        path: Path of the file; a passage is a document, or a part of one as in :func:`passage_name`.

    Returns:
        Gold by id of the question, in order of the file; empty for a question without a relevant passage.

    Raises:
        InvalidInput: the file cannot be read, has no line, or a line is broken; the message names file and line.
    """
    found: dict[str, dict[Gold, None]] = {}
    for where, text in _read_text(path, "a qrels file"):
        try:
            question, _, passage, grade = text.split()
            is_relevant = int(grade) > 0
        except ValueError as error:
            rule = "a line must be 'question iteration passage grade' with an integer as grade"
            raise InvalidInput(f"{where}: {rule}, got {text[:200]!r}; mend it") from error
        gold = found.setdefault(unquote(question), {})
        if is_relevant:
            gold[_gold(passage, where)] = None
    if not found:
        raise InvalidInput(f"a qrels file must have at least one line, {str(path)!r} has none")
    return {question: tuple(gold) for question, gold in found.items()}


def _gold(passage: str, where: str) -> Gold:
    part = parse_passage(passage, 0.0)
    try:
        return Gold(part.document, part.start, part.end)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from error


def _qrels_name(gold: Gold, ranking: Sequence[Found]) -> str:
    rank = find_rank(gold, ranking)
    return passage_name(gold if rank is None else ranking[rank - 1])


def _read_lines(path: str | Path) -> Iterator[tuple[str, _Line]]:
    for where, text in _read_text(path, "a run file"):
        yield where, _parse(text, where)


def _read_text(path: str | Path, kind: str) -> Iterator[tuple[str, str]]:
    """Place and text of each line that is not blank."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{kind} must be text that can be read, got {str(path)!r}: {error}") from error
    for number, text in enumerate(lines, start=1):
        if text.strip():
            yield f"{path}:{number}", text


def _parse(text: str, where: str) -> _Line:
    try:
        question, _, passage, rank, score, tag = text.split()
        return _Line(question, passage, int(rank), _finite(score), tag)
    except ValueError as error:
        rule = "a line must be 'question Q0 passage rank score tag' with finite numbers"
        raise InvalidInput(f"{where}: {rule}, got {text[:200]!r}; mend it") from error


def _finite(written: str) -> float:
    """The number of a text; reports in JSON cannot hold others."""
    number = float(written)
    if not math.isfinite(number):
        raise ValueError(f"{written} is not finite")
    return number
