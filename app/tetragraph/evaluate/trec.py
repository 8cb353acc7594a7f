"""Run files and qrels as TREC tools read them, and rankings of other systems from such files.

A line of a run file is ``question Q0 passage rank score tag``. A passage is named by its document, and where it is a
part of one by ``@start-end`` behind it; what could break a line, and ``%`` and ``@``, is percent-encoded. The tag is
the name of the run. A system that ranks whole documents writes just their ids.

Source: trec_eval's formats. Those tools sort by score, and equal scores in an order of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.answer_metrics import read_answers
from tetragraph.evaluate.metrics import find_rank
from tetragraph.evaluate.model import Found, Gold, GoldQuestion, Run

_SAFE = "!\"#$&'()*+,-./:;<=>?[\\]^_`{|}~"
"""All that ASCII prints except ``%`` and ``@``."""
_PART = re.compile(r"(.+)@([0-9]+)-([0-9]+)", re.DOTALL)


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
    """The passage that a run file calls so.

    >>> parse_passage("guide/a%20b.md@0-120", 0.5)
    Found(chunk='guide/a%20b.md@0-120', document='guide/a b.md', title='', start=0, end=120, score=0.5)
    """
    part = _PART.fullmatch(name)
    document, start, end = (part[1], int(part[2]), int(part[3])) if part else (name, None, None)
    return Found(name, unquote(document), "", start, end, score)


def format_run(run: Run) -> str:
    """A run as the text of a run file, questions in order of id; scores are written so that they read back equal."""
    lines = [
        f"{quote(question, safe=_SAFE)} Q0 {passage_name(found)} {rank} {found.score!r} {run.name}\n"
        for question, ranking in sorted(run.rankings.items())
        for rank, found in enumerate(ranking, start=1)
    ]
    return "".join(lines)


def format_qrels(run: Run, questions: Sequence[GoldQuestion]) -> str:
    """The gold as the text of a qrels file for one run.

    Each gold passage is judged under the name of the first passage of the run that carries it, so that other tools
    give the same recall, nDCG and MRR though the run ranks chunks; where the run does not find it, under its own.
    """
    lines = {
        f"{quote(question.id, safe=_SAFE)} 0 {_judged(gold, run.rankings.get(question.id, ()))} 1\n"
        for question in questions
        for gold in question.gold
    }
    return "".join(sorted(lines))


def read_run(path: str | Path, *, name: str | None = None, answers: str | Path | None = None) -> Run:
    """The rankings of a run file, ours or another system's.

    Args:
        path: Path of the run file. Ranks determine the order within a question.
        name: Name of the run; by default the tag of the first line.
        answers: File with the answers of the system; see :func:`tetragraph.evaluate.answer_metrics.read_answers`.

    Raises:
        InvalidInput: the file cannot be read or has no line; a line is broken, or has a rank or a passage that its
            question has already. The message names file and line.
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


def _judged(gold: Gold, ranking: Sequence[Found]) -> str:
    rank = find_rank(gold, ranking)
    return passage_name(gold if rank is None else ranking[rank - 1])


def _read_lines(path: str | Path) -> Iterator[tuple[str, _Line]]:
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"a run file must be text that can be read, got {str(path)!r}: {error}") from error
    for number, text in enumerate(lines, start=1):
        if text.strip():
            yield f"{path}:{number}", _parse(text, f"{path}:{number}")


def _parse(text: str, where: str) -> _Line:
    try:
        question, _, passage, rank, score, tag = text.split()
        return _Line(question, passage, int(rank), float(score), tag)
    except ValueError as error:
        rule = "a line must be 'question Q0 passage rank score tag'"
        raise InvalidInput(f"{where}: {rule}, got {text[:200]!r}; mend it") from error
