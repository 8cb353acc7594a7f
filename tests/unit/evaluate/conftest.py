"""A corpus without stores: it finds the documents that share words with a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from tetragraph.arrays import Vectors
from tetragraph.errors import NotBuilt, UnusableReply
from tetragraph.evaluate.model import Found, Gold, GoldQuestion
from tetragraph.evaluate.run_methods import EvaluatedCorpus
from tetragraph.model import Chunk, Evidence, Hit
from tetragraph.model.answers import Answer, AnswerKind, Citation
from tetragraph.model.usage import NOTHING, Usage

PAGES = {
    "kron": "elva kron painter halvik",
    "halvik": "halvik town sund county",
    "tide": "low tide poem arild",
    "arild": "jens arild poet mayor",
}


class Corpus:
    """Ranks its pages by words in common with the question, and takes down every search."""

    def __init__(self) -> None:
        self.generation = 3
        self.searched: list[tuple[str, str]] = []
        self.seconds = 0.0
        self.steps: dict[str, list[list[str]]] = {}
        """Question to what each step of ``anchor`` finds; the best page in one step where it is not set."""
        self.refused: set[str] = set()
        """Questions on which the model gives no usable reply."""

    def subject(self) -> EvaluatedCorpus:
        facts = {"embedder": "words"}
        return EvaluatedCorpus(
            "world",
            self.generation,
            facts,
            self._search,
            self._find_titles,
            self._answer,
            self._find_chunks,
            self._find_places,
            self._find_vectors,
        )

    def _search(self, question: str, k: int, method: str, options: Mapping[str, Any]) -> tuple[Evidence, float]:
        if method == "gain":
            raise NotBuilt("corpus 'world' has no gain graph: `tetragraph build gain -c world` makes it")
        self.searched.append((method, question))
        self.seconds += 0.25
        sign = -1 if options.get("reverse") else 1
        words = set(question.split())
        scored = sorted((-sign * len(words & set(text.split())), name) for name, text in PAGES.items())
        hits = tuple(Hit(rank, -score, chunk(name)) for rank, (score, name) in enumerate(scored[:k], start=1))
        manifest = {"generation": self.generation, "neo4j": "1", "gds": None, "model_hash": "m"}
        notes = ("a word was passed over",) if "?" in question else ()
        manifest |= {"options": {"reverse": False, **options}}
        if method != "anchor":
            return Evidence(question, method, hits, manifest, notes), self.seconds
        steps = self.steps.get(question, [[name for _, name in scored[:1]]])
        trace, usage = {"anchor": trace_of(steps)}, Usage(calls=len(steps), input_tokens=5)
        return Evidence(question, method, hits, manifest, notes, trace=trace, usage=usage), self.seconds

    def _answer(self, question: str, method: str, options: Mapping[str, Any], is_generated: bool) -> Answer:
        """The first word of the best page, in capitals where a model would word it; it cites that page twice."""
        if is_generated and question in self.refused:
            raise UnusableReply("the model must answer, and refuses", "No.")
        evidence, _ = self._search(question, 2, method, options)
        chunk = evidence[0].chunk
        citation = Citation.of(chunk, 0, 4)
        kind: AnswerKind = "generated" if is_generated else "extractive"
        manifest = {"answer": {"kind": kind}, **({"llm": {"model": "m"}} if is_generated else {})}
        usage = Usage(calls=1, input_tokens=7, output_tokens=3) if is_generated else NOTHING
        text = chunk.title.upper() if is_generated else chunk.text.split()[0]
        dropped, insufficient = int(is_generated), "?" in question
        return Answer(question, text, kind, (citation, citation), dropped, insufficient, evidence, (), usage, manifest)

    def _find_titles(self, ids: Sequence[str]) -> dict[str, str]:
        return {one: one.title() for one in ids if one in PAGES}

    def _find_chunks(self, ids: Sequence[str]) -> dict[str, Chunk]:
        return {one: chunk(one.removeprefix("c-")) for one in ids if one.removeprefix("c-") in PAGES}

    def _find_places(self, ids: Sequence[str]) -> list[Found]:
        return [Found(f"c-{one}", one, "", 0, len(PAGES[one]), 0.0) for one in ids if one in PAGES]

    def _find_vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """For each chunk a vector with 1 for each of its words."""
        words = sorted({word for text in PAGES.values() for word in text.split()})
        return {
            one: np.array([word in PAGES[one.removeprefix("c-")].split() for word in words], dtype=np.float32)
            for one in ids
        }


def chunk(name: str) -> Chunk:
    """A page as one passage."""
    return Chunk(f"c-{name}", name, name.title(), "", PAGES[name], 0, 0, len(PAGES[name]), 4)


def trace_of(steps: Sequence[Sequence[str]]) -> dict[str, Any]:
    """What a search in several steps tells of them, where each step adds two anchors and a relation."""
    return {
        "stopped": "sufficient" if len(steps) > 1 else "no new evidence",
        "reasoner": "token_free",
        "steps": [
            {
                "number": number,
                "query": f"query {number}",
                "chunks": [f"c-{name}" for name in names],
                "anchors": 2 * number,
                "relations": number,
                "judgement": "sufficient" if number == len(steps) else "insufficient",
                "next_query": "" if number == len(steps) else f"query {number + 1}",
                "notes": [],
            }
            for number, names in enumerate(steps, start=1)
        ],
    }


@pytest.fixture
def corpus() -> Corpus:
    return Corpus()


@pytest.fixture
def questions() -> list[GoldQuestion]:
    return [
        GoldQuestion("q1", "painter of halvik ?", (Gold("kron"), Gold("halvik")), ("Elva Kron",), 2, "bridge"),
        GoldQuestion("q2", "poem of arild", (Gold("tide"),), ("Low Tide",), 1),
        GoldQuestion("q3", "mayor", answers=("Jens Arild",)),
    ]
