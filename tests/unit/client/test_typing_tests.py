"""tests/typing/public_api.py, which the type checker reads, covers every method of both clients."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tetragraph import AnchorRun, AnswerStream, Corpus, Session, Tetragraph
from tetragraph.answering.sessions import Sessions
from tetragraph.client.analytics import Analytics
from tetragraph.client.entities import Entities

CHECKED = Path(__file__).parents[2] / "typing" / "public_api.py"
SYNCHRONOUS, ASYNCHRONOUS = CHECKED.read_text("utf-8").split("async def check_asynchronous_client")
NOT_CALLED = {"close", "drop", "delete"}
"""They return nothing, which ``assert_type`` cannot state of a call."""


@pytest.mark.parametrize("checked", [SYNCHRONOUS, ASYNCHRONOUS], ids=["synchronous", "asynchronous"])
@pytest.mark.parametrize("cls", [Tetragraph, Corpus, AnswerStream, AnchorRun, Session, Sessions, Entities, Analytics])
def test_every_public_name_has_its_type_checked(cls: type[Any], checked: str) -> None:
    names = {name for name in dir(cls) if not name.startswith("_")} - NOT_CALLED
    assert {name for name in names if not re.search(rf"\.{name}\b", checked)} == set()
