"""The entity dictionary of a corpus: its names, the entities that title each chunk, and the mentioned ones.

An entity is a name that titles a chunk, or a capitalised span that two chunks share. For texts without capitals (a
corpus in small letters, a script without them), rare words take the place of those spans. The dictionary depends on the
chunks alone: the same chunks give the same dictionary, whatever was ingested before.

Source:
    docs/evidence-walk.md, section 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Flags, Ints, Longs
from tetragraph.language.lexicon.analysis import (
    CAPITAL,
    FIRST,
    LOWER,
    TITLE,
    Analysis,
)
from tetragraph.language.lexicon.gazetteer import NO_GAZETTEER, Gazetteer
from tetragraph.language.lexicon.headings import find_generic_headings, without_section_number
from tetragraph.language.lexicon.names import MAX_NAME, normalise_name, surface, without_qualifier
from tetragraph.language.lexicon.phrases import (
    LONGEST,
    Phrases,
    number_sequences,
    without_overlaps,
)
from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.model import Chunk

MIN_CHUNKS = 2
"""Smallest number of chunks with a capitalised span that is an entity."""
_FEW_CAPITALS = 0.01
"""Share of words with a capital inside a sentence below which capitals are not treated as evidence of names."""
_COMMON_SHARE = 50
"""In such a corpus, a word in more than one of this many chunks is not a name by itself."""
_BLOCK = 100_000
"""Mentions that are read at a time."""
_SHORTEST_WORD = 4
"""Smallest number of letters of a word that is a name in such a corpus without being a title."""


@dataclass(frozen=True, slots=True)
class Dictionary:
    """The entities of a corpus and their places; chunks and entities are given by their rows.

    Attributes:
        names: Normalised names, ascending; row ``e`` is an entity.
        labels: The most frequent readable form of each name.
        small_use: How often each name of one word is written in small letters: ``never``, ``sometimes`` or ``mostly``;
            None for a name of several words.
        phrases: Names as word sequences, for finding them in a text.
        is_common: ``(words,)`` True for words mostly in small letters; in a corpus without capitals, for frequent
            words.
        is_ever_small: ``(words,)`` True for words that occur in small letters; in a corpus without capitals, as
            ``is_common``.
        mention_row: ``(mentions,)`` chunks, ascending; with ``mention_entity`` each pair once.
        mention_entity: ``(mentions,)`` entity in the chunk's text, except entities of its own titles.
        mention_count: ``(mentions,)`` number of occurrences.
        place_mention: ``(places,)`` mention of each occurrence in a text.
        place_start: ``(places,)`` offset of that occurrence in the chunk's text.
        title_row: ``(titled,)`` chunks, ascending.
        title_entity: ``(titled,)`` entity that the chunk's title or heading names.
    """

    names: list[str]
    labels: list[str]
    small_use: list[str | None]
    phrases: Phrases
    is_common: Flags
    is_ever_small: Flags
    mention_row: Ints
    mention_entity: Ints
    mention_count: Ints
    place_mention: Ints
    place_start: Ints
    title_row: Ints
    title_entity: Ints

    @property
    def df(self) -> Ints:
        """``(entities,)`` number of chunks that mention each entity."""
        return np.bincount(self.mention_entity, minlength=len(self.names)).astype(np.int32)


def build_dictionary(chunks: Sequence[Chunk], analysis: Analysis, gazetteer: Gazetteer = NO_GAZETTEER) -> Dictionary:
    """Build the entity dictionary of some chunks.

    Args:
        chunks: Chunks in order of id.
        analysis: Analysis of the same chunks, in the same order.
        gazetteer: Known entities: one that a chunk names is in the dictionary, and its aliases stand for it.
    """
    small, capital = _word_use(analysis)
    has_capitals = capital.sum() > _FEW_CAPITALS * (capital.sum() + small.sum())
    if has_capitals:
        is_common, is_ever_small = small > capital, small > 0
        spans = _shared_spans(analysis, is_common)
    else:
        is_common = is_ever_small = _is_frequent(analysis)
        spans = _shared_words(analysis, is_common)
    common = {word for word, is_one in zip(analysis.words, is_common.tolist(), strict=True) if is_one}
    generic = find_generic_headings(chunks, common | STOP_WORDS)
    aliases = [_title_names(chunk, generic) for chunk in chunks]
    forms = sorted({*spans, *(name for group in aliases for name, _ in group if name)})
    forms = [form for form in forms if len(form) <= MAX_NAME]
    if gazetteer:
        forms, free = _with_known(forms, analysis, gazetteer)
        phrases = _phrases(forms, analysis.words)
        token, form, length = find_mentions(analysis, phrases, is_common, anywhere=not has_capitals, free=free)
        used = {forms[row] for row in np.unique(form).tolist()} | {name for group in aliases for name, _ in group}
        forms = [one for one in forms if one in used or one not in gazetteer.by_form]
        aliases = [[(gazetteer.canonical(name), written) for name, written in group] for group in aliases]
    names = sorted({gazetteer.canonical(form) for form in forms})
    rows = {name: row for row, name in enumerate(names)}
    phrases = _phrases(forms, analysis.words)
    if gazetteer:
        target = np.array([rows[gazetteer.canonical(form)] for form in forms], dtype=np.int32)
        free = np.array([form in gazetteer.free_forms for form in forms], dtype=bool)
        token, form, length = find_mentions(analysis, phrases, is_common, anywhere=not has_capitals, free=free)
        entity = target[form]
        phrases = Phrases(phrases.keys, np.where(phrases.phrase < 0, -1, target[phrases.phrase]).astype(np.int32))
    else:
        token, entity, length = find_mentions(analysis, phrases, is_common, anywhere=not has_capitals)
    titled = ((row, rows[name]) for row, group in enumerate(aliases) for name, _ in group if name in rows)
    described = np.unique(np.array(array("q", (row * len(names) + one for row, one in titled)), dtype=np.int64))
    title_row, title_entity = (part.astype(np.int32) for part in np.divmod(described, max(len(names), 1)))
    mentions = _count((analysis.rows_of(token), entity, analysis.start[token]), title_row, title_entity, len(names))
    return Dictionary(
        names,
        _known_labels(_labels(chunks, analysis, names, aliases, (token, entity, length)), names, gazetteer),
        _small_use(names, analysis.words, is_common, is_ever_small),
        phrases,
        is_common,
        is_ever_small,
        *mentions,
        title_row,
        title_entity,
    )


def _with_known(forms: Sequence[str], analysis: Analysis, gazetteer: Gazetteer) -> tuple[list[str], Flags]:
    """The forms with the known ones whose words the corpus has, and which of them are names in small letters, too."""
    words = set(analysis.words)
    known = (form for form in gazetteer.by_form if words.issuperset(form.split(" ")))
    found = sorted({*forms, *known})
    return found, np.array([form in gazetteer.free_forms for form in found], dtype=bool)


def _known_labels(labels: list[str], names: Sequence[str], gazetteer: Gazetteer) -> list[str]:
    """Labels, with those of known entities as they are given."""
    known = gazetteer.by_form
    return [known[name].name if name in known else label for name, label in zip(names, labels, strict=True)]


def _title_names(chunk: Chunk, generic: Collection[str]) -> list[tuple[str, str]]:
    """Names by which a chunk's titles can be an entity: normalised, and as written.

    The name of a file is none, and neither is a generic heading or a title that is too long.
    """
    forms: list[str] = []
    for title in chunk.own_titles:
        is_heading = title != chunk.document_title
        form = without_qualifier(without_section_number(title) if is_heading else title)
        if not (is_heading and normalise_name(form) in generic):
            forms.append(form)
    return [(normalise_name(form), form) for form in forms if len(form) <= MAX_NAME]


def find_mentions(
    analysis: Analysis, phrases: Phrases, is_common: Flags, *, anywhere: bool, free: Flags | None = None
) -> tuple[Longs, Ints, Ints]:
    """Find the mentions of entities in texts: longest match from left to right, within sentences, from a capital on.

    A single word that begins a sentence is not a name if the corpus mostly writes it in small letters.

    Args:
        analysis: Analysis of the texts.
        phrases: Names of the entities.
        is_common: ``(words,)`` whether a word is a name only with a capital.
        anywhere: Whether names may begin without a capital, as in texts without capitals.
        free: ``(phrases,)`` whether a name may begin without a capital; None for none.

    Returns:
        First token, entity, and length in words of each mention, in the order of the text.
    """
    in_text = (analysis.flags & TITLE) == 0
    has_free = free is not None and free.any()
    starts = np.flatnonzero(in_text if anywhere or has_free else in_text & ((analysis.flags & CAPITAL) > 0))
    first = (analysis.flags & FIRST) > 0
    entity, length = phrases.longest(analysis.word, starts, first)
    is_free = free[entity] & (entity >= 0) if free is not None and has_free else np.zeros(len(starts), dtype=bool)
    if not anywhere:
        length[~is_free & ((analysis.flags[starts] & CAPITAL) == 0)] = 0
    length[~is_free & (length == 1) & (anywhere | first[starts]) & is_common[analysis.word[starts]]] = 0
    selected = without_overlaps(starts, length)
    return starts[selected], entity[selected], length[selected]


def _word_use(analysis: Analysis) -> tuple[Longs, Longs]:
    """``(words,)`` numbers of occurrences of each word in small letters, and with a capital inside a sentence."""
    small, capital = np.zeros((2, len(analysis.words)), dtype=np.int64)
    for _, tokens in analysis.blocks():
        word, flags = analysis.word[tokens], analysis.flags[tokens]
        in_text = (flags & TITLE) == 0
        inside = in_text & ((flags & CAPITAL) > 0) & ((flags & FIRST) == 0)
        small += np.bincount(word[in_text & ((flags & LOWER) > 0)], minlength=len(small))
        capital += np.bincount(word[inside], minlength=len(capital))
    return small, capital


def _is_frequent(analysis: Analysis) -> Flags:
    """``(words,)`` True for words in more than one of :data:`_COMMON_SHARE` chunks."""
    return _chunk_counts(analysis) > max(len(analysis.ids) / _COMMON_SHARE, MIN_CHUNKS)


def _shared_words(analysis: Analysis, is_common: Flags) -> list[str]:
    """Uncommon words of at least :data:`MIN_CHUNKS` chunks, which approximate names in text without capitals."""
    shared = np.flatnonzero(~is_common & (_chunk_counts(analysis) >= MIN_CHUNKS)).tolist()
    words = [analysis.words[row] for row in shared]
    return [word for word in words if len(word) >= _SHORTEST_WORD and word.isalpha() and word not in STOP_WORDS]


def _chunk_counts(analysis: Analysis) -> Longs:
    """``(words,)`` number of chunks that contain each word."""
    size = len(analysis.ids)
    counts = np.zeros(len(analysis.words), dtype=np.int64)
    for _, tokens in analysis.blocks():
        row = analysis.rows_of(np.arange(tokens.start, tokens.stop))
        pairs = np.unique(analysis.word[tokens].astype(np.int64) * size + row)
        counts += np.bincount(pairs // size, minlength=len(counts))
    return counts


def _shared_spans(analysis: Analysis, is_common: Flags) -> list[str]:
    """Names of the capitalised spans of at least :data:`MIN_CHUNKS` chunks."""
    starts = np.flatnonzero((analysis.span > 0) & ((analysis.flags & TITLE) == 0))
    lengths = analysis.span[starts].astype(np.int64)
    is_stop = np.array([word in STOP_WORDS for word in analysis.words], dtype=bool)
    while (cut := (lengths > 0) & is_stop[analysis.word[np.minimum(starts, len(analysis.word) - 1)]]).any():
        starts, lengths = starts + cut, lengths - cut
    fits = (lengths > 0) & (lengths <= LONGEST)
    starts, lengths = starts[fits], lengths[fits]
    fits = (lengths > 1) | ~is_common[analysis.word[starts]]
    starts, lengths = starts[fits], lengths[fits]
    number = number_sequences(analysis.word, starts, lengths)
    pairs = np.unique(number * len(analysis.ids) + analysis.rows_of(starts))
    shared = np.bincount(pairs // max(len(analysis.ids), 1)) >= MIN_CHUNKS
    values, example = np.unique(number, return_index=True)
    examples = example[shared[values]]
    return [
        " ".join(analysis.words[word] for word in analysis.word[start : start + length].tolist())
        for start, length in zip(starts[examples].tolist(), lengths[examples].tolist(), strict=True)
    ]


def _phrases(names: Sequence[str], words: Sequence[str]) -> Phrases:
    rank = {word: row for row, word in enumerate(words)}
    lengths = np.fromiter((name.count(" ") + 1 for name in names), dtype=np.int64, count=len(names))
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    found = (rank[word] for name in names for word in name.split(" "))
    return Phrases.build(np.fromiter(found, dtype=np.int32, count=int(bounds[-1])), bounds)


def _small_use(names: Sequence[str], words: Sequence[str], is_common: Flags, is_ever_small: Flags) -> list[str | None]:
    rank = {word: row for row, word in enumerate(words)}
    rows = (rank.get(name) for name in names)
    return [
        None if row is None else "mostly" if is_common[row] else "sometimes" if is_ever_small[row] else "never"
        for row in rows
    ]


def _count(
    places: tuple[Longs, Ints, Ints], title_row: Ints, title_entity: Ints, entities: int
) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Mentions as distinct pairs with counts, without entities of the chunk's own titles, and their places."""
    row, entity, start = places
    pair = row.astype(np.int64) * max(entities, 1) + entity
    described = title_row.astype(np.int64) * max(entities, 1) + title_entity
    selected = ~np.isin(pair, described)
    distinct, mention, count = np.unique(pair[selected], return_inverse=True, return_counts=True)
    chunk, named = np.divmod(distinct, max(entities, 1))
    return (
        chunk.astype(np.int32),
        named.astype(np.int32),
        count.astype(np.int32),
        mention.astype(np.int32),
        start[selected],
    )


