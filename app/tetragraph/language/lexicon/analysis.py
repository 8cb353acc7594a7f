"""The words of a corpus as arrays, from which dictionary, keyword index and mentions are computed.

Splitting texts into words is the most expensive part of finding entities, and the words of a chunk change with its
titles only: its id changes with its text. So they are stored between ingests, and only chunks that are new or have
other titles are read.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias, cast

import numpy as np

from tetragraph.arrays import Array, Bytes, Ints, Longs
from tetragraph.language.lexicon.identifiers import find_identifiers
from tetragraph.language.lexicon.names import WORD, normalise_word
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import CONNECTORS
from tetragraph.model import Chunk, content_id

KIND = "analysis_4"
"""Kind of these arrays in the array cache."""

CAPITAL = np.uint8(1)
"""The word begins with a capital letter, or is part of an identifier."""
LOWER = np.uint8(2)
"""The word begins with a small letter."""
FIRST = np.uint8(4)
"""The word is the first of a sentence, or of a title."""
TITLE = np.uint8(8)
"""The word is in a title, not in the text."""
_BREAK = 16
_DIGIT = 32
_LIGHT_GAPS = frozenset([" ", "-", ".", ". ", "- ", " - ", " & ", "&", "‐", "–", "\n"])
"""Separators allowed between two words of one capitalised span."""
_COLUMNS = ("word", "start", "end", "flags", "span")
_TYPES = (np.int32, np.int32, np.int32, np.uint8, np.uint8)
BLOCK = 1_000_000
"""Number of tokens that are computed with at a time, which bounds the memory."""
_PACKED = 1_000
"""Number of chunks whose words are packed at a time."""
_KNOWN_WORDS = 200_000
"""Largest number of written words that are kept with what is known of them."""
Item: TypeAlias = tuple[str, Sequence[str], str]
"""Id, titles and text of a chunk."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The words of chunks, one chunk after the other, each with its titles first and then its text.

    Attributes:
        ids: Chunk ids, in the given order.
        words: Distinct normalised words, ascending.
        bounds: ``(chunks + 1,)`` int64 start of each chunk's words in the columns below.
        word: ``(tokens,)`` int32 row in ``words``.
        start: ``(tokens,)`` int32 start in the chunk's text (in its title if ``TITLE`` is set).
        end: ``(tokens,)`` int32 end in the chunk's text or title.
        flags: ``(tokens,)`` uint8 combination of CAPITAL, LOWER, FIRST and TITLE.
        span: ``(tokens,)`` uint8 length in words of the capitalised span that begins here; 0 for none. Words that are
            joined to a syllable of a script without spaces are in none.
        titles: ``(chunks,)`` uint64 hash of the titles of each chunk.
    """

    ids: list[str]
    words: list[str]
    bounds: Longs
    word: Ints
    start: Ints
    end: Ints
    flags: Bytes
    span: Bytes
    titles: Array

    @property
    def row(self) -> Ints:
        """``(tokens,)`` place of each word's chunk in ``ids``."""
        return np.repeat(np.arange(len(self.ids), dtype=np.int32), np.diff(self.bounds))

    def rows_of(self, tokens: Longs) -> Longs:
        """Place in ``ids`` of the chunk of each of some tokens, without a column of all."""
        return np.searchsorted(self.bounds, tokens, side="right") - 1

    def blocks(self) -> Iterator[tuple[slice, slice]]:
        """Consecutive slices of the chunks, each with that of their tokens, of about :data:`BLOCK` tokens."""
        first = 0
        while first < len(self.ids):
            last = int(np.searchsorted(self.bounds, self.bounds[first] + BLOCK, side="right")) - 1
            last = max(last, first + 1)
            yield slice(first, last), slice(int(self.bounds[first]), int(self.bounds[last]))
            first = last

    def arrays(self) -> dict[str, Array]:
        """All columns as named arrays, for the array cache."""
        columns = {name: cast("Array", getattr(self, name)) for name in _COLUMNS}
        packed = {"ids": _pack(self.ids), "words": _pack(self.words)}
        return {**columns, "bounds": self.bounds, "titles": self.titles, **packed}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> Self:
        """Create an analysis from the result of :meth:`arrays`."""
        columns = {name: arrays[name] for name in (*_COLUMNS, "bounds", "titles")}
        return cls(ids=_unpack(arrays["ids"]), words=_unpack(arrays["words"]), **columns)


