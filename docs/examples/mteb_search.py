"""A corpus as the search of MTEB: each task is ingested into a corpus of its own, and searched by one method.

    import mteb
    from mteb_search import TetragraphSearch
    from tetragraph import Tetragraph

    with Tetragraph.connect() as client:
        model = TetragraphSearch(client, method="evidence")
        mteb.evaluate(model, mteb.get_task("SciFact"))

Needs ``pip install mteb``, which brings PyTorch. MTEB downloads the data of a task.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tetragraph import Document, Tetragraph


def corpus_name(task: str, subset: str, split: str) -> str:
    """Name of the corpus of a task: readable as far as names may be long, with a hash of all of it."""
    full = f"{task}/{subset}/{split}"
    words = re.sub(r"[^a-z0-9]+", "-", f"mteb-{task}-{subset}-{split}".lower())[:50].strip("-")
    return f"{words}-{hashlib.sha256(full.encode()).hexdigest()[:8]}"


class TetragraphSearch:
    """Implements ``SearchProtocol`` of MTEB 2: ``index`` ingests a corpus, ``search`` ranks its documents.

    Args:
        client: Connection to the stores.
        method: Search method.
        build: Graphs that the method needs, such as ``("gain",)``.
        options: Options of the method.
    """

    def __init__(
        self, client: Tetragraph, method: str = "evidence", build: tuple[str, ...] = (), **options: Any
    ) -> None:
        self._client = client
        self._method = method
        self._build = build
        self._options = options
        self._corpus: Any = None

    def index(
        self,
        corpus: Iterable[Mapping[str, Any]],
        *,
        task_metadata: Any,
        hf_split: str,
        hf_subset: str,
        **_: Any,
    ) -> None:
        """Ingest the documents of a task, and delete all others of its corpus; unchanged ones are not read twice."""
        self._corpus = self._client.corpus(corpus_name(task_metadata.name, hf_subset, hf_split))
        rows = ((str(row["id"]), row.get("title") or "", row["text"]) for row in corpus)
        documents = [Document(identity, title, text or title) for identity, title, text in rows if text or title]
        self._corpus.ingest(documents, build=self._build)
        wanted = {document.id for document in documents}
        if gone := [identity for identity in self._stored() if identity not in wanted]:
            self._corpus.delete(*gone)

    def search(
        self, queries: Iterable[Mapping[str, Any]], *, top_k: int, top_ranked: Any = None, **_: Any
    ) -> dict[str, dict[str, float]]:
        """Scores of the best documents by question; a document has that of its best chunk.

        Raises:
            NotImplementedError: the task gives documents to be reranked.
        """
        if top_ranked is not None:
            raise NotImplementedError("tetragraph searches a whole corpus, and reranks no given documents")
        return {str(row["id"]): self._search(row["text"], top_k) for row in queries}

    def _stored(self) -> Iterator[str]:
        """Ids of the documents of the corpus."""
        last = ""
        while page := self._corpus.documents(after=last, limit=1_000):
            yield from (document.id for document in page)
            last = page[-1].id

    def _search(self, question: str, top_k: int) -> dict[str, float]:
        found: dict[str, float] = {}
        for hit in self._corpus.search(question, k=top_k, method=self._method, per_document=1, **self._options):
            found.setdefault(hit.chunk.document_id, hit.score)
            for copy in hit.also_in:
                found.setdefault(copy.document, hit.score)
        return found

    @property
    def mteb_model_meta(self) -> Any:
        """Description of the search in reports of MTEB."""
        from mteb.models import ModelMeta

        return ModelMeta.create_empty({"name": f"tetragraph/{self._method}", "revision": "1"})
