"""The registered systems, in the order in which messages and help texts list them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tetragraph.errors import InvalidInput, UnknownMethod
from tetragraph.systems.anchor_graph.indexes import FactIndex, NameIndex
from tetragraph.systems.anchor_graph.system import AnchorSearch
from tetragraph.systems.base import BuildTarget, FactRetriever, Retriever
from tetragraph.systems.bipartite_graph import fact_index
from tetragraph.systems.bipartite_graph.stored_fact_index import read_facts
from tetragraph.systems.bipartite_graph.system import FactGraph
from tetragraph.systems.dense.system import Dense
from tetragraph.systems.encoding_tree.system import EncodingTree
from tetragraph.systems.engines import IndexSource
from tetragraph.systems.entity_types import EntityTypes
from tetragraph.systems.evidence_walk import name_index
from tetragraph.systems.evidence_walk.stored_name_index import read_names
from tetragraph.systems.evidence_walk.system import EvidenceWalk
from tetragraph.systems.fused.system import Fused
from tetragraph.systems.gain_graph.system import GainGraph
from tetragraph.systems.keyword.system import Keyword


def find_retriever(name: str) -> Retriever[Any]:
    """The retriever of that name.

    Raises:
        UnknownMethod: there is none; the message lists all.
    """
    if not isinstance(name, str) or name not in RETRIEVERS:
        raise UnknownMethod(f"method must be one of {', '.join(RETRIEVERS)}, got {name!r}")
    return RETRIEVERS[name]


def find_build_target(name: str) -> BuildTarget[Any]:
    """The build target of that name.

    Raises:
        InvalidInput: there is none; the message lists all.
    """
    if not isinstance(name, str) or name not in BUILD_TARGETS:
        raise InvalidInput(f"what to build must be one of {', '.join(BUILD_TARGETS)}, got {name!r}")
    return BUILD_TARGETS[name]


def check_build_targets(names: Sequence[str]) -> None:
    """Check the names of what is to be built.

    Raises:
        InvalidInput: it is no sequence, or there is no build target of a name; the message lists all.
    """
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise InvalidInput(f"build must be a sequence of names, got {names!r}")
    for name in names:
        find_build_target(name)


_GAIN, _TREE, _BIPARTITE = GainGraph(), EncodingTree(), FactGraph()
_NAMES: Final[IndexSource[NameIndex]] = IndexSource(name_index.KINDS, name_index.load_names, read_names)
_FACTS: Final[IndexSource[FactIndex]] = IndexSource(fact_index.KINDS, fact_index.load_facts, read_facts)
ANCHOR: Final = AnchorSearch(find_retriever, _NAMES, _FACTS, _BIPARTITE)
"""The retriever whose answers are kept as sessions."""
FACTS: Final[FactRetriever] = _BIPARTITE
"""The retriever that also ranks facts."""
_RETRIEVERS: tuple[Retriever[Any], ...] = (
    EvidenceWalk(),
    _GAIN,
    _TREE,
    _BIPARTITE,
    ANCHOR,
    Dense(),
    Keyword(),
    Fused(find_retriever),
)
_BUILD_TARGETS: tuple[BuildTarget[Any], ...] = (_BIPARTITE, _GAIN, _TREE, EntityTypes())
RETRIEVERS: Final[dict[str, Retriever[Any]]] = {one.name: one for one in _RETRIEVERS}
BUILD_TARGETS: Final[dict[str, BuildTarget[Any]]] = {one.name: one for one in _BUILD_TARGETS}
