"""Proposals from titles: "X (film)" is the X of its document, and of others with evidence for that."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.entity_resolution.guards import RANKS
from tetragraph.language.entity_resolution.model import Stated
from tetragraph.language.entity_resolution.name_cores import is_numeral
from tetragraph.language.entity_resolution.names import Names, Title, most_frequent_type
from tetragraph.language.entity_resolution.proposals import Proposal
from tetragraph.language.facts.phrases import CONCEPT, COUNTED
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.lexicon.words import STOP_WORDS

_WORKS_LIST = """
film films movie song single album novel book play opera musical ep series serial game soundtrack miniseries story poem
comics manga magazine newspaper show painting documentary franchise sitcom
"""
_WORKS = frozenset(_WORKS_LIST.split())
_PARTS = frozenset(["soundtrack", "season"])
_NOT_MEANT_BY_TITLES = frozenset([CONCEPT, *COUNTED, TYPES["NORP"], TYPES["LANGUAGE"]])
"""Types of names that a title with a qualifier hardly denotes."""
_STEM = 5
_UNUSED, _EVIDENT, _INSIDE = 1.0, 0.9, 0.98
_COMMA_INSIDE = 0.97


def find_qualified(names: Names, passages: Sequence[Stated]) -> Iterator[Proposal]:
    """Propose the bare form of each title with a qualifier, in the whole corpus if all documents mean the title.

    Otherwise in the title's documents, and in others with evidence that they mean it. "Chicago" is a city in documents
    that name the city beside the film, "John Hopkins (composer)" not the John Hopkins of another century.
    """
    fact_texts = fact_text_by_name(
        passages, names, {title.bare for title in names.titles.values() if title.bare != title.key}
    )
    for title in names.titles.values():
        if title.bare == title.key or title.key not in names.all:
            continue
        using = names.documents.get(title.bare, frozenset())
        own = names.documents_titled[title.key]
        if len(names.titles_of[title.bare]) > 1:
            evident = frozenset[str]()
        else:
            evident = frozenset(
                document for document in using - own if _has_evidence(names, title, document, fact_texts)
            )
        if using <= own | evident and len(names.titles_of[title.bare]) == 1:
            yield Proposal(title.key, title.bare, "qualifier", _EVIDENT if evident else _UNUSED)
        else:
            for document in using & (own | evident):
                yield Proposal(title.bare, title.key, "qualifier", _INSIDE if document in own else _EVIDENT, document)


def find_placed(names: Names, passages: Sequence[Stated]) -> Iterator[Proposal]:
    """Propose the part of a title before its comma, in documents that also state the rest: "Plano" for "Plano, Texas".

    There is no proposal if several titles qualify, or if another rank or number also follows the name: a document on
    the 8th earl may name a 6th and a 9th of the same name.
    """
    parts: dict[str, list[Title]] = defaultdict(list)
    for title in names.titles.values():
        if title.after_comma and title.key in names.all and title.before_comma not in names.titles:
            parts[title.before_comma].append(title)
    fact_texts = fact_text_by_name(passages, names, parts.keys())
    for before, titles in parts.items():
        for document in names.documents.get(before, ()):
            words = fact_texts[document, before]
            meant = [title for title in titles if f" {before} {title.after_comma} " in words]
            if len(meant) != 1 or document in names.documents_titled[meant[0].key]:
                continue
            if not _is_followed_otherwise(words, meant[0]):
                yield Proposal(before, meant[0].key, "qualifier", _COMMA_INSIDE, document)


def _is_followed_otherwise(words: str, title: Title) -> bool:
    """Whether a rank or a number other than the title's follows the part before its comma."""
    for after in words.split(f" {title.before_comma} ")[1:]:
        follower = after.split(" ", 1)[0]
        if not after.startswith(title.after_comma) and (follower in RANKS or is_numeral(follower)):
            return True
    return False


def fact_text_by_name(passages: Sequence[Stated], names: Names, wanted: Set[str]) -> Mapping[tuple[str, str], str]:
    """Normalised words of all facts about a name in a document, surrounded by blanks and separated by bars."""
    fact_texts: dict[tuple[str, str], str] = defaultdict(lambda: " ")
    for passage in passages:
        for fact in passage.facts:
            for key in {names.key(participant.name) for participant in fact.participants} & wanted:
                fact_texts[passage.document, key] += f"{normalise_name(fact.description)} | "
    return fact_texts


def _has_evidence(names: Names, title: Title, document: str, fact_texts: Mapping[tuple[str, str], str]) -> bool:
    """Whether a document that states the bare form means the subject of the title.

    Its type must allow it, and either the facts about it contain a word of the qualifier ("directed" for "director")
    that is not part of the name itself, or both documents name a subject that few others name. For a work the facts
    must contain word and year: its characters, its book and its sequel are on the same subject. A part of a work
    ("season 2") is never meant.
    """
    kinds = names.types_in(title.bare, document)
    if not _type_allows(names, title, kinds) or not _PARTS.isdisjoint(title.qualifier):
        return False
    years = [word for word in title.qualifier if word.isdigit()]
    nouns = {*title.qualifier} - STOP_WORDS - {*years, *title.bare.split()}
    words = fact_texts[document, title.bare]
    if all(f" {year} " in words for year in years) and any(f" {noun[:_STEM]}" in words for noun in nouns):
        return True
    return _WORKS.isdisjoint(title.qualifier) and names.share(title.bare, title.key, document)


def _type_allows(names: Names, title: Title, kinds: Counter[str]) -> bool:
    """Whether an entity of these types can be the subject of the title."""
    kind = most_frequent_type(kinds)
    if kind in _NOT_MEANT_BY_TITLES:
        return False
    if not _WORKS.isdisjoint(title.qualifier):
        return kind == TYPES["WORK_OF_ART"] or (not kind and " " in title.bare)
    own = names.all[title.key]
    return not kind or not own.types or kind in own.types
