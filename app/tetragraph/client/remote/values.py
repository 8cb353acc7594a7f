"""Values of the service's JSON: results of the library as they are, and forms for those that JSON cannot hold so.

Server and client use the same forms: what the server encodes, :func:`decode` reads as the class of the local client.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter

from tetragraph.client.analytics import Table
from tetragraph.model import Chunk, PathStep
from tetragraph.model.answers import Answer
from tetragraph.model.display import to_plain
from tetragraph.model.explanations import Explanation, ScorePart
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph

Value = TypeVar("Value")


class Form(BaseModel):
    """A frozen form that refuses unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(Form):
    """Problem details of an error (RFC 9457)."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    type: str
    title: str
    status: int
    detail: str
    error: str
    remedy: str
    request_id: str = ""


class Health(Form):
    """Whether the process answers."""

    status: str


class Readiness(Form):
    """Whether the service accepts work: ``ok``, or the fault, of each thing that it needs."""

    status: str
    checks: dict[str, str]


class ServiceForm(Form):
    """Abilities of a service, and the rights of the key that asks."""

    version: str
    methods: dict[str, str]
    graphs: dict[str, str]
    formats: tuple[str, ...]
    body_bytes: int
    has_model: bool
    key: str
    scopes: tuple[str, ...]
    corpora: tuple[str, ...]


class CorpusForm(Form):
    """Numbers of nodes and relationships of a corpus, by kind."""

    name: str
    counts: dict[str, int]


class GraphCounts(Form):
    """Numbers of nodes and relationships of an exported graph, by kind."""

    nodes: dict[str, int]
    relationships: dict[str, int]


class PieceForm(Form):
    """Some words of an answer while it is written."""

    text: str


class SessionForm(Form):
    """Id of a session."""

    id: str


class RunForm(Form):
    """The end of a search in several steps: its session, why it ended, and the answer."""

    session: str
    stopped: str
    answer: Answer


class PrunedForm(Form):
    """Number of deleted sessions."""

    pruned: int


class NodeForm(Form):
    """A node of a subgraph, with its public label."""

    label: str
    id: str
    properties: dict[str, Any] = {}


class EndForm(Form):
    """An end of a relationship: label and id of the node."""

    label: str
    id: str


class LinkForm(Form):
    """A relationship of a subgraph."""

    type: str
    start: EndForm
    end: EndForm
    properties: dict[str, Any] = {}


class SubgraphForm(Form):
    """Nodes and relationships of a corpus, and the statement that draws them in Neo4j Browser."""

    corpus: str
    nodes: tuple[NodeForm, ...]
    links: tuple[LinkForm, ...]
    cypher: str = ""

    @classmethod
    def of(cls, subgraph: Subgraph) -> SubgraphForm:
        """The form of a subgraph."""
        nodes = tuple(
            NodeForm(label=key.label, id=key.id, properties=to_plain(carried))
            for key, carried in subgraph.nodes.items()
        )
        links = tuple(
            LinkForm(type=key.type, start=_end(key.start), end=_end(key.end), properties=to_plain(carried))
            for key, carried in subgraph.links.items()
        )
        return cls(corpus=subgraph.corpus, nodes=nodes, links=links, cypher=subgraph.cypher)

    def subgraph(self) -> Subgraph:
        """The subgraph of the form."""
        nodes: dict[NodeKey, Mapping[str, Any]] = {NodeKey(one.label, one.id): one.properties for one in self.nodes}
        links: dict[LinkKey, Mapping[str, Any]] = {
            LinkKey(one.type, NodeKey(one.start.label, one.start.id), NodeKey(one.end.label, one.end.id)): (
                one.properties
            )
            for one in self.links
        }
        return Subgraph(self.corpus, nodes, links)


class ExplanationForm(Form):
    """The explanation of a hit, with its subgraph."""

    question: str
    method: str
    rank: int
    score: float
    chunk: Chunk
    parts: tuple[ScorePart, ...]
    paths: tuple[tuple[PathStep, ...], ...]
    subgraph: SubgraphForm
    sentences: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, explanation: Explanation) -> ExplanationForm:
        """The form of an explanation."""
        fields = {name: getattr(explanation, name) for name in cls.model_fields if name != "subgraph"}
        return cls.model_construct(subgraph=SubgraphForm.of(explanation.subgraph), **fields)

    def explanation(self) -> Explanation:
        """The explanation of the form."""
        fields = {name: getattr(self, name) for name in type(self).model_fields if name != "subgraph"}
        return Explanation(subgraph=self.subgraph.subgraph(), **fields)


class TableForm(Form):
    """Result of a statement for analysts."""

    statement: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Table) -> TableForm:
        """The form of a table."""
        rows = tuple(to_plain(row) for row in table.rows)
        return cls(statement=table.statement, columns=table.columns, rows=rows, notes=table.notes)

    def table(self) -> Table:
        """The table of the form."""
        return Table(self.statement, self.columns, self.rows, self.notes)


def _end(key: NodeKey) -> EndForm:
    return EndForm(label=key.label, id=key.id)


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def adapter(kind: Any) -> TypeAdapter[Any]:
    """The reader and writer of a class, a form or a type of these; made once, as that takes milliseconds."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def encode(value: Any, kind: Any = None) -> bytes:
    """A value as JSON.

    Args:
        value: A result of the library, a form, or a list of these.
        kind: Its type where that is not its class, such as ``list[CorpusSummary]``.
    """
    return adapter(kind or type(value)).dump_json(value)


def decode(kind: type[Value], text: str | bytes) -> Value:
    """Read a value of a class from JSON.

    Raises:
        pydantic.ValidationError: the text is no such value.
    """
    read: Value = adapter(kind).validate_json(text)
    return read
