"""The two entities that a question compares, each with the chunk that is about it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.lexicon.names import WORD, normalise_name, normalise_word, without_qualifier
from tetragraph.language.questions.names import find_names
from tetragraph.model import ChainStep, Chunk

_GAP: Final = 9
"""Largest number of words between the two names: "or the director of the film"."""
THAN: Final = ("than", "before", "after")
"""Words between two names of which the first is said to be earlier, older, larger …"""
_PEOPLE: Final = (
    "director|performer|composer|producer|author|writer|singer|creator|founder|editor|screenwriter|father|mother|"
    "husband|wife|spouse|parent"
)
_RELATED: Final = re.compile(
    rf"\b(?P<of>{_PEOPLE})s?\s+of\b|(?:\b(?:whose|has|have|had)|['’]s?)\s+(?:the\s+)?(?P<has>{_PEOPLE})s?\b",
    re.IGNORECASE,
)
_VERBS: Final = {
    "director": r"direct(?:ed|ion|or)",
    "performer": r"(?:perform|record|sung|song)\w*",
    "composer": r"(?:compos|music|scor)\w*",
    "producer": r"produc\w*",
    "author": r"(?:author|written|wrote|novel|by)\w*",
    "writer": r"(?:writ|wrote|screenplay)\w*",
    "singer": r"(?:perform|record|sung|sing|song)\w*",
}
"""Words before the name of a person in relation to a work."""
_NAMESAKES: Final = ("jr ", "junior ", "sr ", "senior ", "ii ", "iii ", "iv ")
"""Words behind a name that make it another person's."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One of two compared entities.

    Attributes:
        name: Name, as the question writes it.
        chunk: Chunk that is about the entity, or about the person in relation to it that the question means.
        relation: Relation of that person, such as ``director``; empty if the chunk is about the entity itself.
    """

    name: str
    chunk: Chunk
    relation: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two compared entities, and the words of the question that are in neither.

    Attributes:
        joint: Word between them: ``or`` or ``and``, otherwise one of :data:`THAN`.
        rest: The question without their names.
    """

    one: Compared
    other: Compared
    joint: str
    rest: str


@dataclass(frozen=True, slots=True)
class _Place:
    """Words of the question, by number, that name the subject of a chunk."""

    first: int
    last: int
    chunk: Chunk


def find_pair(question: str, passages: Sequence[Chunk], chain: Sequence[ChainStep] = ()) -> Pair | None:
    """Find the two entities that a question compares by the titles of chunks, or by the names that open them.

    If the question is about persons in relation to them ("the director of A or of B"), the chunks are those about these
    persons.

    Args:
        question: Text of the question.
        passages: Chunks, best first.
        chain: Sub-questions of the search, whose bridges name the persons.

    Returns:
        None unless both chunks are among the passages, and are not the same.
    """
    words = [(match, normalise_word(match[0])) for match in WORD.finditer(question)]
    words = [(match, word) for match, word in words if word]
    texts = [word for _, word in words]
    places = list(_places(question, [match.start() for match, _ in words], texts, passages))
    found = [(_weight(one, other), one, other) for one, other in _joined(texts, places)]
    if not found:
        return None
    _, one, other = max(found, key=lambda each: each[0])
    offsets = [(words[each.first][0].start(), _end(question, words[each.last][0].end())) for each in (one, other)]
    rest = f"{question[: offsets[0][0]]} _ {question[offsets[0][1] : offsets[1][0]]} _ {question[offsets[1][1] :]}"
    parts = [
        _compared(question[slice(*span)], each.chunk, rest, passages, chain)
        for span, each in zip(offsets, (one, other), strict=True)
    ]
    if parts[0] is None or parts[1] is None:
        return None
    return Pair(parts[0], parts[1], _joint(texts, one, other), rest)


def _end(question: str, end: int) -> int:
    """End of a name, behind the bracket that closes its qualifier."""
    return end + 1 if question[end : end + 1] == ")" else end


def _weight(one: _Place, other: _Place) -> tuple[int, int]:
    """Prefer names of many words, and then those close together."""
    return (one.last - one.first) + (other.last - other.first), one.last - other.first


