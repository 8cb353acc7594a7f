"""Entity types: spaCy reads one sentence for each entity."""

from __future__ import annotations

import re

from tetragraph.language.entity_linking.entity_types import entity_types
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.progress import Progress
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.systems.base import BuildContext, BuildReport, BuildTarget, NoOptions

_PAGE = 1_000


class EntityTypes(BuildTarget[NoOptions]):
    """The property ``type`` of entities, written on request."""

    name = "types"
    title, contents = "entity types", "types of entities"

    def build(self, context: BuildContext, options: NoOptions | None) -> BuildReport:
        return BuildReport(type_entities(context.stores, context.progress))

    def update(self, context: BuildContext, change: Change) -> BuildReport | None:
        return BuildReport(type_entities(context.stores, context.progress))


def type_entities(stores: CorpusStores, progress: Progress) -> int:
    """Assign a type to every entity that has none; returns their number.

    An entity that spaCy does not recognise gets the empty text, so that later runs skip it.

    Raises:
        MissingDependency: spaCy or its English model is not installed.
    """
    done, after = 0, ""
    progress.start(EntityTypes.name, None, "entities")
    while page := stores.graph.read("entities/find_untyped_entities", corpus=stores.name, after=after, limit=_PAGE):
        found = entity_types([(row["name"], find_sentence(row["name"], row["text"])) for row in page])
        rows = [{"id": row["id"], "type": kind} for row, kind in zip(page, found, strict=True)]
        stores.graph.write("entities/upsert_entity_types", corpus=stores.name, rows=rows)
        progress.advance(EntityTypes.name, len(page))
        done, after = done + len(page), page[-1]["id"]
    progress.finish(EntityTypes.name)
    return done


def find_sentence(name: str, text: str) -> str:
    """The first sentence that contains the name, in any case; the first sentence of the text if none does.

    >>> find_sentence("Halvik", "It rained. Halvik is a town. Halvik is old.")
    'Halvik is a town.'
    """
    sentences = [text[start:end].strip() for start, end in sentence_spans(text)]
    wanted = re.compile(re.escape(name), re.IGNORECASE)
    return next((sentence for sentence in sentences if wanted.search(sentence)), sentences[0] if sentences else "")
