"""Inputs that once ended in a raw error, in a hang or in an unusable corpus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.hostile_calls import KINDS, METHODS, Case, Ground
from tetragraph import Document

_TOWN = Document("town", "Halvik", "Halvik is a town in Sund County. Orla Brandt built its harbour.")
_NAMELESS = {
    "words": ("hello there my friend", "a row about nothing"),
    "numbers": ("1 2 3", "4 5 6"),
    "emoji": ("👩‍👩‍👧‍👦 🎉", "🎉 🎉"),
    "Chinese": ("东京在哪里", "我们喜欢茶"),
}
_NESTED = 20_000


def _alone(ground: Ground, given: dict[str, Any]) -> object:
    """Ingest into a corpus that has no other documents, ask it, and ingest something else."""
    alone = ground.client.corpus(f"{ground.changed}-alone")
    try:
        report = alone.ingest(given["documents"], build=given["build"])
        return report, alone.search("Who?", method="dense"), alone.ingest([_TOWN], build=given["build"])
    finally:
        if alone.name in {corpus.name for corpus in ground.client.corpora()}:
            alone.drop()


def _page(ground: Ground, given: dict[str, Any]) -> object:
    file = ground.folder / "nested.html"
    file.write_text("<html><body>" + "<div>" * given["depth"] + "Halvik is a town.", encoding="utf-8")
    return ground.target.ingest(file, build=())


def _cases() -> Iterator[Case]:
    for mark in "\"'._(":
        for method in METHODS:
            yield _case("search, question", question=mark * 9_999, method=method)
    for question in ("When was #1 taken by #2?", "#1", "Who is #2 of #1 and #0?"):
        for method in METHODS:
            yield _case("search, question", question=question, method=method)
        yield _case("anchor", question=question)
    for texts in _NAMELESS.values():
        documents = [Document(str(place), "", text) for place, text in enumerate(texts)]
        yield Case("ingest, alone", {"documents": documents, "build": ("gain", "tree", "bipartite", "types")}, _alone)
    for size in (8_400, 100_000):
        for spoilt in (
            {"id": "i" * size},
            {"title": "t" * size},
            {"metadata": {"m" * size: 1}},
            {"source": "s" * size},
        ):
            given: dict[str, Any] = {"id": "long", "title": "Long", "text": _TOWN.text, **spoilt}
            yield Case("ingest, alone", {"documents": [Document(**given)], "build": ("gain",)}, _alone)
    yield Case("ingest, page", {"depth": _NESTED}, _page)
    yield from _wrong_types()


def _wrong_types() -> Iterator[Case]:
    asked = {"question": "Who built the harbour of Halvik?"}
    for filters in (["year"], "year", 3, {"kind": "\ud800"}, {"year": 10**400}, {"year": "-" * 50_000 + "1"}):
        yield _case("search, filters", **asked, method="dense", filters=filters)
    options: tuple[dict[str, Any], ...] = (
        *({"method": "gain", "level_weights": 3}, {"method": "fused", "of": 3}, {"method": "fused", "weights": 3}),
        *({"method": ["dense"]}, {"method": "dense", "k": 10**20}, {"method": "anchor", "retriever": ["dense"]}),
        *({"method": "evidence", name: float("inf")} for name in ("coverage", "title_weight", "keyword")),
    )
    for given in options:
        yield _case("search, options", **asked, **given)
    yield _case("ingest, arguments", source=[_TOWN], loader=["x"])
    yield _case("ingest, arguments", source=None)
    yield _case("ingest, arguments", source=[_TOWN], chunk_tokens="many")
    yield _case("delete", id=["x"])
    yield _case("affinity", first=["x"], second=["x"])
    yield _case("theme", theme=None)
    yield _case("analytics", name=None)


def _case(kind: str, **given: Any) -> Case:
    return Case(kind, given, KINDS[kind].call)


KNOWN = tuple(_cases())
"""Calls of these inputs."""
