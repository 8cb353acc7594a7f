"""tetragraph: multi-hop retrieval over a property graph in Neo4j and Qdrant.

The names below are imported when first used, so that ``import tetragraph`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tetragraph.anchors import Anchor, Anchored, AnchorGraph, AnchorStep, SessionRecord
    from tetragraph.answers import Answer, Citation, FollowUp
    from tetragraph.asking import AnswerStream
    from tetragraph.asynchronous import AsyncCorpus, AsyncTetragraph
    from tetragraph.client import CorpusSummary, Tetragraph
    from tetragraph.corpus import Corpus
    from tetragraph.doctor import Finding, HealthReport
    from tetragraph.errors import TetragraphError
    from tetragraph.evaluate.model import EvaluationReport, Gold, GoldQuestion
    from tetragraph.explanations import Explanation, ScorePart
    from tetragraph.exporting import ExportReport
    from tetragraph.indexing import IngestReport
    from tetragraph.model import (
        Chunk,
        Contribution,
        Document,
        Evidence,
        FactEvidence,
        FoundFact,
        Heading,
        Hit,
        PathStep,
        Unreadable,
    )
    from tetragraph.progress import Progress
    from tetragraph.sessions import AnchorRun, Session
    from tetragraph.settings import Settings
    from tetragraph.spending import Budget, Estimate, Usage
    from tetragraph.subgraphs import Subgraph
    from tetragraph.systems.encoding_tree.overview import Theme, TreeOverview
    from tetragraph.systems.encoding_tree.themes import Affinity, ThemeReport
    from tetragraph.version import __version__

_HOME = {
    "Affinity": "systems.encoding_tree.themes",
    "Anchor": "anchors",
    "AnchorGraph": "anchors",
    "AnchorRun": "sessions",
    "AnchorStep": "anchors",
    "Anchored": "anchors",
    "Answer": "answers",
    "AnswerStream": "asking",
    "AsyncCorpus": "asynchronous",
    "AsyncTetragraph": "asynchronous",
    "Budget": "spending",
    "Chunk": "model",
    "Citation": "answers",
    "Contribution": "model",
    "Corpus": "corpus",
    "CorpusSummary": "client",
    "Document": "model",
    "Estimate": "spending",
    "EvaluationReport": "evaluate.model",
    "Evidence": "model",
    "Explanation": "explanations",
    "ExportReport": "exporting",
    "FactEvidence": "model",
    "Finding": "doctor",
    "FollowUp": "answers",
    "FoundFact": "model",
    "Gold": "evaluate.model",
    "GoldQuestion": "evaluate.model",
    "Heading": "model",
    "HealthReport": "doctor",
    "Hit": "model",
    "IngestReport": "indexing",
    "PathStep": "model",
    "Progress": "progress",
    "ScorePart": "explanations",
    "Session": "sessions",
    "SessionRecord": "anchors",
    "Settings": "settings",
    "Subgraph": "subgraphs",
    "Tetragraph": "client",
    "TetragraphError": "errors",
    "Theme": "systems.encoding_tree.overview",
    "ThemeReport": "systems.encoding_tree.themes",
    "TreeOverview": "systems.encoding_tree.overview",
    "Unreadable": "model",
    "Usage": "spending",
    "__version__": "version",
}

__all__ = [
    "Affinity",
    "Anchor",
    "AnchorGraph",
    "AnchorRun",
    "AnchorStep",
    "Anchored",
    "Answer",
    "AnswerStream",
    "AsyncCorpus",
    "AsyncTetragraph",
    "Budget",
    "Chunk",
    "Citation",
    "Contribution",
    "Corpus",
    "CorpusSummary",
    "Document",
    "Estimate",
    "EvaluationReport",
    "Evidence",
    "Explanation",
    "ExportReport",
    "FactEvidence",
    "Finding",
    "FollowUp",
    "FoundFact",
    "Gold",
    "GoldQuestion",
    "Heading",
    "HealthReport",
    "Hit",
    "IngestReport",
    "PathStep",
    "Progress",
    "ScorePart",
    "Session",
    "SessionRecord",
    "Settings",
    "Subgraph",
    "Tetragraph",
    "TetragraphError",
    "Theme",
    "ThemeReport",
    "TreeOverview",
    "Unreadable",
    "Usage",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tetragraph' has no attribute {name!r}")
    return getattr(import_module(f"tetragraph.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
