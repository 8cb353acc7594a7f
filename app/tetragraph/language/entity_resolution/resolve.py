"""Entity resolution: what all rules propose, taken in order of trust."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from tetragraph.language.entity_resolution.acronyms import find_acronyms, find_fuller_names
from tetragraph.language.entity_resolution.embedding_variants import find_similar
from tetragraph.language.entity_resolution.exact_variants import find_spellings
from tetragraph.language.entity_resolution.groups import ForbiddenMerges, Groups, Inside
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


def resolve(
    passages: Sequence[Stated],
    vectors: NameVectors | None,
    apart: Collection[tuple[str, str]],
    *,
    threshold: float = 0.90,
) -> Resolution:
    """Which names mean the same entity.

    The same for the same passages in whatever order. Dates and numbers are never merged, names of two documents'
    titles neither.

    Args:
        passages: What each chunk states.
        vectors: Embeds names; without it no names are merged for being similar.
        apart: Pairs of names that are never one entity, neither at once nor through other names; each as the
            ``content_id`` of its normalised form, which is an entity's id.
        threshold: Smallest cosine of two names that are merged for being similar.

    Source:
        Algorithm 2 of BiG-RAG, line 10, which merges by similarity alone. Deviation: what titles and texts tell comes
        first, and similarity counts only where numbers, types, initials and telling words do not object.
    """
    names, kept = Names(passages), ForbiddenMerges(apart)
    told = [
        *find_qualified(names, passages),
        *find_placed(names, passages),
        *find_acronyms(names, passages),
        *find_fuller_names(names, passages),
        *find_short_forms(names),
        *find_spellings(names),
        *(find_similar(names, passages, vectors, threshold) if vectors else ()),
    ]
    told = sorted((proposal for proposal in told if _names_two(names, proposal)), key=lambda proposal: proposal.order)
    groups = Groups(names, kept)
    for proposal in told:
        if not proposal.document:
            groups.join(proposal)
    inside = _inside([proposal for proposal in told if proposal.document], groups, kept)
    merges = chain(_everywhere(names, groups), _merges_inside(names, inside))
    return Resolution(tuple(sorted(merges, key=lambda merge: (merge.alias, merge.document))))


def _names_two(names: Names, proposal: Proposal) -> bool:
    """Whether neither side is a date or a number, everywhere or in the document that is meant."""
    sides = [names.all[key] for key in (proposal.alias, proposal.entity) if key in names.all]
    kinds = names.by_document.get(proposal.document, {})
    return not any(name.is_counted or kinds.get(name.key) in COUNTED for name in sides)


def _everywhere(names: Names, groups: Groups) -> Iterator[Merge]:
    for alias in groups.all():
        entity = groups.canonical(alias)
        if alias != entity and alias in names.all:
            by = groups.joined_by[alias]
            yield Merge(alias, entity, names.all[alias].surface, by.reason, by.score)


def _inside(told: Iterable[Proposal], groups: Groups, kept: ForbiddenMerges) -> dict[str, Inside]:
    documents: dict[str, Inside] = {}
    for proposal in told:
        documents.setdefault(proposal.document, Inside(groups, kept)).add(proposal)
    return documents


def _merges_inside(names: Names, documents: dict[str, Inside]) -> Iterator[Merge]:
    for document, inside in documents.items():
        for alias, entity in inside.meant.items():
            by = inside.told_by[alias]
            yield Merge(alias, entity, names.all[alias].surface, by.reason, by.score, document)