def _joint(words: Sequence[str], one: _Place, other: _Place) -> str:
    """The conjunction between two names; empty if there is none, or more than a few other words."""
    between = words[one.last + 1 : other.first]
    if other.first <= one.last or len(between) > _GAP:
        return ""
    return next((word for words in (("or", "and"), THAN) for word in between if word in words), "")


def _joined(words: Sequence[str], places: Sequence[_Place]) -> Iterator[tuple[_Place, _Place]]:
    """Yield the places of two chunks that a conjunction joins; in the order of the first, and then of the other."""
    beginning: dict[int, list[int]] = {}
    for number, place in enumerate(places):
        beginning.setdefault(place.first, []).append(number)
    for one in places:
        behind = range(one.last + 1, one.last + _GAP + 2)
        for number in sorted(number for first in behind for number in beginning.get(first, ())):
            other = places[number]
            if one.chunk is not other.chunk and _joint(words, one, other):
                yield one, other


def _places(question: str, starts: Sequence[int], words: Sequence[str], passages: Sequence[Chunk]) -> Iterator[_Place]:
    """Yield the places of the question that name the subject of a chunk, each with the first such chunk.

    Args:
        question: Text of the question.
        starts: Offset of each word, ascending.
        words: The words, normalised.
        passages: Chunks, best first.
    """
    taken: set[tuple[int, int]] = set()
    titles = [(chunk.title, chunk) for chunk in passages]
    for title, chunk in (*titles, *((without_qualifier(title), chunk) for title, chunk in titles)):
        name = normalise_name(title).split()
        for first in range(len(words) - len(name) + 1) if name else ():
            place = (first, first + len(name) - 1)
            if place not in taken and words[first : first + len(name)] == name:
                taken.add(place)
                yield _Place(*place, chunk)
    chunks: dict[str, Chunk | None] = {}
    for start, end in find_names(question, ()):
        key = normalise_name(question[start:end])
        name = key.split()
        begin = bisect_left(starts, start)
        if not name or begin == len(starts) or starts[begin] >= end:
            continue
        if key not in chunks:
            chunks[key] = next((one for one in passages if _opens(one, name)), None)
        chunk_of = chunks[key]
        if chunk_of and (begin, begin + len(name) - 1) not in taken:
            yield _Place(begin, begin + len(name) - 1, chunk_of)


def _opens(chunk: Chunk, name: Sequence[str]) -> bool:
    """Whether a chunk begins with a name, but for an article."""
    words = normalise_name(chunk.text[: 20 + 12 * len(name)]).removeprefix("the ").split()
    wanted = list(name[1:] if name[0] == "the" else name)
    return bool(wanted) and words[: len(wanted)] == wanted


def _compared(
    name: str, chunk: Chunk, rest: str, passages: Sequence[Chunk], chain: Sequence[ChainStep]
) -> Compared | None:
    related = _RELATED.search(rest)
    if not related:
        return Compared(name, chunk)
    relation = (related["of"] or related["has"]).lower()
    person = _person(chunk, relation, passages, chain)
    return Compared(name, person, relation) if person else None


def _person(work: Chunk, relation: str, passages: Sequence[Chunk], chain: Sequence[ChainStep]) -> Chunk | None:
    """The chunk about the person in relation to a work: its title is in the text about the work, after the verb."""
    text = f" {normalise_name(work.text)} "
    verb = re.search(rf" {_VERBS.get(relation, relation)} ", text)
    after = verb.start() if verb else 0
    steps = [step for step in chain if relation in step.question.lower()]
    bridges = [normalise_name(one.name) for step in steps for one in step.bridges[:1]]
    found = []
    for rank, chunk in enumerate(passages):
        name = normalise_name(without_qualifier(chunk.title))
        place = text.find(f" {name} ", after) if name and chunk is not work else -1
        if place >= 0 and not text.startswith(_NAMESAKES, place + len(name) + 2):
            found.append((name not in bridges, place, rank))
    return passages[min(found)[2]] if found else None
