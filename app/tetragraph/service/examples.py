"""An example of a request for each operation: in this order they lead through the life of a corpus.

Ids of keys, jobs, sessions and themes are made by the service; those of the examples show their form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

CORPUS: Final = "/v1/corpora/{corpus}"
FILES: Final = ("POST", f"{CORPUS}/files")
"""The operation whose body is a form."""
_QUESTION = "Who leads the office that approves travel?"
_TEXTS = {
    "Travel": "The Nordic Office of Finance (NOFI) approves travel. Anna Berg leads the Nordic Office of Finance.",
    "Visa": "Carl Holm arranges visas for NOFI. Carl Holm lives in Halvik.",
    "Anna Berg": "Anna Berg founded the library of Halvik. She married Carl Holm.",
}
_DOCUMENTS = [
    {"id": f"{title.lower().replace(' ', '-')}.md", "title": title, "text": text, "metadata": {"year": 2026}}
    for title, text in _TEXTS.items()
]
_SEARCH = {"question": _QUESTION, "k": 2}
_NAMES = {"entity": "Nordic Office of Finance", "alias": "NOFI"}
_GOLD = {"id": "q1", "text": _QUESTION, "gold": [{"document": "travel.md"}], "answers": ["Anna Berg"]}


@dataclass(frozen=True, slots=True)
class Example:
    """A request.

    Attributes:
        values: Parameters of the path and query by name, besides those of :data:`PATH`.
        body: The body; None for none.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None


PATH: Final[Mapping[str, str]] = {
    "corpus": "handbook",
    "session": "3f9c0a72b5d14e86",
    "job": "0b6d2c81f4a97e35",
    "theme": "c41f7a90d2e85b36",
    "key": "3f9c0a72b5d1",
    "role": "subject",
    "statement": "find_coverage",
}
"""Parameters of paths by name."""
_NOTHING = Example()
EXAMPLES: Final[Mapping[tuple[str, str], Example]] = {
    ("GET", "/healthz"): _NOTHING,
    ("GET", "/readyz"): _NOTHING,
    ("GET", "/metrics"): _NOTHING,
    ("GET", "/v1"): _NOTHING,
    ("POST", "/v1/keys"): Example(body={"scopes": ["search"], "corpora": ["handbook", "team-*"], "name": "website"}),
    ("GET", "/v1/keys"): _NOTHING,
    ("DELETE", "/v1/keys/{key}"): _NOTHING,
    ("POST", f"{CORPUS}/documents"): Example(body={"documents": _DOCUMENTS, "build": ["bipartite", "gain", "tree"]}),
    ("GET", "/v1/corpora"): _NOTHING,
    ("GET", CORPUS): _NOTHING,
    ("GET", f"{CORPUS}/jobs"): _NOTHING,
    ("GET", f"{CORPUS}/jobs/{{job}}"): _NOTHING,
    ("GET", f"{CORPUS}/jobs/{{job}}/events"): _NOTHING,
    ("POST", f"{CORPUS}/jobs/{{job}}/cancel"): _NOTHING,
    FILES: Example(body={"files": ["leave.md"], "options": '{"build": []}'}),
    ("GET", f"{CORPUS}/documents"): Example({"limit": 10}),
    ("GET", f"{CORPUS}/document"): Example({"id": "travel.md"}),
    ("POST", f"{CORPUS}/search"): Example(body={**_SEARCH, "method": "evidence", "filters": {"year": {"gte": 2020}}}),
    ("POST", f"{CORPUS}/chunks"): Example(body={"chunks": ["9183f54d76df4790"]}),
    ("POST", f"{CORPUS}/facts"): Example(body=_SEARCH),
    ("POST", f"{CORPUS}/ask"): Example(body={**_SEARCH, "min_confidence": 0.25}),
    ("POST", f"{CORPUS}/explain"): Example(body={"search": _SEARCH, "rank": 1}),
    ("POST", f"{CORPUS}/subgraph"): Example(body={"search": _SEARCH, "ranks": [1]}),
    ("POST", f"{CORPUS}/subgraph/graphml"): Example(body={"search": _SEARCH}),
    ("GET", f"{CORPUS}/graph"): Example({"form": "jsonl"}),
    ("GET", f"{CORPUS}/themes"): Example({"with_chunks": True}),
    ("GET", f"{CORPUS}/themes/{{theme}}"): Example({"limit": 5}),
    ("GET", f"{CORPUS}/affinity"): Example({"first": "9183f54d76df4790", "second": "eae0e028976f13b7"}),
    ("GET", f"{CORPUS}/entities/entity"): Example({"entity": "Anna Berg"}),
    ("GET", f"{CORPUS}/entities/facts"): Example({"entity": "Anna Berg", "limit": 5}),
    ("GET", f"{CORPUS}/entities/paths"): Example({"first": "Anna Berg", "second": "Carl Holm", "hops": 2}),
    ("GET", f"{CORPUS}/entities/merged"): _NOTHING,
    ("GET", f"{CORPUS}/entities/roles/{{role}}"): Example({"limit": 5}),
    ("POST", f"{CORPUS}/entities/splits"): Example(body=_NAMES),
    ("POST", f"{CORPUS}/entities/joins"): Example(body=_NAMES),
    ("POST", f"{CORPUS}/sessions"): Example(body={**_SEARCH, "generate": False, "options": {"steps": 2}}),
    ("GET", f"{CORPUS}/sessions"): Example({"limit": 5}),
    ("GET", f"{CORPUS}/sessions/{{session}}"): _NOTHING,
    ("GET", f"{CORPUS}/sessions/{{session}}/steps"): Example({"after": 0}),
    ("GET", f"{CORPUS}/sessions/{{session}}/graph"): _NOTHING,
    ("GET", f"{CORPUS}/sessions/{{session}}/export"): Example({"form": "graphml"}),
    ("POST", f"{CORPUS}/sessions/{{session}}/resume"): Example(body={}),
    ("POST", f"{CORPUS}/sessions/{{session}}/ask"): Example(body={"question": "Whom did Anna Berg marry?"}),
    ("POST", f"{CORPUS}/sessions/{{session}}/fork"): Example(body={"at": 1, "query": "Who founded the library?"}),
    ("DELETE", f"{CORPUS}/sessions/{{session}}"): _NOTHING,
    ("POST", f"{CORPUS}/sessions/prune"): _NOTHING,
    ("POST", f"{CORPUS}/estimates"): Example(body={"what": "bipartite", "options": {"extractor": "dependency"}}),
    ("POST", f"{CORPUS}/builds"): Example(body={"what": "tree", "options": {}}),
    ("POST", f"{CORPUS}/evaluations"): Example(body={"questions": [_GOLD], "methods": ["evidence"], "ks": [2, 5]}),
    ("GET", "/v1/analytics"): _NOTHING,
    ("POST", f"{CORPUS}/analytics/{{statement}}"): Example(body={"parameters": {}}),
    ("POST", f"{CORPUS}/deletions"): Example(body={"documents": ["visa.md"]}),
    ("DELETE", CORPUS): _NOTHING,
}


def add_examples(method: str, path: str, operation: dict[str, Any]) -> None:
    """Add its example to an operation of an OpenAPI document.

    Raises:
        KeyError: the operation has none.
    """
    example = EXAMPLES[method, path]
    for parameter in operation.get("parameters", ()):
        values = PATH if parameter["in"] == "path" else example.values
        if parameter["name"] in values:
            parameter["example"] = values[parameter["name"]]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["example"] = example.body
