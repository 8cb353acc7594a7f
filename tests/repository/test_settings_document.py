"""docs/settings.md lists every setting as ``Settings`` defines it."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from tetragraph.settings import Settings

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "settings_document.py"))
PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


def test_every_setting_has_a_docstring() -> None:
    assert set(SCRIPT["docstrings"]()) == set(Settings.model_fields)


def test_the_table_is_that_of_the_class() -> None:
    assert SCRIPT["update_page"](PAGE) == PAGE, "run `python scripts/settings_document.py`, and look at the difference"


def test_there_is_one_row_a_setting_with_the_name_that_the_environment_has() -> None:
    rows = re.findall(r"^\| `(TETRAGRAPH_\w+)`", PAGE, re.MULTILINE)
    assert rows == [f"TETRAGRAPH_{name.upper()}" for name in Settings.model_fields]
