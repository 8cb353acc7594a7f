"""The schema document: written from the migrations, the descriptions and a live corpus, and read again."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import neo4j

from schema_reading import METADATA, Found, Property, Schema, ends_of, kind_of, named
from tetragraph.stores import migrations
from tetragraph.stores.migrations import Index

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "schema.md"
DESCRIPTIONS = ROOT / "schema" / "descriptions.toml"
ALWAYS = "always"
_LONGEST = 40
_SHOWN = 2
_EMPTY: tuple[Any, ...] = ("", [])
_NAME = "my-corpus"
_CAPTIONS = ("name", "title", "query", "question", "description", "number")
_HEAD = """\
# The graph

The graph in Neo4j is an interface: read it in Neo4j Browser, with Cypher, through drivers. Here is all that is in it.
This page is made by `scripts/schema_document.py` from the migrations in `schema/`, from `schema/descriptions.toml` and
from a live corpus; the tests compare it with the database.

Every node of a corpus carries `corpus` (STRING), the corpus' name, and `id` (STRING), and the two together are unique
for each label. Begin a query with them, `MATCH (c:Chunk {{corpus: $corpus, id: $id}})`; or take all of a label with
`WHERE c.corpus = $corpus AND c.id IS NOT NULL`, which uses the same index. Relationships stay inside a corpus. Ids are
hashes of content or of names, or the source's own, and never random: the same input gives the same ids.

```mermaid
{diagram}
```

## Stability