def _labels(
    chunks: Sequence[Chunk],
    analysis: Analysis,
    names: Sequence[str],
    aliases: Iterable[Iterable[tuple[str, str]]],
    mentions: tuple[Longs, Ints, Ints],
) -> list[str]:
    """The most frequent spelling of each name in titles, otherwise in texts; the first in the alphabet of equals."""
    rows = {name: row for row, name in enumerate(names)}
    spellings = _Spellings()
    for group in aliases:
        for name, form in group:
            if name in rows:
                spellings.add(rows[name], surface(form))
    is_titled = np.zeros(len(names), dtype=bool)
    is_titled[np.array(spellings.entity, dtype=np.int64)] = True
    token, entity, length = mentions
    is_wanted = ~is_titled[entity]
    for number, written in _written(chunks, analysis, token[is_wanted], entity[is_wanted], length[is_wanted]):
        spellings.add(number, surface(written))
    return [label or name for label, name in zip(spellings.most_frequent(len(names)), names, strict=True)]


def _written(
    chunks: Sequence[Chunk], analysis: Analysis, token: Longs, entity: Ints, length: Ints
) -> Iterator[tuple[int, str]]:
    """The entity of each mention, and how the text writes it; each text is read once."""
    current, text = -1, ""
    for start in range(0, len(token), _BLOCK):
        part = slice(start, start + _BLOCK)
        begin, end = analysis.start[token[part]], analysis.end[token[part] + length[part] - 1]
        columns = (analysis.rows_of(token[part]), entity[part], begin, end)
        for row, number, first, last in zip(*(column.tolist() for column in columns), strict=True):
            if row != current:
                current, text = row, chunks[row].text
            yield number, text[first:last]


class _Spellings:
    """Entities with how they are written, each as often as it is."""

    def __init__(self) -> None:
        self.entity = array("i")
        self._form = array("i")
        self._forms: dict[str, int] = {}

    def add(self, entity: int, form: str) -> None:
        """Add one occurrence."""
        self.entity.append(entity)
        self._form.append(self._forms.setdefault(form, len(self._forms)))

    def most_frequent(self, entities: int) -> list[str]:
        """The most frequent form of each entity, the first in the alphabet of equals; empty without any."""
        forms = sorted(self._forms)
        rank = np.empty(len(forms), dtype=np.int64)
        rank[[self._forms[form] for form in forms]] = np.arange(len(forms))
        found = np.array(self.entity, dtype=np.int64) * len(forms) + rank[np.array(self._form, dtype=np.int64)]
        pair, count = np.unique(found, return_counts=True)
        entity, form = np.divmod(pair, max(len(forms), 1))
        order = np.lexsort((form, -count, entity))
        first, place = np.unique(entity[order], return_index=True)
        labels = [""] * entities
        for number, best in zip(first.tolist(), form[order][place].tolist(), strict=True):
            labels[number] = forms[best]
        return labels
