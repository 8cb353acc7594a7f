"""Parts about the life of a corpus: an embedder without a model, renamed files, and tables of their figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from benchmarks import life_cycle, readme, word_vectors


def test_texts_with_the_same_words_have_similar_vectors() -> None:
    embedder = word_vectors.WordVectors()
    found = embedder.embed(["The harbour of Halvik", "Halvik: the harbour", "A poem about a surgeon"])
    np.testing.assert_array_equal(
        found, embedder.embed(["The harbour of Halvik", "Halvik: the harbour", "A poem about a surgeon"])
    )
    assert found.shape == (3, word_vectors.DIMENSION)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-5)
    assert found[0] @ found[1] > 0.8 > 0.5 > found[0] @ found[2]
    assert embedder.embed([]).shape == (0, word_vectors.DIMENSION)
    assert embedder.count_tokens(["Halvik: the harbour"]) == [3]


def test_every_file_gets_another_name(tmp_path: Path) -> None:
    folder = tmp_path / "followed"
    life_cycle._write_files(folder, 3)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    life_cycle._rename_all(folder)
    after = {file.name: file.read_bytes() for file in (folder / "moved").iterdir()}
    assert sorted(before.values()) == sorted(after.values())
    assert not before.keys() & after.keys()


def test_a_row_may_lack_a_figure() -> None:
    found = readme.as_measured("renames")({"renames": {"first": {"s": 2}, "second": {"s": 3, "faults": 0}}})
    assert found[0] == "|  | s | faults |"
    assert found[-1] == "| second | 3 | 0 |"
