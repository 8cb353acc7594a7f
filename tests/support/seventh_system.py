"""A system that is added by registration: it stores title words in the settings of the corpus."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tetragraph.model import Findings, Hit
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.systems.base import BuildContext, BuildReport, GraphSystem, SearchRequest
from tetragraph.systems.names import BUILDS, METHODS
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS
from tetragraph.validation import check_integer


@dataclass(frozen=True, slots=True)
class TitleOptions:
    """Options of the search, and of the build.

    Attributes:
        shortest: Length of the shortest word that counts, in characters.
    """

    shortest: int = 3

    def __post_init__(self) -> None:
        check_integer("shortest", self.shortest, 1)


class TitleWords(GraphSystem[TitleOptions, TitleOptions]):
    """Chunks by the words that their titles share with the question."""

    name = requires = "titles"
    title, contents = "index of title words", "title words"
    summary = "words that titles share with the question"
    search_options = build_options = TitleOptions
    score_parts = {"words": "words of the question in the title"}  # noqa: RUF012 - the interface declares it
    tuning_grid = {"shortest": (1, 3, 5)}  # noqa: RUF012 - likewise

    def search(self, request: SearchRequest[TitleOptions]) -> Findings:
        self.check_ready(request.stores)
        allowed, words = request.allowed_chunks(), set(request.question.text.lower().strip("?").split())
        known: Mapping[str, list[str]] = request.stores.record.settings[self.name]["words"]
        found = {
            chunk: sum(len(word) >= request.options.shortest for word in words.intersection(of))
            for chunk, of in known.items()
            if allowed is None or chunk in allowed
        }
        best = sorted(found, key=lambda chunk: (-found[chunk], chunk))[: request.k]
        chunks = chunk_table.fetch(request.stores, best)
        return Findings(tuple(Hit(n, found[c], chunks[c], {"words": found[c]}) for n, c in enumerate(best, 1)))

    def build(self, context: BuildContext, options: TitleOptions | None) -> BuildReport:
        before = context.stores.record.settings.get(self.name, {})
        shortest = options.shortest if options else before.get("shortest", TitleOptions().shortest)
        chunks = context.table.chunks()
        words = {chunk.id: [w for w in chunk.title.lower().split() if len(w) >= shortest] for chunk in chunks}
        _write(context.stores, {self.name: {"shortest": shortest, "words": words}})
        changed = [chunk for chunk in words if before.get("words", {}).get(chunk) != words[chunk]]
        return BuildReport(len(changed))

    def update(self, context: BuildContext, change: Change) -> BuildReport | None:
        return self.build(context, None) if change else None


def _write(stores: CorpusStores, values: dict[str, Any]) -> None:
    row = stores.graph.read("corpus/get_corpus", corpus=stores.name)[0]
    settings = json.dumps(json.loads(row["settings"]) | values, sort_keys=True)
    stores.graph.write("corpus/upsert_settings", corpus=stores.name, settings=settings)


def register() -> None:
    """Add the system to the registry and the names of this process."""
    RETRIEVERS[TitleWords.name] = BUILD_TARGETS[TitleWords.name] = TitleWords()
    METHODS.append(TitleWords.name)
    BUILDS.append(TitleWords.name)
