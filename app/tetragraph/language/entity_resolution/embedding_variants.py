"""Proposals for similar names, decided by the similarity of their embeddings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.entity_resolution.exact_variants import pairs
from tetragraph.language.entity_resolution.guards import RANKS, may_be_one, numbers
from tetragraph.language.entity_resolution.model import NameVectors, Stated
from tetragraph.language.entity_resolution.names import Name, Names
from tetragraph.language.entity_resolution.proposals import Proposal
from tetragraph.language.entity_resolution.spellings import is_near, skeleton
from tetragraph.language.entity_resolution.titles import fact_text_by_name

_PEOPLE: Final = TYPES["NORP"]
_ARTICLES = frozenset(["the", "a", "an"])


def find_similar(
    names: Names, passages: Sequence[Stated], vectors: NameVectors, threshold: float
) -> Iterator[Proposal]:
    """Propose names that differ in at most one distinctive word, by a similar sound, if their cosine suffices."""
    found = list(find_candidates(names, passages))
    keys = sorted({name.key for pair in found for name in pair})
    if not keys:
        return
    embedded = dict(zip(keys, vectors([names.all[key].surface for key in keys]), strict=True))
    for first, second in found:
        product = (embedded[first.key] * embedded[second.key]).sum()  # not by @: BLAS has no fixed order of additions
        cosine = round(float(np.clip(product, 0.0, 1.0)), 4)
        if cosine >= threshold:
            yield Proposal(first.key, second.key, "similar", cosine)


def find_candidates(names: Names, passages: Sequence[Stated]) -> list[tuple[Name, Name]]:
    """Pairs of names that differ in no distinctive word, and that no guard forbids.

    If the evidence is weak (one word, a ruler's name and number, an initial that only one has), documents on one
    subject must state both names. The article of a title must occur in the text, as a text about two brides need not
    mean the film "The Two Brides".
    """
    similar_pairs = [
        (first, second)
        for first, second in pairs(names, _blocks(names))
        if may_be_one(first, second) and _differ_little(first, second) and not names.are_beside(first.key, second.key)
    ]
    fact_texts = fact_text_by_name(
        passages, names, {short.key for short, long in map(_by_length, similar_pairs) if _has_article(short, long)}
    )
    return [
        pair
        for pair in similar_pairs
        if _is_article_stated(names, fact_texts, *_by_length(pair))
        and (_has_strong_evidence(*pair) or names.share(*_keys(pair)))
    ]


def _blocks(names: Names) -> dict[tuple[str, ...], set[str]]:
    """Names by the features that similar names share."""
    blocks: dict[tuple[str, ...], set[str]] = defaultdict(set)
    persons: dict[tuple[str, str], list[Name]] = defaultdict(list)
    initials: dict[tuple[str, ...], list[Name]] = defaultdict(list)
    for name in names.unqualified.values():
        if name.is_concept or name.core.is_cut:
            continue
        words = name.core.words
        blocks[tuple(sorted(words))].add(name.key)
        for place, word in enumerate(words):
            others = sorted([*words[:place], *words[place + 1 :]])
            blocks["~" + skeleton(word), *others].add(name.key)
        if len(words) > 2:
            initials[*(word[0] for word in words[:-1]), words[-1]].append(name)
        if name.is_person and len(words) in (2, 3):
            persons[words[0], words[-1]].append(name)
    for (given, last), namesakes in persons.items():
        full = [name for name in namesakes if len(name.core.words) == 3]
        if len({name.core.words[1][0] for name in full}) == 1 and _have_one_reading(full):
            blocks["-", given, last].update(name.key for name in namesakes)
    for key, namesakes in initials.items():
        if _have_one_reading(namesakes):
            blocks["*", *key].update(name.key for name in namesakes)
    return blocks


def _have_one_reading(namesakes: Sequence[Name]) -> bool:
    """Whether names of the same initials never differ in a word written out: an initial would be ambiguous."""
    for column in zip(*(name.core.words for name in namesakes), strict=True):
        written = sorted({word for word in column if len(word) > 1})
        if any(not is_near(first, second) for first, second in combinations(written, 2)):
            return False
    return True


def _by_length(pair: tuple[Name, Name]) -> tuple[Name, Name]:
    first, second = pair
    return (first, second) if len(first.words) <= len(second.words) else (second, first)


def _keys(pair: tuple[Name, Name]) -> tuple[str, str]:
    return pair[0].key, pair[1].key


def _has_article(short: Name, long: Name) -> bool:
    return long.words[0] in _ARTICLES and long.words[1:] == short.words


def _is_article_stated(names: Names, fact_texts: Mapping[tuple[str, str], str], short: Name, long: Name) -> bool:
    """Whether a fact about the short name contains the article, if the names differ by that alone."""
    if not _has_article(short, long):
        return True
    return any(f" {long.key} " in fact_texts[document, short.key] for document in names.documents[short.key])


def _has_strong_evidence(first: Name, second: Name) -> bool:
    one, other = first.core, second.core
    if len(one.words) == 1 or len(one.words) != len(other.words):
        return False
    return one.address == other.address or len(one.words) > 2 or not numbers(first.words)


def _differ_little(first: Name, second: Name) -> bool:
    """Whether two names have the same words, or initials of them, except for one word of a similar sound."""
    one, other = first.core.words, second.core.words
    if sorted(one) == sorted(other):
        return one == other or _may_be_reordered(first, second)
    if len(one) != len(other):
        return _lacks_initial(first, second)
    different = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if len(different) == 1 and is_near(*different[0]):
        return _PEOPLE not in first.types | second.types
    if len(one) < 3 or any(min(len(a), len(b)) > 1 or a[0] != b[0] for a, b in different):
        return False
    return one[0] == other[0] or any(all(len(word) == 1 for word in words[:-1]) for words in (one, other))


def _may_be_reordered(first: Name, second: Name) -> bool:
    """Whether the order of the words is irrelevant: in names of people it is relevant, except for ranks.

    "Frederick III, Burgrave of Nuremberg" is "Burgrave Frederick III", "Berenguer Ramon I" not "Ramon Berenguer I",
    and two words in another order are two names ("Stephen King").
    """
    one, other = ([word for word in name.core.words if word not in RANKS] for name in (first, second))
    if first.is_person or second.is_person or numbers(first.words):
        return one == other and len(one) > 1
    return len(one) > 2 and "university" not in one


def _lacks_initial(first: Name, second: Name) -> bool:
    """Whether two names of a person differ in one initial between the first and the last word."""
    short, long = sorted((first.core.words, second.core.words), key=len)
    if len(short) != 2 or len(long) != 3 or not (first.is_person and second.is_person):
        return False
    return short == (long[0], long[2]) and len(long[1]) == 1
