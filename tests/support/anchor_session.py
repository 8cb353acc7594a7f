"""A small session to show and to export: three steps that find a person's mother-in-law."""

from __future__ import annotations

from tetragraph.model import Bridge, ChainStep, Chunk, Hit
from tetragraph.model.anchors import (
    Anchor,
    Anchored,
    AnchorGraph,
    AnchorStep,
    Judgement,
    SessionRecord,
)
from tetragraph.model.usage import Usage

QUESTION = "Who is Mugain's mother-in-law?"
RECORD = SessionRecord(
    id="5e55101a5e55101a",
    question=QUESTION,
    status="ended",
    stopped="sufficient",
    retriever="evidence",
    reasoner="token_free",
    options={"steps": 4, "retriever": "evidence"},
    k=2,
    filters={"year": {"gte": 500}},
    steps=3,
    started="2026-11-22T12:00:00Z",
    expires="",
    answer="Corbach ingen Maine",
)


def passage(identity: str, title: str, text: str = "Words.") -> Chunk:
    """A chunk that is a whole document."""
    return Chunk(identity, f"doc-{identity}", title, title, text, 0, 0, len(text), 3)


def found(*chunks: Chunk) -> tuple[Hit, ...]:
    """Chunks as hits, in the given order."""
    return tuple(Hit(rank, round(1 / rank, 4), chunk) for rank, chunk in enumerate(chunks, 1))


def a_step(
    number: int,
    graph: AnchorGraph,
    *hits: Chunk,
    query: str = QUESTION,
    judgement: Judgement | None = "insufficient",
    thought: str = "",
    next_query: str = "",
) -> AnchorStep:
    """A step of a search with method evidence."""
    return AnchorStep(number, QUESTION, query, "evidence", found(*hits), graph, thought, judgement, next_query)


MUGAIN = passage("c1", "Mugain", "Mugain was the wife of the king Diarmait mac Cerbaill.")
QUEENS = passage("c2", "Queens of Tara")
DIARMAIT = passage("c3", "Diarmait mac Cerbaill", "Diarmait was the son of Corbach, daughter of Maine.")
FIRST = AnchorGraph(
    (
        Anchor("mugain", "Mugain", ("queen of Tara",), 1, "e1", ("c1", "c2")),
        Anchor("diarmait mac cerbaill", "Diarmait mac Cerbaill", (), 1, "e2", ("c1",)),
    ),
    (Anchored("mugain", "wife of", "diarmait mac cerbaill", 1),),
)
SECOND = AnchorGraph(
    (
        FIRST.anchors[0],
        Anchor("diarmait mac cerbaill", "Diarmait mac Cerbaill", ("king",), 1, "e2", ("c1", "c3")),
        Anchor("corbach ingen maine", "Corbach ingen Maine", ("daughter of Maine",), 2, "", ("c3",)),
    ),
    (*FIRST.relations, Anchored("diarmait mac cerbaill", "son of", "corbach ingen maine", 2)),
)
STEPS = (
    AnchorStep(
        1,
        QUESTION,
        QUESTION,
        "evidence",
        found(MUGAIN, QUEENS),
        FIRST,
        "It is known whom Mugain was married to, and not who his mother was.",
        "insufficient",
        "Who is the mother of Diarmait mac Cerbaill?",
        notes=("the corpus has no fact graph: sentences stand in for it",),
        usage=Usage(1, input_tokens=100, output_tokens=20),
        chain=(
            ChainStep("Who is Mugain's husband?", (), (Bridge("e2", "Diarmait mac Cerbaill", 0.9),), (("c1", 0.8),)),
        ),
    ),
    a_step(
        2,
        SECOND,
        DIARMAIT,
        MUGAIN,
        query="Who is the mother of Diarmait mac Cerbaill?",
        thought="A name is there; one more look.",
        next_query="Corbach ingen Maine",
    ),
    a_step(
        3,
        SECOND,
        DIARMAIT,
        query="Corbach ingen Maine",
        thought="The mother of her husband is named.",
        judgement="sufficient",
    ),
)
