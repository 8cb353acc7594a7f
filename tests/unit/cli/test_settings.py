"""Settings of the environment that break their rule."""

from __future__ import annotations

import pytest

from tetragraph.cli import main


def test_a_wrong_setting_is_named_with_its_rule_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TETRAGRAPH_HEAP_MB", "much")
    monkeypatch.setattr("sys.argv", ["tetragraph", "status"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "heap_mb: Input should be a valid integer" in line
    assert "got 'much'" in line