def analyse_chunks(chunks: Sequence[Chunk], known: Mapping[str, Array] | None = None) -> Analysis:
    """Analyse the words of chunks; those of chunks in ``known`` are copied where they have the same titles.

    Args:
        chunks: Chunks in the order of the result.
        known: Arrays of an earlier analysis with some of the chunks, from the array cache.

    Returns:
        The same arrays, to the byte, as without ``known``.
    """
    if known is None:
        return _read((chunk.id, titles(chunk), chunk.text) for chunk in chunks)
    before = Analysis.from_arrays(known)
    places = {chunk_id: place for place, chunk_id in enumerate(before.ids)}
    hashes = before.titles.tolist()
    ids: list[str] = []

    def unknown() -> Iterator[Item]:
        for chunk in chunks:
            ids.append(chunk.id)
            names, place = titles(chunk), places.get(chunk.id)
            if place is None or hashes[place] != _hash(names):
                yield chunk.id, names, chunk.text

    fresh = _read(unknown())
    if ids == before.ids and not fresh.ids:
        return before
    offset = len(before.ids)
    places |= {chunk_id: offset + place for place, chunk_id in enumerate(fresh.ids)}
    return _select(_join(before, fresh), [places[chunk_id] for chunk_id in ids])


def analyse_text(text: str) -> Analysis:
    """Analyse the words of one text without a title, such as a question."""
    return _read([("", (), text)])


def titles(chunk: Chunk) -> tuple[str, ...]:
    """Titles of a chunk: the title of its document and its heading, without duplicates and empty titles."""
    return tuple(dict.fromkeys(title for title in (chunk.document_title, chunk.title) if title))


def _hash(names: Sequence[str]) -> int:
    return int(content_id(*names), 16)


