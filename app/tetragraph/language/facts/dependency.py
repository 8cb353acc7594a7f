"""Fact extraction by a dependency parser, without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from tetragraph.language.facts.frames import find_frames
from tetragraph.language.facts.mentions import Mentions
from tetragraph.language.facts.model import Fact
from tetragraph.language.facts.nominals import find_nominals
from tetragraph.language.facts.statements import finish
from tetragraph.language.facts.tables import Table, facts_of_rows, find_tables, without_tables
from tetragraph.language.facts.topic import find_topic, hard_title, mark_title
from tetragraph.language.facts.tree import Tree, parse_texts
from tetragraph.language.lexicon.names import MAX_NAME
from tetragraph.model import Chunk

REVISION = 2
"""Version of the rules, increased with every change of their results; stored facts are then extracted again."""


class DependencyExtractor:
    """Extracts facts from the dependency parse of spaCy's small English model, and from the rows of tables."""

    name = f"dependency {REVISION}"

    def extract(self, chunks: Sequence[Chunk]) -> list[list[Fact]]:
        """Facts of each chunk.

        Raises:
            MissingDependency: spaCy or its English model is not installed.
        """
        tables = [find_tables(chunk.text) for chunk in chunks]
        texts = [without_tables(chunk.text, found) for chunk, found in zip(chunks, tables, strict=True)]
        trees = parse_texts(texts, [hard_title(_title(chunk)) for chunk in chunks])
        return [_facts(chunk, tree, found) for chunk, tree, found in zip(chunks, trees, tables, strict=True)]


def _facts(chunk: Chunk, tree: Tree, tables: Sequence[Table]) -> list[Fact]:
    title = _title(chunk)
    title = title if len(title) <= MAX_NAME else ""  # a corpus of an earlier version may hold longer ones
    topic = find_topic(tree, title)
    tree = mark_title(tree, title)
    mentions = Mentions(tree, topic)
    statements = chain(find_frames(mentions), find_nominals(mentions))
    facts = [fact for statement in statements if (fact := finish(tree, topic, statement))]
    facts += facts_of_rows(tables, topic)
    return sorted(facts, key=lambda fact: (fact.start, -len(fact.participants), fact.end, fact.type))


def _title(chunk: Chunk) -> str:
    return next(iter(chunk.own_titles), "")
