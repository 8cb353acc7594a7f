"""Calls of the Python interface with hostile arguments, each made from a seed and a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.hostile_values import pick, shown, text, value
from tetragraph import Document, Tetragraph
from tetragraph.client.corpus import Corpus
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

QUESTIONS = ("When was the author of Low Tide born?", "Who built the harbour of Halvik?", "Old Port")
FILTERS: tuple[Any, ...] = (None, {"kind": "page"}, {"year": {"gte": 1905}}, {"year": [1901, 1902]})
LONGEST_DOCUMENT = 6_000
"""Longest generated document in characters; a longer one takes its time to embed, not because it is hostile."""
METHODS = tuple(RETRIEVERS)
GRAPHS = tuple(BUILD_TARGETS)


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the calls are made.

    Attributes:
        client: Connection to the stores.
        read: Name of a corpus with all graphs, which no call changes.
        changed: Name of a corpus that calls ingest into and delete from.
        folder: Folder for files.
    """

    client: Tetragraph
    read: str
    changed: str
    folder: Path

    @property
    def corpus(self) -> Corpus:
        """The corpus that is only read."""
        return self.client.corpus(self.read)

    @property
    def target(self) -> Corpus:
        """The corpus that is changed."""
        return self.client.corpus(self.changed)


@dataclass(frozen=True, slots=True)
class Case:
    """One call.

    Attributes:
        kind: Name of the call.
        given: Its arguments by name.
        call: Calls the interface.
    """

    kind: str
    given: Mapping[str, Any]
    call: Callable[[Ground, dict[str, Any]], object]

    def run(self, ground: Ground) -> object:
        """Make the call, and print what it returns into a text, as a user would."""
        return repr(self.call(ground, dict(self.given)))

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(f'{name}={shown(one)}' for name, one in self.given.items())})"


@dataclass(frozen=True, slots=True)
class Kind:
    """A call with valid values of its arguments, some of which are replaced by hostile ones.

    Attributes:
        call: Calls the interface.
        valid: Argument to values that it accepts.
        weight: Relative frequency.
    """

    call: Callable[[Ground, dict[str, Any]], object]
    valid: Mapping[str, Sequence[Any]]
    weight: int = 1


def generate(seed: int, count: int, longest: int) -> Iterator[Case]:
    """Cases of a seed; the case of a number does not depend on the others.

    Args:
        seed: Seed of the random numbers.
        count: Number of cases.
        longest: Longest question and title in characters.
    """
    names = [name for name, kind in KINDS.items() for _ in range(kind.weight)]
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        name = pick(rng, names)
        yield Case(name, _MAKERS.get(name, _arguments)(rng, longest, name), KINDS[name].call)


def _arguments(rng: np.random.Generator, longest: int, name: str) -> dict[str, Any]:
    """Valid arguments, of which at least one is hostile; a hostile question is a text three times of four."""
    given = {argument: pick(rng, values) for argument, values in KINDS[name].valid.items()}
    spoilt = pick(rng, list(given))
    for argument in given:
        if argument == spoilt or rng.random() < 0.15:
            is_text = isinstance(given[argument], str) and rng.random() < 0.75
            given[argument] = text(rng, longest) if is_text else value(rng, longest)
    return given


def _search_options(rng: np.random.Generator, longest: int, _: str) -> dict[str, Any]:
    method = pick(rng, METHODS)
    names = [field.name for field in fields(RETRIEVERS[method].search_options)]
    chosen = {pick(rng, names): value(rng, longest) for _ in range(int(rng.integers(1, 3)))} if names else {}
    return {"question": pick(rng, QUESTIONS), "method": method, **chosen}


def _build_options(rng: np.random.Generator, longest: int, _: str) -> dict[str, Any]:
    what = pick(rng, GRAPHS)
    options = BUILD_TARGETS[what].build_options
    names = [field.name for field in fields(options)] if options else ["if_drifted"]
    return {"what": what, pick(rng, names): value(rng, longest)}


