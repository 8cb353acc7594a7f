"""Entity resolution: the proposals of all rules, applied in order of trust."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from tetragraph.language.entity_resolution.acronyms import find_acronyms, find_fuller_names
from tetragraph.language.entity_resolution.embedding_variants import find_similar
from tetragraph.language.entity_resolution.exact_variants import find_spellings
from tetragraph.language.entity_resolution.groups import DocumentMeanings, ForbiddenMerges, Groups
from tetragraph.language.entity_resolution.model import (
    Merge,
    NameVectors,
    Resolution,
    Stated,
)
from tetragraph.language.entity_resolution.names import Names
from tetragraph.language.entity_resolution.proposals import Proposal
from tetragraph.language.entity_resolution.short_forms import find_short_forms
from tetragraph.language.entity_resolution.titles import find_placed, find_qualified
from tetragraph.language.facts.phrases import COUNTED
from tetragraph.language.lexicon.gazetteer import NO_GAZETTEER, Gazetteer


def resolve(
    passages: Sequence[Stated],
    vectors: NameVectors | None,
    apart: Collection[tuple[str, str]],
    *,
    threshold: float = 0.90,
    gazetteer: Gazetteer = NO_GAZETTEER,
) -> Resolution:
    """Decide which names denote the same entity.

    The result does not depend on the order of the chunks. Dates and numbers are never merged, nor are the titles of two
    documents.

    Args:
        passages: Facts of each chunk.
        vectors: Embeds names; without it no names are merged by similarity.
        apart: Pairs of names that are never merged, neither directly nor through other names; each as the
            ``content_id`` of its normalised form, which is an entity's id.
        threshold: Smallest cosine of two names that are merged by similarity.
        gazetteer: Known entities, whose names and aliases are merged before all others.

    Source:
        Algorithm 2 of BiG-RAG, line 10, which merges by similarity alone. Deviation: evidence of titles and texts comes
        first, and similarity counts only if numbers, types, initials and distinctive words do not forbid the merge.
    """
    names, forbidden = Names(passages), ForbiddenMerges(apart)
    proposals = [
        *_find_known(names, gazetteer),
        *find_qualified(names, passages),
        *find_placed(names, passages),
        *find_acronyms(names, passages),
        *find_fuller_names(names, passages),
        *find_short_forms(names),
        *find_spellings(names),
        *(find_similar(names, passages, vectors, threshold) if vectors else ()),
    ]
    proposals = sorted(
        (proposal for proposal in proposals if _names_two(names, proposal)), key=lambda proposal: proposal.order
    )
    groups = Groups(names, forbidden, frozenset(gazetteer.canonical(form) for form in gazetteer.by_form))
    for proposal in proposals:
        if not proposal.document:
            groups.join(proposal)
    meanings = _group_by_document([proposal for proposal in proposals if proposal.document], groups, forbidden)
    merges = chain(_merges_of_corpus(names, groups), _merges_of_documents(names, meanings))
    return Resolution(tuple(sorted(merges, key=lambda merge: (merge.alias, merge.document))))


def _find_known(names: Names, gazetteer: Gazetteer) -> Iterator[Proposal]:
    """Propose the merges of known aliases into the names of their entities."""
    for form in sorted(gazetteer.by_form.keys() & names.all.keys()):
        if (entity := gazetteer.canonical(form)) != form:
            yield Proposal(form, entity, "gazetteer", 1.0)


def _names_two(names: Names, proposal: Proposal) -> bool:
    """Whether neither side is a date or a number, in the whole corpus or in the document of the proposal."""
    sides = [names.all[key] for key in (proposal.alias, proposal.entity) if key in names.all]
    kinds = names.by_document.get(proposal.document, {})
    return not any(name.is_counted or kinds.get(name.key) in COUNTED for name in sides)


def _merges_of_corpus(names: Names, groups: Groups) -> Iterator[Merge]:
    for alias in groups.all():
        entity = groups.canonical(alias)
        if alias != entity and alias in names.all:
            by = groups.merged_by[alias]
            yield Merge(alias, entity, names.all[alias].surface, by.reason, by.score)


def _group_by_document(
    proposals: Iterable[Proposal], groups: Groups, forbidden: ForbiddenMerges
) -> dict[str, DocumentMeanings]:
    documents: dict[str, DocumentMeanings] = {}
    for proposal in proposals:
        documents.setdefault(proposal.document, DocumentMeanings(groups, forbidden)).add(proposal)
    return documents


def _merges_of_documents(names: Names, documents: dict[str, DocumentMeanings]) -> Iterator[Merge]:
    for document, meanings in documents.items():
        for alias, entity in meanings.meant.items():
            by = meanings.added_by[alias]
            yield Merge(alias, entity, names.all[alias].surface, by.reason, by.score, document)
