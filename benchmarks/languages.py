"""What the methods find in 12 languages and across them: XQuAD, paragraphs without titles, multilingual embedder."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import data
from benchmarks.other_sets import METHODS as ALL_METHODS
from benchmarks.other_sets import cut
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph
from tetragraph.evaluate.questions import read_questions

LANGUAGES = ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh")
ENGLISH = "en"
METHODS = {name: ALL_METHODS[name] for name in ("dense", "keyword", "fused-plain", "evidence")}
EMBEDDER = "multilingual"


def measure_languages(plan: Plan) -> dict[str, dict[str, float]]:
    """nDCG@10 in per cent, by languages of questions and paragraphs (``de → en``) and by method."""
    figures: dict[str, dict[str, float]] = {}
    with Tetragraph.connect(plan.settings) as client, tempfile.TemporaryDirectory() as folder:
        for language in LANGUAGES:
            corpus = client.corpus(f"xquad_{language}_{EMBEDDER}")
            corpus.ingest(cut(f"xquad/{language}", Path(folder) / f"{language}.jsonl"), embedder=EMBEDDER)
            for asked in LANGUAGES if language == ENGLISH else (language, ENGLISH):
                figures[f"{asked} → {language}"] = measure_questions(corpus, asked, plan.questions)
    return figures


def measure_questions(corpus: Corpus, language: str, most: int) -> dict[str, float]:
    """nDCG@10 of each method for the questions in one language, in per cent."""
    questions = read_questions(data.folder() / "xquad" / language / "dev.jsonl.gz")[:most]
    report = corpus.evaluate(questions, METHODS, ks=(10,))
    return {run.name: round(100 * report.scores[run.name].metrics["ndcg@10"], 1) for run in report.runs}


def pairs() -> Mapping[str, Sequence[str]]:
    """Languages of questions and paragraphs, as in the figures, by group."""
    others = [language for language in LANGUAGES if language != ENGLISH]
    return {
        "own language": [f"{language} → {language}" for language in LANGUAGES],
        "English → others": [f"{ENGLISH} → {language}" for language in others],
        "others → English": [f"{language} → {ENGLISH}" for language in others],
    }
