"""The document on the doctor describes every fault, and whether its repair deletes data."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from tetragraph.cli.doctor import _MARKS
from tetragraph.doctor.findings import FAULTS, State

TEXT = (Path(__file__).parents[2] / "docs/doctor.md").read_text(encoding="utf-8")


def test_every_fault_is_told_of_with_what_its_repair_deletes() -> None:
    rows = re.findall(r"^\| `([a-z ]+)` \| .* \| (yes|no)[^|]* \|$", TEXT.split("## What it finds")[1], re.MULTILINE)
    assert dict(rows) == {kind: "yes" if fault.deletes else "no" for kind, fault in FAULTS.items()}


def test_every_state_is_told_of_with_its_mark() -> None:
    rows = re.findall(r"^\| `([A-Za-z?]+)` \| `([a-z -]+)` \|", TEXT, re.MULTILINE)
    assert {state: mark for mark, state in rows} == {state: _MARKS[state][0].strip() for state in get_args(State)}