class _Reader:
    """Collects the columns and the words read so far."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self._columns: tuple[list[int], ...] = ([], [], [], [], [])
        self._packed: tuple[list[Array], ...] = ([], [], [], [], [])
        self._packed_tokens = 0
        self._known_words: dict[str, tuple[int, int, bool]] = {}

    def __len__(self) -> int:
        return self._packed_tokens + len(self._columns[0])

    def pack(self) -> None:
        """Pack the columns read so far: lists of numbers take eight times the memory of arrays."""
        self._packed_tokens = len(self)
        for packed, column, dtype in zip(self._packed, self._columns, _TYPES, strict=True):
            packed.append(np.array(column, dtype))
            column.clear()

    def columns(self) -> Iterator[Array]:
        """All columns, in the order of ``_COLUMNS``, with words by their places in ``words``; each once."""
        self.pack()
        for packed in self._packed:
            yield np.concatenate(packed)
            packed.clear()

    def read(self, text: str, spans: Iterable[tuple[int, int]], extra: int) -> None:
        """Append the words of ``text``, sentence by sentence, each with the flag ``extra``."""
        word, start, end, flags, span = self._columns
        identifiers = deque(find_identifiers(text))
        for sentence_start, sentence_end in spans:
            begin, first, previous = len(word), int(FIRST), sentence_start
            joins: list[tuple[int, bool]] = []
            for match in WORD.finditer(text, sentence_start, sentence_end):
                number, kind, is_link = self._look_up(match[0])
                if number < 0:
                    continue
                at = match.start()
                breaks = 0 if text[previous:at] in _LIGHT_GAPS else _BREAK
                while identifiers and identifiers[0][1] <= at:
                    identifiers.popleft()
                if identifiers and identifiers[0][0] <= at:
                    kind = kind & ~int(LOWER) | int(CAPITAL)
                    breaks = 0 if identifiers[0][0] < previous else _BREAK
                is_joined = bool(joins) and previous == at
                previous = match.end()
                word.append(number)
                start.append(at)
                end.append(previous)
                flags.append((kind & 3) | first | extra)
                if is_joined:  # to a syllable, so where a name begins and ends is not known
                    joins[-1] = (joins[-1][0] & ~int(CAPITAL), joins[-1][1])
                    kind &= ~int(CAPITAL)
                joins.append((kind | breaks, is_link))
                first = 0
            span.extend([0] * len(joins))
            for place, length in _capitalised_runs(joins):
                span[begin + place] = min(length, 255)

    def _look_up(self, token: str) -> tuple[int, int, bool]:
        found = self._known_words.get(token)
        if found is None:
            word = normalise_word(token)
            number = self.words.setdefault(word, len(self.words)) if word else -1
            initial = token[0]
            kind = int(CAPITAL) if initial.isupper() else int(LOWER) if initial.islower() else 0
            if initial.isdigit():
                kind |= _DIGIT
            if len(self._known_words) >= _KNOWN_WORDS:
                self._known_words.clear()
            found = self._known_words[token] = (number, kind, word in CONNECTORS and initial.islower())
        return found


def _capitalised_runs(joins: Sequence[tuple[int, bool]]) -> Iterable[tuple[int, int]]:
    """Place and length of the maximal runs of capitalised words in a sentence, across connectors and digits."""
    place, count = 0, len(joins)
    while place < count:
        if not joins[place][0] & 1:
            place += 1
            continue
        last = ahead = place
        while (ahead := ahead + 1) < count:
            kind, is_link = joins[ahead]
            if kind & _BREAK:
                break
            if kind & (1 | _DIGIT):
                last = ahead
            elif not is_link or ahead - last > 2:
                break
        yield place, last - place + 1
        place = last + 1


def _read(items: Iterable[Item]) -> Analysis:
    reader = _Reader()
    ids: list[str] = []
    bounds, hashes = array("q", [0]), array("Q")
    for chunk_id, names, text in items:
        for name in names:
            reader.read(name, [(0, len(name))], int(TITLE))
        reader.read(text, sentence_spans(text), 0)
        ids.append(chunk_id)
        hashes.append(_hash(names))
        bounds.append(len(reader))
        if len(ids) % _PACKED == 0:
            reader.pack()
    words = sorted(reader.words)
    ranks = np.empty(len(words), dtype=np.int32)
    ranks[[reader.words[item] for item in words]] = np.arange(len(words), dtype=np.int32)
    columns = reader.columns()
    word = ranks[next(columns)]
    start, end, flags, span = columns
    places, titled = np.array(bounds, dtype=np.int64), np.array(hashes, dtype=np.uint64)
    return Analysis(ids, words, places, word, start, end, flags, span, titled)


def _join(first: Analysis, second: Analysis) -> Analysis:
    words = sorted({*first.words, *second.words})
    rank = {word: place for place, word in enumerate(words)}
    moved = [np.array([rank[word] for word in part.words], dtype=np.int32)[part.word] for part in (first, second)]
    return Analysis(
        ids=first.ids + second.ids,
        words=words,
        bounds=np.concatenate([first.bounds, second.bounds[1:] + first.bounds[-1]]),
        word=np.concatenate(moved),
        start=np.concatenate([first.start, second.start]),
        end=np.concatenate([first.end, second.end]),
        flags=np.concatenate([first.flags, second.flags]),
        span=np.concatenate([first.span, second.span]),
        titles=np.concatenate([first.titles, second.titles]),
    )


def _select(analysis: Analysis, places: Sequence[int]) -> Analysis:
    """The analysis of the chunks at ``places``, without words that occur only in other chunks."""
    chosen = np.array(places, dtype=np.int64)
    lengths = np.diff(analysis.bounds)[chosen]
    bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    tokens = np.repeat(analysis.bounds[chosen] - bounds[:-1], lengths) + np.arange(bounds[-1])
    used, word = np.unique(analysis.word[tokens], return_inverse=True)
    return Analysis(
        ids=[analysis.ids[place] for place in places],
        words=[analysis.words[row] for row in used.tolist()],
        bounds=bounds,
        word=word.astype(np.int32),
        start=analysis.start[tokens],
        end=analysis.end[tokens],
        flags=analysis.flags[tokens],
        span=analysis.span[tokens],
        titles=analysis.titles[chosen],
    )


def _pack(texts: Sequence[str]) -> Bytes:
    """Texts without line breaks in one array of bytes; each ends with a line break."""
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode(), dtype=np.uint8)


def _unpack(data: Bytes) -> list[str]:
    return bytes(data).decode().split("\n")[:-1]
