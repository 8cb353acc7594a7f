"""The passages of a benchmark in the forms of other documents: long, without titles, in small letters, in tables.

The gold of a question is preserved; if several passages share a document, it is the span of the passage.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from benchmarks import data
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.algorithms.bm25 import Postings
from tetragraph.evaluate.model import EvaluationReport, Gold, GoldQuestion
from tetragraph.evaluate.questions import read_questions
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.language.spacy_model import PARSING, use_model
from tetragraph.model import Chunk, Document, Heading

SETS = ("hotpotqa_train", "musique_train")
CUTS = (2, 5, 10)
METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "fused": ("fused", {"of": ("dense", "keyword"), "fusion": "ranks"}),
    "dense": ("dense", {}),
    "keyword": ("keyword", {}),
    "evidence-off": ("evidence", {"chain": "off"}),
    "evidence": ("evidence", {}),
}
"""Method and settings by name in the tables; the first is the baseline."""
SHORTEST, LONGEST = 20, 50
"""Smallest and largest number of passages of a long document."""
SEED = 11
_NOUNS = ("NN", "NNS")
"""Tags of common nouns, singular and plural."""
Places: TypeAlias = Mapping[str, Gold]
Rewrite: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a benchmark."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A corpus of a benchmark's passages in another form.

    Attributes:
        places: Place of each passage in the documents, by its id.
        ask: Converts the text of a question.
    """

    documents: list[Document]
    places: Places
    ask: Rewrite = str

    def questions(self, given: Sequence[GoldQuestion]) -> list[GoldQuestion]:
        """Questions of the benchmark, with their gold in these documents."""
        return [
            replace(one, text=self.ask(one.text), gold=tuple(self.places[gold.document] for gold in one.gold))
            for one in given
        ]


def passages(name: str) -> list[Passage]:
    """The passages of a set, in their order."""
    return [Passage(row["id"], row["title"], row["text"]) for row in data.rows(data.corpus(name))]


def as_they_are(given: Sequence[Passage]) -> Shape:
    """Each passage as a document with its own title."""
    return _rewrite_each(given, str)


def with_headings(given: Sequence[Passage]) -> Shape:
    """Long documents on one topic, titled by their first passage; each passage is a section with a heading."""
    return _join_by_topic(
        given, lambda topic: topic[0].title, lambda one: f"## {one.title}\n\n", _prose, has_headings=True
    )


def without_headings(given: Sequence[Passage]) -> Shape:
    """Long documents without informative titles, in which each passage is a paragraph."""
    return _join_by_topic(given, lambda _: "Notes", lambda _: "", _prose)


def untitled(given: Sequence[Passage]) -> Shape:
    """Each passage as a document without a title."""
    return _rewrite_each([replace(one, title="") for one in given], str)


def in_small_letters(given: Sequence[Passage]) -> Shape:
    """Titles and texts in small letters, with unchanged questions."""
    return replace(_rewrite_each(given, str.lower), ask=str)


def all_in_small_letters(given: Sequence[Passage]) -> Shape:
    """Titles, texts and questions in small letters."""
    return _rewrite_each(given, str.lower)


def in_german_capitals(given: Sequence[Passage]) -> Shape:
    """English with the capitals of German: every noun has one, also in questions."""
    return _rewrite_each(given, capitalise_nouns)


def in_tables(given: Sequence[Passage]) -> Shape:
    """Long documents as Markdown tables; a row has a passage's title, its first sentence, and the rest."""
    head = "| Name | What it is | More |\n| --- | --- | --- |\n"
    return _join_by_topic(given, lambda _: "Table", lambda _: "", _row, head=head, gap="\n")


Build: TypeAlias = Callable[[Sequence[Passage]], Shape]
SHAPES: Mapping[str, Build] = {
    "as they are": as_they_are,
    "long, headings": with_headings,
    "long, no headings": without_headings,
    "no titles": untitled,
    "small letters": in_small_letters,
    "small letters, questions too": all_in_small_letters,
    "capitals of German": in_german_capitals,
    "tables": in_tables,
}


def measure_shapes(plan: Plan) -> dict[str, Any]:
    """Measure recall on every shape of the training sets, and the lead of ``evidence`` over ``fused``, in per cent."""
    figures: dict[str, Any] = {}
    for name in SETS:
        given = passages(name)
        asked = read_questions(data.folder() / name / "train.jsonl.gz")[: plan.questions]
        for number, (told, build) in enumerate(SHAPES.items()):
            shape = build(given)
            with Tetragraph.connect(plan.settings) as client:
                corpus = client.corpus(f"{name}-shape-{number}")
                corpus.ingest(shape.documents, build=())
                report = corpus.evaluate(shape.questions(asked), METHODS, ks=CUTS)
            figures |= {f"{name}, {told}, {run}": row for run, row in _figures(report).items()}
    return figures


