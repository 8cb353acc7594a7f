"""Records the walks of questions in a corpus, for the training of a policy.

A tree is kept in the cache as soon as it is complete, so that an interrupted recording goes on where it stopped, and a
second training on the same questions searches for nothing. Trees of earlier generations of the corpus are removed.
"""

from __future__ import annotations

import shutil
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np

from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput, UnknownDocument
from tetragraph.evaluate.metrics import score_ranking
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph.evaluate.questions import check_questions
from tetragraph.evaluate.run_methods import to_found
from tetragraph.host.private_files import make_private_folder, write_private
from tetragraph.host.system_errors import report_refusals
from tetragraph.model import Copy, content_id
from tetragraph.model.anchors import AnchorStep
from tetragraph.progress import Progress
from tetragraph.rl.search_policy.walk_tree import TreeRecorder, WalkTree
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.versions import load_versions
from tetragraph.systems.anchor_graph import AnchorOptions, rank
from tetragraph.systems.anchor_graph.features import VERSION
from tetragraph.systems.base import SearchRequest
from tetragraph.systems.copies import find_originals, list_copies, merge_copies
from tetragraph.systems.registry import ANCHOR
from tetragraph.version import __version__

CUT = 5
"""Number of chunks whose recall is the reward."""
_STAGE = "walks"


def record_walks(
    connection: Connection, corpus: str, questions: Sequence[GoldQuestion], progress: Progress
) -> list[WalkTree]:
    """The trees of some questions, in their order.

    Args:
        connection: Connection to the stores.
        corpus: Name of the corpus.
        questions: Questions with gold.
        progress: Receives every question.

    Raises:
        InvalidInput: there are no questions, or one has no gold.
        UnknownDocument: the corpus lacks gold.
        UnknownCorpus, NotBuilt: see ``Corpus.search``.
    """
    for question in check_questions(questions):
        if not question.gold:
            raise InvalidInput(f"a policy is rewarded by gold evidence, and question {question.id!r} has none: add it")
    stores = connection.stores(corpus)
    wanted = sorted({gold.document for question in questions for gold in question.gold})
    known = {row["id"] for row in connection.graph.read("corpus/find_titles", corpus=corpus, ids=wanted)}
    if missing := [document for document in wanted if document not in known]:
        raise UnknownDocument(
            f"the gold of all questions must be in the corpus, {corpus!r} lacks {len(missing)} of {len(wanted)} "
            f"documents, {missing[0]!r} among them: ingest them, or leave their questions out"
        )
    options = AnchorOptions()
    state = content_id(str(stores.record.published), VERSION, str(options), __version__)
    folder = connection.settings.cache / "walks" / stores.record.key / state
    trees = []
    progress.start(_STAGE, len(questions), "questions")
    for question in questions:
        file = folder / f"{content_id(question.text, repr(question.gold))}.npz"
        tree = _read(file, question.id)
        if tree is None:
            tree = _record(connection, stores, question, options)
            with report_refusals(folder, "TETRAGRAPH_CACHE"):
                _write(file, tree)
        trees.append(tree)
        progress.advance(_STAGE)
    progress.finish(_STAGE)
    _remove_others(folder)
    return trees


def _record(connection: Connection, stores: CorpusStores, question: GoldQuestion, options: AnchorOptions) -> WalkTree:
    asked = connection.question(stores, question.text)
    request = SearchRequest(stores, asked, 2 * CUT, options)
    recorder = TreeRecorder(lambda choose: ANCHOR.make_walker(request, choose), Recall(stores, question.gold))
    return recorder.record(question.id, question.text)


class Recall:
    """Share of the gold among the first five chunks of some steps, as an evaluation counts it.

    Args:
        stores: The stores of the corpus.
        gold: Gold of the question.
    """

    def __init__(self, stores: CorpusStores, gold: Sequence[Gold]) -> None:
        self._stores = stores
        self._gold = gold
        self._copies: dict[str, tuple[Copy, ...]] = {}

    def __call__(self, steps: Sequence[AnchorStep]) -> float:
        """The share after these steps."""
        ranked = rank(steps, sum(len(step.hits) for step in steps))
        hits = merge_copies(ranked, find_originals(self._stores, ranked), load_versions(self._stores))[:CUT]
        strange = [hit for hit in hits if hit.chunk.id not in self._copies]
        self._copies |= {hit.chunk.id: hit.also_in for hit in list_copies(self._stores, strange, None)}
        ranking = [to_found(replace(hit, also_in=self._copies[hit.chunk.id]), self._gold) for hit in hits]
        return score_ranking(ranking, self._gold, (CUT,))[f"recall@{CUT}"]


def _read(file: Path, question: str) -> WalkTree | None:
    """A kept tree; None where there is none, or the file is damaged."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return WalkTree(question, **arrays)
    except (FileNotFoundError, zipfile.BadZipFile, zlib.error, ValueError, TypeError, EOFError):
        return None


def _remove_others(folder: Path) -> None:
    """Remove the trees of other states of the corpus; what the system refuses stays."""
    for other in folder.parent.iterdir():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)


def _write(file: Path, tree: WalkTree) -> None:
    make_private_folder(file.parent)
    made = BytesIO()
    np.savez_compressed(made, allow_pickle=False, **tree.arrays())
    write_private(file, made.getvalue())