def _questions(rng: np.random.Generator, longest: int, _: str) -> dict[str, Any]:
    return {"question": text(rng, longest), "method": pick(rng, METHODS)}


def _filters(rng: np.random.Generator, longest: int, _: str) -> dict[str, Any]:
    keys = ("year", "kind", text(rng, 50))
    filters = {pick(rng, keys): value(rng, longest) for _ in range(int(rng.integers(1, 3)))}
    given = filters if rng.random() < 0.8 else value(rng, longest)
    return {"question": pick(rng, QUESTIONS), "method": pick(rng, METHODS), "filters": given}


def _documents(rng: np.random.Generator, longest: int, _: str) -> dict[str, Any]:
    documents = [_document(rng, longest) for _ in range(int(rng.integers(1, 4)))]
    graphs = tuple(graph for graph in GRAPHS if rng.random() < 0.3)
    return {"documents": documents, "build": graphs}


def _document(rng: np.random.Generator, longest: int) -> dict[str, Any]:
    """Fields of a document; some break the rules for documents."""
    words = " ".join(text(rng, min(6 * longest, LONGEST_DOCUMENT) // 4) for _ in range(int(rng.integers(1, 5))))
    metadata = {text(rng, 40): value(rng, longest) for _ in range(int(rng.integers(3)))} if rng.random() < 0.4 else {}
    given: dict[str, Any] = {
        "id": " ".join(text(rng, min(longest, 500)).split()) or "empty",
        "title": text(rng, longest),
        "text": words,
        "source": text(rng, 100),
        "metadata": metadata,
    }
    if rng.random() < 0.15:
        given[pick(rng, list(given))] = value(rng, longest)
    return given


def _ingest_documents(ground: Ground, given: dict[str, Any]) -> object:
    """Ingest them, then ask: a corpus must answer whatever it holds."""
    documents = [Document(**one) for one in given["documents"]]
    report = ground.target.ingest(documents, build=given["build"])
    return report, ground.target.search("Who lives in Halvik?", method="dense"), _ingest_again(ground, documents)


def _ingest_again(ground: Ground, documents: Sequence[Document]) -> object:
    stored = ground.target.ingest(documents[:1], build=())
    return stored, ground.target.search("Halvik", method="keyword")


def _search(ground: Ground, given: dict[str, Any]) -> object:
    found = ground.corpus.search(given.pop("question"), **given)
    return found, [hit.to_dict() if hasattr(hit, "to_dict") else hit for hit in found]


def _explain(ground: Ground, given: dict[str, Any]) -> object:
    found = ground.corpus.search(given["question"], method=given["method"])
    return found, ground.corpus.explain(found, given["hit"]) if len(found) else None


def _ask(ground: Ground, given: dict[str, Any]) -> object:
    return ground.corpus.ask(given.pop("question"), generate=False, **given)


def _anchor(ground: Ground, given: dict[str, Any]) -> object:
    run = ground.corpus.anchor(given.pop("question"), generate=False, **given)
    return run.answer, run.session.record, run.session.export("html"), run.session.export("graphml")


def _export(ground: Ground, given: dict[str, Any]) -> object:
    found = ground.corpus.search(given["question"], method="evidence")
    return ground.corpus.export(
        ground.folder / f"export.{given['form']}",
        found,
        form=given["form"],
        title=given["title"],
        overwrite=True,
    )


def _between(ground: Ground, given: dict[str, Any]) -> object:
    return ground.corpus.entities.between(given.pop("first"), given.pop("second"), **given)


def _run(ground: Ground, given: dict[str, Any]) -> object:
    return ground.corpus.analytics.run(given.pop("name"), **given).to_csv()


def _counts(ground: Ground, given: dict[str, Any]) -> object:
    return ground.client.corpus(given["name"]).counts()


_MAKERS: Mapping[str, Callable[[np.random.Generator, int, str], dict[str, Any]]] = {
    "search, question": _questions,
    "search, options": _search_options,
    "search, filters": _filters,
    "ingest, documents": _documents,
    "build, options": _build_options,
    "estimate": _build_options,
}
_ASKED: Mapping[str, Sequence[Any]] = {"question": QUESTIONS, "k": (1, 5), "filters": FILTERS}
KINDS: Mapping[str, Kind] = {
    "search, question": Kind(_search, {}, 12),
    "search, options": Kind(_search, {}, 8),
    "search, filters": Kind(_search, {}, 6),
    "search, arguments": Kind(_search, {**_ASKED, "method": METHODS}, 2),
    "ingest, documents": Kind(_ingest_documents, {}, 8),
    "ingest, arguments": Kind(
        lambda ground, given: ground.target.ingest(given.pop("source"), **given),
        {
            "source": ([Document("a", "Halvik", "Halvik is a town.")],),
            "build": (("gain",), ()),
            "embedder": (None,),
            "chunk_tokens": (None,),
            "sentences": (None,),
            "loader": (None,),
        },
        2,
    ),
    "build, options": Kind(lambda ground, given: ground.target.build(given.pop("what"), **given), {}, 2),
    "build": Kind(lambda ground, given: ground.target.build(given["what"]), {"what": GRAPHS}),
    "estimate": Kind(lambda ground, given: ground.corpus.estimate(given.pop("what"), **given), {}),
    "delete": Kind(lambda ground, given: ground.target.delete(given["id"]), {"id": ("absent",)}),
    "ask": Kind(_ask, {**_ASKED, "method": METHODS, "iterations": (1,), "context_tokens": (1000,)}, 3),
    "anchor": Kind(_anchor, {**_ASKED, "ttl": (None,), "retriever": ("dense",), "steps": (2,)}, 3),
    "facts": Kind(lambda ground, given: ground.corpus.facts(given.pop("question"), **given), _ASKED, 2),
    "explain": Kind(_explain, {"question": QUESTIONS, "method": METHODS, "hit": (1, 2)}, 2),
    "export": Kind(_export, {"question": QUESTIONS, "form": ("graphml", "jsonl", "html"), "title": ("",)}),
    "theme": Kind(lambda ground, given: ground.corpus.theme(**given), {"theme": ("0",), "limit": (5,)}),
    "affinity": Kind(lambda ground, given: ground.corpus.affinity(**given), {"first": ("a",), "second": ("b",)}),
    "session": Kind(lambda ground, given: ground.corpus.session(given["session"]), {"session": ("a",)}),
    "sessions": Kind(lambda ground, given: ground.corpus.sessions.newest(given["limit"]), {"limit": (5,)}),
    "entity": Kind(lambda ground, given: ground.corpus.entities.get(given["entity"]), {"entity": ("Halvik",)}, 2),
    "entity facts": Kind(
        lambda ground, given: ground.corpus.entities.facts(**given), {"entity": ("Halvik",), "limit": (5,)}
    ),
    "between": Kind(_between, {"first": ("Halvik",), "second": ("Old Port",), "hops": (1, 2), "limit": (5,)}, 2),
    "split": Kind(
        lambda ground, given: ground.target.entities.split(**given), {"entity": ("Halvik",), "alias": ("Old Port",)}
    ),
    "by role": Kind(
        lambda ground, given: ground.corpus.entities.by_role(**given), {"role": ("subject",), "limit": (5,)}
    ),
    "merged": Kind(lambda ground, given: ground.corpus.entities.merged(given["limit"]), {"limit": (5,)}),
    "analytics": Kind(_run, {"name": ("find_coverage",), "limit": (5,)}, 2),
    "corpus": Kind(_counts, {"name": ("absent",)}),
}
"""Calls by name: searches, changes, answers, explanations, and what reads the graphs."""