- Labels, relationship types and properties of this page are public, but for those of the section
  [Internal](#internal).
- The schema has a version, {version} now: the number of the last file in `schema/`. A file that was released is never
  changed; what changes comes as a further one. `tetragraph schema apply` brings a database up to date, as every
  connection of the client does, and `tetragraph schema validate` says whether it is. `Corpus.schema_version` is the
  version that a corpus was made with; `SchemaMigration` is what was applied to the database.
- New labels, types and properties may come with any version, so name those that you read. One that is public is
  renamed, removed or given another meaning only as the changelog announces it, with what replaces it.
- A database of a newer version than the program is refused, and so is one whose files are not those of this version.
- Labels of your own are left alone. What tetragraph wrote it also changes and deletes, with all relationships of a node
  that goes.
"""


def load_descriptions() -> list[dict[str, Any]]:
    """The sections of ``schema/descriptions.toml``."""
    sections: list[dict[str, Any]] = tomllib.loads(DESCRIPTIONS.read_text(encoding="utf-8"))["section"]
    return sections


def undescribed(found: Schema) -> list[str]:
    """Names in the corpus without a description, and descriptions of names that the corpus lacks."""
    sections = load_descriptions()
    names = {name for section in sections for kind in ("nodes", "relationships") for name in section.get(kind, {})}
    described = {(name, "") for name in names} | {(name, key) for name, key, _ in _properties(sections)}
    seen = {
        (name, key)
        for name, properties in (*found.nodes.items(), *found.relationships.items())
        for key in ("", *properties)
    }
    return [
        *(f"{name}.{key} is there and has no words" for name, key in sorted(seen - described)),
        *(f"{name}.{key} has words and is not there" for name, key in sorted(described - seen)),
    ]


def write_page(found: Schema, examples: Mapping[str, Sequence[Found]], corpus: str) -> str:
    """Write the document.

    Args:
        found: Schema of a corpus that has everything.
        examples: Nodes and relationships of the corpus.
        corpus: Name of the corpus, which the document does not show.
    """
    sections = load_descriptions()
    head = _HEAD.format(diagram="\n".join(_diagram(found, sections)), version=migrations.schema_version())
    show = _Examples(examples, corpus, sections)
    return "\n".join([head, *(line for section in sections for line in _section(section, found, show))])


def parse_page(text: str) -> Schema:
    """Schema in the document, from its headings, patterns and tables."""
    kinds: dict[str, dict[str, Property]] = {}
    patterns: set[tuple[str, str, str]] = set()
    name = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"### `(\w+)`", line):
            name = heading[1]
            kinds[name] = {}
        elif pattern := re.fullmatch(r"- `\((\w+)\)-\[:(\w+)\]->\((\w+)\)`", line):
            patterns.add((pattern[1], pattern[2], pattern[3]))
        elif row := re.match(r"\| `([\w*]+)` \| ([A-Z<> or]+) \| ([^|]+) \|", line):
            kinds[name][row[1]] = Property(frozenset(row[2].split(" or ")), row[3] == ALWAYS)
    joining = {kind for _, kind, _ in patterns}
    nodes = {name: found for name, found in kinds.items() if name not in joining}
    return Schema(nodes, {name: kinds[name] for name in joining & kinds.keys()}, frozenset(patterns))


def _diagram(found: Schema, sections: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A flowchart: a box for each section, an arrow for each pattern."""
    yield "flowchart LR"
    for number, section in enumerate(sections):
        labels = [label for label in section.get("nodes", {}) if label in found.nodes]
        if labels:
            yield f'  subgraph s{number} ["{section["name"]}"]'
            yield from (f"    {label}" for label in labels)
            yield "  end"
    for start, kind, end in sorted(found.patterns):
        yield f"  {start} -- {kind} --> {end}"


def _section(section: Mapping[str, Any], found: Schema, show: _Examples) -> Iterator[str]:
    yield from (f"## {section['name']}", "", section["text"], "")
    indexes = _indexes()
    for label, entry in section.get("nodes", {}).items():
        yield from (f"### `{label}`", "", entry["means"], "")
        yield from _table(entry, found.nodes[label], show, label)
        yield from ("", f"Indexes: {', '.join(indexes[label])}.", "")
    for kind, entry in section.get("relationships", {}).items():
        yield from (f"### `{kind}`", "", entry["means"], "")
        yield from (
            f"- `({start})-[:{kind}]->({end})`" for start, type_, end in sorted(found.patterns) if type_ == kind
        )
        yield from ("", f"Example: {show.ends(kind)}.", "")
        if found.relationships[kind]:
            yield from (*_table(entry, found.relationships[kind], show, kind), "")


def _table(entry: Mapping[str, Any], properties: Mapping[str, Property], show: _Examples, name: str) -> Iterator[str]:
    yield "| property | type | there | meaning | example |"
    yield "| --- | --- | --- | --- | --- |"
    for _, key, words in _properties([{"nodes": {name: entry}}]):
        there, example = words.get("there", ALWAYS), show.value(name, key)
        yield f"| `{key}` | {named(properties[key].types)} | {there} | {words['means']} | {example} |"


def _indexes() -> Mapping[str, list[str]]:
    """Descriptions of the constraints and indexes of each label."""
    found: dict[str, list[str]] = defaultdict(list)
    for index in migrations.expected_indexes(migrations.load()):
        found[index.label].append(f"`{index.name}` ({_index(index)})")
    return found


def _index(index: Index) -> str:
    properties = ", ".join(f"`{key}`" for key in index.properties)
    if index.is_constraint:
        return f"{properties} {'are' if len(index.properties) > 1 else 'is'} unique"
    return f"{'full text' if index.is_fulltext else 'range'} of {properties}"


class _Examples:
    """Example values from the node or relationship with the most properties; the first of equals by its values."""

    def __init__(
        self, found: Mapping[str, Sequence[Found]], corpus: str, sections: Iterable[Mapping[str, Any]]
    ) -> None:
        self._corpus = corpus
        self._volatile = {(name, key) for name, key, words in _properties(sections) if words.get("volatile")}
        self._found = {name: sorted(of_kind, key=self._order) for name, of_kind in found.items()}

    def value(self, name: str, key: str) -> str:
        """An example of a property, as code."""
        if (name, key) in self._volatile:
            return "…"
        if key == METADATA:
            shown = [(found, one[found]) for one in self._found[name] for found in sorted(one) if "meta_" in found]
            return f"`{shown[0][0]}: {self._literal(shown[0][1])}`"
        values = [one[key] for one in self._found[name] if key in one]
        return f"`{self._literal(next((value for value in values if value not in _EMPTY), values[0]))}`"

    def ends(self, kind: str) -> str:
        """Start and end of the example of a relationship type."""
        start, end = map(self._caption, ends_of(self._found[kind][0]))
        return f"`{start}-[:{kind}]->{end}`"

    def _caption(self, node: neo4j.graph.Node) -> str:
        """A node by its readable name."""
        key = next((key for key in _CAPTIONS if key in node), "id")
        return f"(:{kind_of(node)} {{{key}: {self._literal(node[key])}}})"

    def _literal(self, value: Any) -> str:
        """A value as a truncated Cypher literal, without the name of the corpus, which differs between runs."""
        if isinstance(value, bytes):
            return "bytes"
        if isinstance(value, list):
            return f"[{', '.join(map(self._literal, value[:2]))}{', …' if len(value) > _SHOWN else ''}]"
        if isinstance(value, float):
            return f"{value:.2f}"
        if isinstance(value, str):
            shown = _NAME if value == self._corpus else value
            return f"'{shown[:_LONGEST]}{'…' if len(shown) > _LONGEST else ''}'".replace("|", "/")
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _order(self, one: Found) -> tuple[int, list[str]]:
        name = kind_of(one)
        ends = [self._caption(node) for node in ends_of(one)]
        kept = [key for key in sorted(one) if (name, key) not in self._volatile]
        kept.sort(key=lambda key: isinstance(one[key], float))  # last, as they differ slightly between processors
        return -len(one), [*ends, *(f"{key}: {self._literal(one[key])}" for key in kept)]


def _properties(sections: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Each described property: its owner, its name, and its entry."""
    for section in sections:
        for name, entry in (*section.get("nodes", {}).items(), *section.get("relationships", {}).items()):
            for key, words in entry.get("properties", {}).items():
                yield name, key, {"means": words} if isinstance(words, str) else words
