"""Searches every question with every evaluated method."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tetragraph.arrays import Vectors
from tetragraph.errors import CorpusBusy, InvalidInput, UnusableReply
from tetragraph.evaluate.answer_runs import (
    ANSWER,
    GENERATED,
    AnswerRecorder,
    read_kind,
)
from tetragraph.evaluate.metrics import covers
from tetragraph.evaluate.model import LONGEST_NAME, Found, Gold, GoldQuestion, Run
from tetragraph.evaluate.multi_step import FindChunks, StepRecorder
from tetragraph.evaluate.written_methods import read_method, run_names
from tetragraph.llm import Operation
from tetragraph.model import Chunk, Copy, Evidence, Hit
from tetragraph.model.answers import Answer
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.progress import Progress
from tetragraph.stores.corpus import raise_llm_not_configured

Methods: TypeAlias = Sequence[str] | Mapping[str, str | tuple[str, Mapping[str, Any]]]
"""Search methods by their words, as on the command line: the name, or with options ``gain:engine=memory``; or run names
of the caller's choice to such a word, or to method and options.

Besides the options of its method, a run may have the option ``answer``, ``generated`` or ``extractive``: then every
question is also answered.
"""
Searching = Callable[[str, int, str, Mapping[str, Any]], tuple[Evidence, float]]
Answering = Callable[[str, str, Mapping[str, Any], bool], Answer]
RUN_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{LONGEST_NAME - 1}}}")
"""Valid names of runs, which occur in file names and as the tag of run files."""
_PAIR = 2
_FORM = (
    "methods must be a list of words such as 'dense' or 'gain:engine=memory', or a mapping such as "
    "{'mine': ('gain', {'engine': 'memory'})}"
)


def _no_chunks(_: Sequence[str]) -> Mapping[str, Chunk]:
    return {}


def _no_places(_: Sequence[str]) -> Sequence[Found]:
    return ()


def _no_vectors(_: Sequence[str]) -> Mapping[str, Vectors]:
    return {}


@dataclass(frozen=True, slots=True)
class EvaluatedCorpus:
    """The evaluated corpus as a set of functions.

    Attributes:
        name: Name of the corpus.
        generation: Published generation that searches use.
        facts: Entries of the manifest about the corpus, besides those of every search.
        search: Maps question, k, method and options to the evidence and the seconds of the search without the
            embedding of the question.
        find_titles: Maps document ids to the titles of the documents that the corpus has.
        answer: Maps question, method, options and whether a language model generates it to the answer.
        find_chunks: Maps chunk ids to the chunks that the corpus has; used by searches in several steps only.
        find_places: Maps document ids to all chunks of the documents that the corpus has, without titles and scores.
        find_vectors: Maps chunk ids to ``(dimension,)`` vectors.
        begin_judging: Begins the language model operation that judges answers.
    """

    name: str
    generation: int
    facts: Mapping[str, Any]
    search: Searching
    find_titles: Callable[[Sequence[str]], Mapping[str, str]]
    answer: Answering
    find_chunks: FindChunks = _no_chunks
    find_places: Callable[[Sequence[str]], Sequence[Found]] = _no_places
    find_vectors: Callable[[Sequence[str]], Mapping[str, Vectors]] = _no_vectors
    begin_judging: Callable[[], Operation] = raise_llm_not_configured


@dataclass(frozen=True, slots=True)
class EvaluatedMethod:
    """A search method with its options; ``name`` is the name of its run.

    Attributes:
        kind: Kind of the answers; empty if the run only searches.
    """

    name: str
    method: str
    options: Mapping[str, Any]
    kind: str = ""

    @classmethod
    def of(cls, name: str, method: str, options: Mapping[str, Any]) -> EvaluatedMethod:
        """The evaluated method with the options of a run."""
        return cls(name, method, {key: options[key] for key in options if key != ANSWER}, read_kind(name, options))

    @property
    def run_options(self) -> dict[str, Any]:
        """Options of the run: those of the method, and the kind of the answers."""
        return {**self.options, **({ANSWER: self.kind} if self.kind else {})}


@dataclass(frozen=True, slots=True)
class Searched:
    """A run with its manifest and the texts of its chunks.

    Attributes:
        manifest: Manifest entries that all searches of the run share.
        texts: Text by id of each retrieved chunk.
        failures: Error by id of each question on which a language model gave no usable reply.
    """

    run: Run
    manifest: Mapping[str, Any]
    texts: Mapping[str, str]
    failures: Mapping[str, UnusableReply]

    def notes(self) -> Iterator[str]:
        """Notes of the report: questions without a usable reply."""
        if self.failures:
            first, error = next(iter(self.failures.items()))
            yield (
                f"{self.run.name}: the language model gave no usable reply on {len(self.failures)} of "
                f"{len(self.run.answers)} questions: they count as without an answer; the first, {first!r}: {error}"
            )


@dataclass(slots=True)
class _Recorder:
    """Records the searches of a run."""

    generation: int
    rankings: dict[str, tuple[Found, ...]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    steps: StepRecorder = field(default_factory=StepRecorder)
    usage: dict[str, Usage] = field(default_factory=dict)

    def add(self, question: GoldQuestion, evidence: Evidence, seconds: float) -> None:
        if evidence.manifest["generation"] != self.generation:
            change = f"from generation {self.generation} to {evidence.manifest['generation']}"
            raise CorpusBusy(f"a corpus must not change while it is evaluated, this one went {change}: evaluate again")
        self.rankings[question.id] = tuple(to_found(hit, question.gold) for hit in evidence)
        self.seconds[question.id] = seconds
        self.notes.update(dict.fromkeys(evidence.notes))
        self.texts.update({hit.chunk.id: hit.chunk.text for hit in evidence})
        self.steps.add(question.id, evidence)
        if evidence.usage != NOTHING:
            self.usage[question.id] = evidence.usage


def to_found(hit: Hit, gold: Sequence[Gold]) -> Found:
    """A hit of a run: its chunk, or the first of its copies that contains gold where the chunk does not."""
    places = (Copy.of(hit.chunk), *hit.also_in)
    found = [Found(one.chunk, one.document, one.title, one.start, one.end, float(hit.score)) for one in places]
    return next((one for one in found if any(covers(one, part) for part in gold)), found[0])


def find_methods(methods: Methods) -> tuple[EvaluatedMethod, ...]:
    """The evaluated methods, in order.

    Raises:
        InvalidInput: a name is not valid for a run, or is given twice; the methods have another form.
    """
    if isinstance(methods, str):
        raise InvalidInput(
            f"methods must be a list of names or a mapping, got the text {methods!r}: write [{methods!r}]"
        )
    if isinstance(methods, Mapping):
        found = tuple(EvaluatedMethod.of(name, *_read_run(run)) for name, run in methods.items())
    elif isinstance(methods, Sequence) and all(isinstance(one, str) for one in methods):
        names = _names_of_words(methods)
        found = tuple(EvaluatedMethod.of(names.get(one, one), *read_method(one)) for one in methods)
    else:
        raise InvalidInput(f"{_FORM}, got {methods!r:.200}")
    check_names([one.name for one in found])
    return found


def find_baseline(wanted: str | None, methods: Methods) -> str | None:
    """The name of the run that is the baseline, which may be given as the word of its method; None without one."""
    if wanted is None or isinstance(methods, Mapping):
        return wanted
    return _names_of_words(methods).get(wanted, wanted)


def _names_of_words(methods: Sequence[str]) -> dict[str, str]:
    """Names of the runs of methods that have options, by their words."""
    return {written: name for written, name in run_names(methods).items() if ":" in written}


def _read_run(run: object) -> tuple[str, Mapping[str, Any]]:
    """Method and options of a run that the caller has named."""
    if isinstance(run, str):
        return read_method(run)
    if isinstance(run, tuple | list) and len(run) == _PAIR:
        method, options = run
        if isinstance(method, str) and isinstance(options, Mapping) and all(isinstance(key, str) for key in options):
            return method, options
    raise InvalidInput(f"{_FORM}, got {run!r:.200} as a run")


def find_names(methods: Methods, runs: Sequence[Run]) -> list[str]:
    """Names of all runs of an evaluation: of its methods, and of the runs of other systems.

    Raises:
        InvalidInput: see :func:`find_methods`.
    """
    return [*(one.name for one in find_methods(methods)), *(run.name for run in runs)]


def check_names(names: Sequence[str]) -> None:
    """Check that names of runs are valid and unique."""
    for place, name in enumerate(names):
        if not isinstance(name, str) or not RUN_NAME.fullmatch(name):
            rule = f"a run's name must be 1 to {LONGEST_NAME} letters, digits, dots, dashes, underscores and plus signs"
            raise InvalidInput(f"{rule}, beginning with a letter or digit, got {name!r}; rename it")
        if name in names[:place]:
            raise InvalidInput(f"names of runs must be unique, got {name!r} twice; rename one of them")


def run_methods(
    subject: EvaluatedCorpus,
    methods: Sequence[EvaluatedMethod],
    questions: Sequence[GoldQuestion],
    k: int,
    progress: Progress,
) -> list[Searched]:
    """Search all questions with all methods for ``k`` chunks each.

    The first question is searched with each method beforehand, so that a missing graph or an invalid option is reported
    at once, and no measured search has to load an index.

    Raises:
        NotBuilt, UnknownMethod, InvalidInput: see ``Corpus.search``.
        CorpusBusy: the corpus was changed during the evaluation.
    """
    first = questions[0].text
    manifests = [subject.search(first, k, one.method, one.options)[0].manifest for one in methods]
    for one in methods:
        if one.kind:
            with suppress(UnusableReply):
                subject.answer(first, one.method, one.options, one.kind == GENERATED)
    return [
        _run(subject, one, manifest, questions, k, progress) for one, manifest in zip(methods, manifests, strict=True)
    ]


def _run(
    subject: EvaluatedCorpus,
    evaluated: EvaluatedMethod,
    manifest: Mapping[str, Any],
    questions: Sequence[GoldQuestion],
    k: int,
    progress: Progress,
) -> Searched:
    recorder, answers = _Recorder(subject.generation), AnswerRecorder(evaluated.kind)
    stage = f"{'answering' if evaluated.kind else 'searching'}: {evaluated.name}"
    progress.start(stage, len(questions), "questions")
    for question in questions:
        recorder.add(question, *subject.search(question.text, k, evaluated.method, evaluated.options))
        if evaluated.kind:
            is_generated = evaluated.kind == GENERATED
            try:
                answer = subject.answer(question.text, evaluated.method, evaluated.options, is_generated)
            except UnusableReply as error:
                answers.add_failure(question.id, error)
            else:
                answers.add(question.id, answer)
        progress.advance(stage)
    progress.finish(stage)
    run = Run(
        evaluated.name,
        evaluated.method,
        {**manifest["options"], **answers.options},
        recorder.rankings,
        recorder.seconds,
        (*recorder.notes, *answers.notes()),
        answers.answers,
        recorder.steps.trails(subject.find_chunks),
        recorder.usage,
    )
    return Searched(run, {**manifest, **answers.manifest}, recorder.texts, answers.failures)