def _figures(report: EvaluationReport) -> dict[str, dict[str, float]]:
    """Recall of each run, and for ``evidence`` the difference to the baseline with its interval."""
    rows = {}
    for run in report.runs:
        means = report.scores[run.name].metrics
        rows[run.name] = {f"R@{k}": round(100 * means[f"recall@{k}"], 1) for k in CUTS}
    for one in report.comparisons:
        if one.first.startswith("evidence"):
            for what, value in (("ahead", one.difference), ("low", one.low), ("high", one.high)):
                rows[one.first][f"{what} at {one.metric.rpartition('@')[2]}"] = round(100 * value, 1)
    return rows


def capitalise_nouns(text: str) -> str:
    """Capitalise every word that spaCy's English model tags as a noun."""
    letters = list(text)
    with use_model(PARSING, "nouns") as model:
        for token in model(text):
            if token.tag_ in _NOUNS:
                letters[token.idx] = letters[token.idx].upper()
    return "".join(letters)


def topics(given: Sequence[Passage]) -> list[list[Passage]]:
    """Partition the passages into groups of :data:`SHORTEST` to :data:`LONGEST` that share rare words.

    A random passage is grouped with those of the rest that keyword search finds for it; the last group may be smaller.
    """
    postings, terms = _postings(given)
    lot = random.Random(SEED)  # noqa: S311  # the same groups in every run
    order = lot.sample(range(len(given)), len(given))
    free = np.ones(len(given), dtype=bool)
    groups = []
    for first in order:
        if free[first]:
            free[first] = False
            near = np.where(free, postings.score(terms[first]), -1.0)
            size = lot.randint(SHORTEST, LONGEST) - 1
            found = [row for row in np.argsort(-near, kind="stable")[:size].tolist() if free[row]]
            free[found] = False
            groups.append([given[first], *(given[row] for row in found)])
    return groups


def _postings(given: Sequence[Passage]) -> tuple[Postings, list[list[int]]]:
    chunks = [Chunk(one.id, one.id, one.title, one.title, one.text, 0, 0, len(one.text), 0) for one in given]
    analysis = analyse_chunks(chunks)
    says = np.array([word not in STOP_WORDS for word in analysis.words])[analysis.word]
    postings = Postings.build(analysis.row[says], analysis.word[says], len(given), len(analysis.words))
    words = [analysis.word[start:end][says[start:end]] for start, end in pairwise(analysis.bounds.tolist())]
    return postings, [np.unique(of_passage).tolist() for of_passage in words]


def _rewrite_each(given: Sequence[Passage], rewrite: Rewrite) -> Shape:
    documents = [Document(one.id, rewrite(one.title), rewrite(one.text)) for one in given]
    return Shape(documents, {one.id: Gold(one.id) for one in given}, rewrite)


def _join_by_topic(
    given: Sequence[Passage],
    call: Callable[[Sequence[Passage]], str],
    lead: Callable[[Passage], str],
    body: Callable[[Passage], str],
    *,
    head: str = "",
    gap: str = "\n\n",
    has_headings: bool = False,
) -> Shape:
    """Join passages to long documents.

    Args:
        given: Passages of the benchmark.
        call: Returns the title of a document.
        lead: Returns the text before a passage.
        body: Returns the text of a passage, which is the gold.
        head: Text at the start of a document.
        gap: Text after a passage.
        has_headings: Whether a heading with the passage's title starts at its lead.
    """
    documents, places = [], {}
    for number, topic in enumerate(topics(given)):
        identity, text, headings = f"document-{number:04}", head, []
        for one in topic:
            headings.append(Heading(len(text), 2, one.title))
            text += lead(one)
            places[one.id] = Gold(identity, len(text), len(text) + len(body(one)))
            text += body(one) + gap
        kept = tuple(headings) if has_headings else ()
        documents.append(Document(identity, call(topic), text, headings=kept))
    return Shape(documents, places)


def _prose(one: Passage) -> str:
    return one.text


def _row(one: Passage) -> str:
    """A row of a Markdown table."""
    text = " ".join(one.text.split())
    spans = sentence_spans(text)
    first = spans[0][1] if spans else 0
    cells = (one.title, text[:first], text[first:].strip())
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
