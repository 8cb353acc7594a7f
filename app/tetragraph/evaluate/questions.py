"""Reads questions with gold: from files of tetragraph or of a benchmark, folders of BEIR or TREC, named data sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol, cast

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.evaluate.trec import read_qrels


class QuestionFormat(Protocol):
    """Reads questions of one format; ``tetragraph_loaders`` documents the rules."""

    def recognises(self, path: Path) -> bool: ...
    def read(self, path: Path) -> Iterator[tuple[str, GoldQuestion]]: ...


def read_questions(
    path: str | Path, *, format_name: str | None = None, qrels: str | Path | None = None
) -> tuple[GoldQuestion, ...]:
    """Read the questions of a file, a folder or a named data set, in their order.

    Args:
        path: File of JSON lines, JSON, CSV, TSV or TREC topics, plain or gzipped; folder of BEIR, or with topics and
            qrels of TREC; or ``ir-datasets:<id>``, such as ``ir-datasets:beir/scifact/test``.
        format_name: ``tetragraph``, ``musique``, ``hotpotqa``, ``2wikimultihopqa``, ``popqa``, ``bamboogle``,
            ``nq_open``, ``dpr``, ``triviaqa``, ``beir``, ``trec`` or a format of another package; by default it is
            recognised by the first row, or the files of the folder.
        qrels: Qrels file with the gold of the questions, in place of the gold that they have.

    Raises:
        InvalidInput: the path does not exist, is empty or of no known format; a row is broken, or two questions have
            the same id; no question is judged by the qrels. The message names file and line.
        MissingDependency: the package ``ir-datasets`` is needed and not installed.
    """
    reader, place = _reader(str(path), format_name)
    places: dict[str, str] = {}
    questions = []
    for where, question in reader.read(place):
        if question.id in places:
            first = places[question.id]
            raise InvalidInput(f"{where}: ids must be unique, {question.id!r} is taken by {first}; remove one of them")
        places[question.id] = where
        questions.append(question)
    if not questions:
        raise InvalidInput(f"a file of questions must have at least one, {str(path)!r} has none")
    return tuple(questions) if qrels is None else _judged(questions, qrels)


def given_questions(questions: str | Path | Sequence[GoldQuestion]) -> Sequence[GoldQuestion]:
    """Questions that a caller gives: themselves, or the path of a file that :func:`read_questions` reads."""
    return read_questions(questions) if isinstance(questions, str | Path) else questions


def check_questions(questions: Sequence[GoldQuestion]) -> tuple[GoldQuestion, ...]:
    """Check questions that the caller has constructed.

    Raises:
        InvalidInput: there are none, one is something else, or two have the same id.
    """
    check_question_types(questions)
    if not questions:
        raise InvalidInput("an evaluation must have at least one question, got none")
    counts = Counter(question.id for question in questions)
    if twice := sorted(identity for identity, count in counts.items() if count > 1):
        raise InvalidInput(f"ids of questions must be unique, got {twice[0]!r} more than once; rename them")
    return tuple(questions)


def check_question_types(questions: object) -> None:
    """Raise if questions that the caller has constructed are not a list of :class:`GoldQuestion`."""
    rule = "questions must be the path of a file, or a list of GoldQuestion such as GoldQuestion('q1', 'Who …?')"
    if not isinstance(questions, Sequence):
        raise InvalidInput(f"{rule}, got {questions!r:.200}")
    for question in questions:
        if not isinstance(question, GoldQuestion):
            raise InvalidInput(f"{rule}, got {question!r:.200} in it: construct a GoldQuestion from it")


@cache
def _formats() -> dict[str, QuestionFormat]:
    return {one.name: cast("QuestionFormat", one.load()) for one in sorted(entry_points(group="tetragraph.questions"))}


def _judged(questions: Sequence[GoldQuestion], qrels: str | Path) -> tuple[GoldQuestion, ...]:
    """The questions that a qrels file judges, with its gold."""
    gold = read_qrels(qrels)
    judged = tuple(replace(question, gold=gold[question.id]) for question in questions if question.id in gold)
    if not judged:
        first = questions[0].id
        raise InvalidInput(f"qrels must judge at least one question, {str(qrels)!r} has none such as {first!r}")
    return judged


def _reader(path: str, name: str | None) -> tuple[QuestionFormat, Path]:
    """Reader of a path or of a named data set, ``format:name``, and the path or name that it reads."""
    scheme, colon, rest = path.partition(":")
    file = Path(path)
    if colon and scheme in _formats() and not file.exists():
        return _formats()[scheme], Path(rest)
    if not file.exists():
        raise InvalidInput(f"a file of questions must exist, got {path!r}; check the path")
    return _format(file, name), file


def _format(file: Path, name: str | None) -> QuestionFormat:
    known = ", ".join(_formats())
    if name is not None:
        if name not in _formats():
            raise InvalidInput(f"the format of questions must be one of {known}, got {name!r}")
        return _formats()[name]
    fitting = [name for name, one in _formats().items() if one.recognises(file)]
    if not fitting and file.is_file() and not file.stat().st_size:
        raise InvalidInput(f"a file of questions must have at least one, {str(file)!r} is empty")
    if len(fitting) != 1:
        if file.is_dir():
            raise InvalidInput(f"a folder of questions must be one of BEIR or TREC, {str(file)!r} is not; name a file")
        told = f"its first row fits {', '.join(fitting) or 'none'} of {known}"
        raise InvalidInput(f"the format of {str(file)!r} must be plain from its first row, {told}; name the format")
    return _formats()[fitting[0]]
