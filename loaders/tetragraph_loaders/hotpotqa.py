"""HotpotQA and 2WikiMultiHopQA as released: one JSON array whose rows have contexts and supporting facts.

Both are read in the published layout (``[[title, sentences], …]``) and in the column layout of data-set hubs
(``{"title": […], "sentences": […]}``). A passage's text consists of its sentences as published, which include the blank
between them in HotpotQA, but not in 2WikiMultiHopQA. Gold is every whole passage that the supporting facts name.

Source: Yang et al. (2018), HotpotQA; Ho et al. (2020), Constructing A Multi-hop QA Dataset. Not for the ``fullwiki``
files of HotpotQA, whose contexts lack gold passages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tetragraph.errors import UnreadableDocument
from tetragraph.evaluate.model import GoldQuestion
from tetragraph_loaders.benchmark import Benchmark, Passage, gold_of
from tetragraph_loaders.records import Record
from tetragraph_loaders.rows import kind_of

_COLUMNS = {"context": ("title", "sentences"), "supporting_facts": ("title", "sent_id")}


def _pairs(record: Record, key: str) -> list[tuple[str, object]]:
    """Titles, each with the value paired with it."""
    value = record.values.get(key)
    if isinstance(value, dict):
        columns = Record(record.number, record.where, value)
        titles, others = (columns.items(name) for name in _COLUMNS[key])
        pairs: Iterable[object] = list(map(list, zip(titles, others, strict=False)))
    else:
        pairs = record.items(key)
    found = []
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)):
            expected = ", ".join(_COLUMNS[key])
            raise UnreadableDocument(f"{key!r} must be a list of [{expected}], got {kind_of(pair)} in it; mend the row")
        found.append((pair[0], pair[1]))
    return found


def _contexts(record: Record, between: str) -> list[Passage]:
    if "context" not in record.values:
        raise UnreadableDocument("a row must have 'context', this one has not; take the file with contexts")
    passages = []
    for title, sentences in _pairs(record, "context"):
        if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
            raise UnreadableDocument(f"the sentences of {title!r} must be a list of texts; mend the row")
        passages.append((title, between.join(sentences)))
    return passages


def _gold_passages(record: Record, between: str) -> list[Passage]:
    """The passages that supporting facts name; the first of several with the same title."""
    by_title = dict(reversed(_contexts(record, between)))
    wanted = list(dict.fromkeys(title for title, _ in _pairs(record, "supporting_facts")))
    missing = [title for title in wanted if title not in by_title]
    if missing:
        rule = "each title of 'supporting_facts' must have its passage in 'context'"
        raise UnreadableDocument(f"{rule}, {missing[0]!r} has none; take the file with gold passages (distractor)")
    return [(title, by_title[title]) for title in wanted]


def _reader(between: str, hops: Callable[[int], int]) -> Callable[[Record], GoldQuestion]:
    def question(record: Record) -> GoldQuestion:
        gold = gold_of(_gold_passages(record, between))
        answer = record.optional_text("answer")
        return GoldQuestion(
            id=record.text("_id" if "_id" in record.values else "id"),
            text=record.text("question"),
            gold=gold,
            answers=(answer,) if answer else (),
            hops=hops(len(gold)) or None,
            kind=record.optional_text("type"),
        )

    return question


HOTPOTQA = Benchmark(
    lambda row: "context" in row and "evidences" not in row,
    _reader("", lambda _: 2),
    lambda record: _contexts(record, ""),
)
TWO_WIKI = Benchmark(
    lambda row: "context" in row and "evidences" in row,
    _reader(" ", lambda passages: passages),
    lambda record: _contexts(record, " "),
)
