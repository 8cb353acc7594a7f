"""The names and terms of a question, looked up in Neo4j: no dictionary of the corpus is read.

Every sequence of words of the question that a name could be is hashed to the id that an entity of this name would have,
and these ids are looked up in one query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from tetragraph.arrays import Longs
from tetragraph.language.lexicon.analysis import FIRST, Analysis, analyse_text
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.lexicon.phrases import LONGEST, Phrases
from tetragraph.language.lexicon.stemming import Stem, load_stemmer
from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.evidence_walk.question_terms import Lexicon


@dataclass(frozen=True, slots=True)
class StoredEntity:
    """An entity of the dictionary as the graph has it.

    Attributes:
        id: Its id: the hash of its normalised name.
        label: Its name in the spelling of the corpus.
        df: Number of chunks that mention it.
        titles: Number of chunks that it titles.
        small: How often a name of one word is written in small letters; None for several words.
    """

    id: str
    label: str
    df: int
    titles: int
    small: str | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """An entity from the columns of ``evidence_walk/find_names``."""
        return cls(row["id"], row["name"], row["df"], row["titles"], row["small"])


@dataclass(frozen=True, slots=True)
class StoredTerms:
    """The terms of a question that a corpus has.

    Attributes:
        terms: Stems, ascending.
        df: ``(terms,)`` number of chunks that contain each.
        words: For each term its words in the question.
    """

    terms: tuple[str, ...]
    df: Longs
    words: tuple[tuple[str, ...], ...]


def find_names(stores: CorpusStores, analysis: Analysis) -> dict[str, StoredEntity]:
    """Entities that a text could name, by normalised name."""
    names = {content_id(name): name for name in possible_names(analysis)}
    rows = stores.graph.read("evidence_walk/find_names", corpus=stores.name, ids=sorted(names)) if names else []
    return {names[row["id"]]: StoredEntity.from_row(row) for row in rows}


def find_terms(stores: CorpusStores, analysis: Analysis) -> StoredTerms:
    """Terms of a text that the corpus has."""
    stem = load_stemmer(stores.record.stem_languages)
    words: dict[str, list[str]] = {}
    for word in analysis.words:
        if word not in STOP_WORDS:
            words.setdefault(stem(word), []).append(word)
    found = stores.graph.read("evidence_walk/find_terms", corpus=stores.name, ids=sorted(words)) if words else []
    df = {row["id"]: row["df"] for row in found}
    terms = tuple(sorted(df))
    return StoredTerms(
        terms, np.array([df[term] for term in terms], dtype=np.int64), tuple(tuple(words[term]) for term in terms)
    )


def make_lexicon(names: Sequence[str], entities: Sequence[StoredEntity], terms: Sequence[str], stem: Stem) -> Lexicon:
    """The dictionary of some entities, numbered in the given order, and some terms, numbered likewise.

    Args:
        names: Distinct normalised names of the entities.
        entities: The entities.
        terms: Stems.
        stem: Stemmer of the corpus.
    """
    split = [name.split(" ") for name in names]
    words = {word: row for row, word in enumerate(sorted({word for parts in split for word in parts}))}
    flat = np.array([words[word] for parts in split for word in parts], dtype=np.int32)
    bounds = np.concatenate([[0], np.cumsum([len(parts) for parts in split])]).astype(np.int64)
    is_common, is_ever_small = np.zeros((2, len(words)), dtype=bool)
    for name, entity in zip(names, entities, strict=True):
        if name in words:
            is_common[words[name]] = entity.small == "mostly"
            is_ever_small[words[name]] = entity.small != "never"
    is_title = np.array([entity.titles > 0 for entity in entities], dtype=bool)
    return Lexicon(
        words,
        {term: row for row, term in enumerate(terms)},
        Phrases.build(flat, bounds),
        is_common,
        is_ever_small,
        is_title.__getitem__,
        stem,
    )


def read_text(text: str) -> Analysis:
    """Words of a question or a part of it."""
    return analyse_text(text)


def names_of(entities: Sequence[StoredEntity]) -> list[str]:
    """The normalised names of entities, from the spelling of the corpus."""
    return [normalise_name(entity.label) for entity in entities]


def possible_names(analysis: Analysis) -> Iterator[str]:
    """Sequences of words of at most :data:`LONGEST` words inside a sentence, each once."""
    words = [analysis.words[row] for row in analysis.word.tolist()]
    is_first = (analysis.flags & FIRST) > 0
    seen: set[str] = set()
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            if end - start > 1 and is_first[end - 1]:
                break
            name = " ".join(words[start:end])
            if name not in seen:
                seen.add(name)
                yield name
