"""Output of a hierarchy of themes."""

from __future__ import annotations

import pytest

from tetragraph.cli.tree import show
from tetragraph.systems.encoding_tree.overview import Theme, TreeOverview


def theme(name: str, size: int, *children: Theme, level: int = 1) -> Theme:
    return Theme(f"{name.lower():0<16}", name, level, size, 4.0, 1.0, 0.5, children)


def overview(*themes: Theme, drift: float = 0.0) -> TreeOverview:
    return TreeOverview(3, 1.25, 2.5, drift, 0, {}, 1_500, themes)


@pytest.fixture
def tree() -> TreeOverview:
    inner = (theme("Aa", 900, level=2), theme("Ab", 100, level=2))
    return overview(theme("A", 1_000, *inner), theme("B", 400), theme("C", 90), theme("D", 10))


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_a_line_tells_size_share_outside_id_and_name(tree: TreeOverview, capsys: pytest.CaptureFixture[str]) -> None:
    show(tree, "world", None, 20)
    assert printed(capsys) == [
        "world  6 themes of 1,500 chunks; 1.25 bits, 2.50 without themes",
        "chunks, share of their affinity that goes to other themes, id, name",
        "├── 1,000   25%  a0000000  A",
        "│   ├── 900   25%  aa000000  Aa",
        "│   └── 100   25%  ab000000  Ab",
        "├──   400   25%  b0000000  B",
        "├──    90   25%  c0000000  C",
        "└──    10   25%  d0000000  D",
    ]


def test_what_a_limit_leaves_out_is_counted(tree: TreeOverview, capsys: pytest.CaptureFixture[str]) -> None:
    show(tree, "world", None, 1)
    assert printed(capsys)[2:] == [
        "├── 1,000   25%  a0000000  A",
        "│   ├── 900   25%  aa000000  Aa",
        "│   └── … and 1 more; --limit shows them",
        "└── … and 3 more; --limit shows them",
    ]


def test_a_depth_leaves_out_what_is_further_down(tree: TreeOverview, capsys: pytest.CaptureFixture[str]) -> None:
    show(tree, "world", 1, 20)
    assert not any("Aa" in line for line in printed(capsys))


def test_drift_is_told_where_there_is_any(tree: TreeOverview, capsys: pytest.CaptureFixture[str]) -> None:
    show(overview(drift=0.031), "world", None, 20)
    assert printed(capsys)[0].endswith("2.50 without themes; drift +3.1%")


def test_a_name_with_brackets_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    show(overview(theme("A [red]b[/red]", 1)), "world", None, 20)
    assert printed(capsys)[-1].endswith("A [red]b[/red]")
