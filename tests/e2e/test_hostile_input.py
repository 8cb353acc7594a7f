"""Whatever text or value a caller gives, the answer is a result or an error of tetragraph."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.hostile import prepare, run
from benchmarks.hostile_calls import generate

from tetragraph import Settings

CALLS = 120
"""Number of calls; ``python -m benchmarks.hostile`` makes thousands, and times them."""


@pytest.mark.slow
def test_hostile_texts_and_documents_end_in_results_or_errors_of_tetragraph(
    server_settings: Settings, tmp_path: Path
) -> None:
    with prepare(server_settings, tmp_path) as ground:
        outcomes = list(run(generate(seed=3, count=CALLS, longest=200), ground))
    assert {one.result for one in outcomes} == {"answered", "refused"}, [
        f"{one.error}: {one.case}" for one in outcomes if one.result == "raw"
    ]
