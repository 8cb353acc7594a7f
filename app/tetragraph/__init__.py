"""tetragraph: multi-hop retrieval over a property graph in Neo4j and Qdrant.

The names below are imported when first used, so that ``import tetragraph`` costs nothing.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

# Read when a library is loaded: onnxruntime and the Hugging Face client report to their makers unless told not to.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

if TYPE_CHECKING:
    from tetragraph.answering.sessions import AnchorRun, Session
    from tetragraph.answering.stream import AnswerStream
    from tetragraph.archive.report import BackupReport, CopyReport, UpgradeReport, UpgradeStep
    from tetragraph.client.asynchronous import AsyncCorpus, AsyncTetragraph
    from tetragraph.client.corpus import Corpus
    from tetragraph.client.tetragraph import CorpusSummary, Tetragraph
    from tetragraph.doctor import Finding, HealthReport
    from tetragraph.errors import TetragraphError
    from tetragraph.evaluate.model import EvaluationReport, Gold, GoldQuestion
    from tetragraph.export import ExportReport
    from tetragraph.indexing.preview import IngestPreview
    from tetragraph.indexing.reembed import ReembedReport
    from tetragraph.indexing.report import IngestReport
    from tetragraph.indexing.sync import SyncReport
    from tetragraph.indexing.sync_plan import SyncPlan
    from tetragraph.indexing.vector_copy import VectorCopy
    from tetragraph.model import (
        Chunk,
        Contribution,
        Copy,
        Document,
        Evidence,
        FactEvidence,
        FoundFact,
        Heading,
        Hit,
        Page,
        PathStep,
        Unreadable,
    )
    from tetragraph.model.anchors import (
        Anchor,
        Anchored,
        AnchorGraph,
        AnchorStep,
        SessionRecord,
    )
    from tetragraph.model.answers import Answer, Citation, FollowUp
    from tetragraph.model.explanations import Explanation, ScorePart
    from tetragraph.model.fetching import FetchOptions
    from tetragraph.model.reading import ReadingOptions
    from tetragraph.model.stored_documents import StoredDocument
    from tetragraph.model.subgraphs import Subgraph
    from tetragraph.model.usage import Budget, Estimate, Usage
    from tetragraph.progress import Progress
    from tetragraph.settings import Settings
    from tetragraph.systems.encoding_tree.overview import Theme, TreeOverview
    from tetragraph.systems.encoding_tree.themes import Affinity, ThemeReport
    from tetragraph.version import __version__

_HOME = {
    "Affinity": "systems.encoding_tree.themes",
    "Anchor": "model.anchors",
    "AnchorGraph": "model.anchors",
    "AnchorRun": "answering.sessions",
    "AnchorStep": "model.anchors",
    "Anchored": "model.anchors",
    "Answer": "model.answers",
    "AnswerStream": "answering.stream",
    "AsyncCorpus": "client.asynchronous",
    "AsyncTetragraph": "client.asynchronous",
    "BackupReport": "archive.report",
    "Budget": "model.usage",
    "Chunk": "model",
    "Citation": "model.answers",
    "Contribution": "model",
    "Copy": "model",
    "CopyReport": "archive.report",
    "Corpus": "client.corpus",
    "CorpusSummary": "client.tetragraph",
    "Document": "model",
    "Estimate": "model.usage",
    "EvaluationReport": "evaluate.model",
    "Evidence": "model",
    "Explanation": "model.explanations",
    "ExportReport": "export",
    "FactEvidence": "model",
    "FetchOptions": "model.fetching",
    "Finding": "doctor",
    "FollowUp": "model.answers",
    "FoundFact": "model",
    "Gold": "evaluate.model",
    "GoldQuestion": "evaluate.model",
    "Heading": "model",
    "HealthReport": "doctor",
    "Hit": "model",
    "IngestPreview": "indexing.preview",
    "IngestReport": "indexing.report",
    "Page": "model",
    "PathStep": "model",
    "Progress": "progress",
    "ReadingOptions": "model.reading",
    "ReembedReport": "indexing.reembed",
    "ScorePart": "model.explanations",
    "Session": "answering.sessions",
    "SessionRecord": "model.anchors",
    "Settings": "settings",
    "StoredDocument": "model.stored_documents",
    "Subgraph": "model.subgraphs",
    "SyncPlan": "indexing.sync_plan",
    "SyncReport": "indexing.sync",
    "Tetragraph": "client.tetragraph",
    "TetragraphError": "errors",
    "Theme": "systems.encoding_tree.overview",
    "ThemeReport": "systems.encoding_tree.themes",
    "TreeOverview": "systems.encoding_tree.overview",
    "Unreadable": "model",
    "UpgradeReport": "archive.report",
    "UpgradeStep": "archive.report",
    "Usage": "model.usage",
    "VectorCopy": "indexing.vector_copy",
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
    "BackupReport",
    "Budget",
    "Chunk",
    "Citation",
    "Contribution",
    "Copy",
    "CopyReport",
    "Corpus",
    "CorpusSummary",
    "Document",
    "Estimate",
    "EvaluationReport",
    "Evidence",
    "Explanation",
    "ExportReport",
    "FactEvidence",
    "FetchOptions",
    "Finding",
    "FollowUp",
    "FoundFact",
    "Gold",
    "GoldQuestion",
    "Heading",
    "HealthReport",
    "Hit",
    "IngestPreview",
    "IngestReport",
    "Page",
    "PathStep",
    "Progress",
    "ReadingOptions",
    "ReembedReport",
    "ScorePart",
    "Session",
    "SessionRecord",
    "Settings",
    "StoredDocument",
    "Subgraph",
    "SyncPlan",
    "SyncReport",
    "Tetragraph",
    "TetragraphError",
    "Theme",
    "ThemeReport",
    "TreeOverview",
    "Unreadable",
    "UpgradeReport",
    "UpgradeStep",
    "Usage",
    "VectorCopy",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tetragraph' has no attribute {name!r}")
    return getattr(import_module(f"tetragraph.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
