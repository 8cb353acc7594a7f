"""Finds the gold of questions in a corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tetragraph.errors import UnknownDocument
from tetragraph.evaluate.metrics import covers
from tetragraph.evaluate.model import Found, Gold, GoldQuestion
from tetragraph.evaluate.run_methods import EvaluatedCorpus
from tetragraph.evaluate.trec import passage_name
from tetragraph.model.display import first_of

SHOWN_MISSING = 20
_REMEDY = "`tetragraph eval --allow-missing` (allow_missing=True) counts them as not found"


@dataclass(frozen=True, slots=True)
class FoundGold:
    """The gold of some questions in a corpus.

    Attributes:
        titles: Title by id of the gold documents that the corpus has.
        documents: Ids of the gold documents that it lacks.
        stretches: Names, ``document@start-end``, of the stretches that no chunk of their document overlaps.
    """

    titles: Mapping[str, str]
    documents: tuple[str, ...]
    stretches: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Documents and stretches that the corpus lacks."""
        return (*self.documents, *self.stretches)

    def notes(self) -> Iterator[str]:
        """Notes of the report."""
        if self.documents:
            yield f"{len(self.documents)} gold documents are not in the corpus: they count as not found"
        if self.stretches:
            yield f"{len(self.stretches)} stretches of gold lie in no chunk of their document: they count as not found"


def find_gold(subject: EvaluatedCorpus, questions: Iterable[GoldQuestion], *, allow_missing: bool) -> FoundGold:
    """Find the gold of questions.

    Raises:
        UnknownDocument: the corpus lacks some, and ``allow_missing`` is false.
    """
    gold = {one for question in questions for one in question.gold}
    wanted = sorted({one.document for one in gold})
    titles = subject.find_titles(wanted)
    lacking = tuple(document for document in wanted if document not in titles)
    if lacking and not allow_missing:
        raise UnknownDocument(
            f"the gold of all questions must be in the corpus, {subject.name!r} lacks {len(lacking)} of {len(wanted)} "
            f"documents: {first_of(lacking, SHOWN_MISSING)}; ingest them, or leave out the questions; {_REMEDY}"
        )
    stretches = [one for one in gold if one.start is not None and one.document in titles]
    outside = tuple(sorted(passage_name(one) for one in _find_outside(subject, stretches)))
    if outside and not allow_missing:
        raise UnknownDocument(
            f"the gold of all questions must be in the corpus, {len(outside)} of {len(stretches)} stretches lie in no "
            f"chunk of their document in {subject.name!r}: {first_of(outside, SHOWN_MISSING)}; mend start and end, "
            f"which are characters of the document's text; {_REMEDY}"
        )
    return FoundGold(titles, lacking, outside)


def _find_outside(subject: EvaluatedCorpus, stretches: Collection[Gold]) -> Iterator[Gold]:
    """The stretches that no chunk of their document overlaps."""
    chunks: dict[str, list[Found]] = defaultdict(list)
    for place in subject.find_places(sorted({one.document for one in stretches})):
        chunks[place.document].append(place)
    for one in stretches:
        if not any(covers(chunk, one) for chunk in chunks[one.document]):
            yield one
