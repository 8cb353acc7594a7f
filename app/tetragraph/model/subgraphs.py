"""A part of a corpus' graph: nodes and relationships, and the statement that draws exactly these."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tetragraph.model.display import html_table


class NodeKey(NamedTuple):
    """Key of a node within its corpus: its public label and its id."""

    label: str
    id: str


class LinkKey(NamedTuple):
    """Key of a relationship within its corpus: its type, start and end."""

    type: str
    start: NodeKey
    end: NodeKey


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Nodes and relationships of one corpus, with their properties.

    Attributes:
        corpus: Name of the corpus.
        nodes: Key to the properties, ``corpus`` and ``id`` left out; in order of the keys. Both ends of every
            relationship are among them.
        links: Key to the properties of the relationship; in order of the keys.
    """

    corpus: str
    nodes: Mapping[NodeKey, Mapping[str, Any]] = field(default_factory=dict)
    links: Mapping[LinkKey, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def cypher(self) -> str:
        """One statement that draws the nodes and relationships in Neo4j Browser; without any, it returns nothing.

        It needs no parameters, as quoted names are part of its text. It has one part for each kind of relationship, and
        one for each label of nodes without a relationship.
        """
        return "\nUNION\n".join(self._parts()) or "MATCH shown = (:Corpus {corpus: '', id: ''}) RETURN shown"

    def _repr_html_(self) -> str:
        from tetragraph.model.pictures import draw_subgraph  # which needs the keys of this module

        counted = [Counter(key[0] for key in things) for things in (self.nodes, self.links)]
        rows = [(kind, count) for one in counted for kind, count in sorted(one.items())]
        return html_table(f"a part of {self.corpus}", ("what", "count"), rows) + draw_subgraph(self)

    def _parts(self) -> Iterator[str]:
        corpus = cypher_string(self.corpus)
        kinds: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        reached: set[NodeKey] = set()
        for link in sorted(self.links):
            kinds[link.start.label, link.type, link.end.label].append(
                f"[{cypher_string(link.start.id)}, {cypher_string(link.end.id)}]"
            )
            reached |= {link.start, link.end}
        for (start, kind, end), pairs in sorted(kinds.items()):
            yield (
                f"UNWIND [{', '.join(pairs)}] AS pair\n"
                f"MATCH shown = (:{start} {{corpus: {corpus}, id: pair[0]}})"
                f"-[:{kind}]->(:{end} {{corpus: {corpus}, id: pair[1]}})\nRETURN shown"
            )
        alone: dict[str, list[str]] = defaultdict(list)
        for node in sorted(self.nodes.keys() - reached):
            alone[node.label].append(cypher_string(node.id))
        for label, ids in sorted(alone.items()):
            shown = f"MATCH shown = (:{label} {{corpus: {corpus}, id: id}})"
            yield f"UNWIND [{', '.join(ids)}] AS id\n{shown}\nRETURN shown"


def cypher_string(text: str) -> str:
    r"""A text as a Cypher string literal.

    >>> print(cypher_string("O'Hara \\"))
    'O\'Hara \\'
    """
    return "'" + json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
