"""Whatever text or value a caller gives, the answer is a result or an error of tetragraph."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from benchmarks.hostile import prepare, run
from benchmarks.hostile_calls import generate

from tetragraph import Settings

KINDS = ("search, question", "ingest, documents", "ask", "anchor", "export", "entity", "explain")
CALLS = 60
"""Number of calls; ``python -m benchmarks.hostile`` makes thousands, of all kinds, and times them."""
VARIABLE = "#"
"""Mark of variables in sub-questions; questions with it are among the known inputs of the benchmark."""


def test_hostile_texts_and_documents_end_in_results_or_errors_of_tetragraph(
    server_settings: Settings, tmp_path: Path
) -> None:
    made = generate(seed=3, count=1_000, longest=200)
    cases = (case for case in made if case.kind in KINDS and VARIABLE not in str(case))
    with prepare(server_settings, tmp_path) as ground:
        outcomes = list(run(islice(cases, CALLS), ground))
    assert {one.result for one in outcomes} == {"answered", "refused"}, [
        f"{one.error}: {one.case}" for one in outcomes if one.result == "raw"
    ]
