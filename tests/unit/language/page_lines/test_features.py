"""Numbers that describe the lines of a page."""

from __future__ import annotations

import numpy as np
import pytest

from tetragraph.language.page_lines.features import columns, describe
from tetragraph.language.page_lines.lines import read_lines

LONG = "The harbour of the town was built anew in the year of the storm, and the boats lay in the river. " * 2
PAGE = f"""[Home](https://a.test/)
[News](https://a.test/news)
# The harbour of Halvik
By Orla
{LONG}
![The harbour](https://b.test/1.png)
| 1 | 2 |
Short line
{LONG}
Related stories
[Harbour of Sund](https://a.test/sund)
[Share](https://www.facebook.com/x)
[Home](https://a.test/)
"""


@pytest.fixture(scope="module")
def found() -> dict[str, list[float]]:
    lines = read_lines(PAGE)
    return {name: values.round(2).tolist() for name, values in columns(lines, [1] * 11 + [60, 3]).items()}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("link", [1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1]),
        ("heading", [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("picture", [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        ("table", [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        ("sentence", [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]),
        ("short", [0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0]),
        ("again", [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
        ("title", [0, 0, 1, 0, 0.5, 0.5, 0, 0, 0.5, 0, 0.5, 0, 0]),
        ("service", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]),
        ("own_site", [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]),
        ("byline", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("section", [0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]),
        ("shared", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3.91, 1.1]),
        ("prose", [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]),
        ("before", [0, 0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1]),
        ("after", [1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0, 0]),
        ("since_prose", [30, 30, 30, 30, 0, 1, 2, 3, 0, 1, 2, 3, 4]),
        ("until_prose", [4, 3, 2, 1, 0, 3, 2, 1, 0, 30, 30, 30, 30]),
        ("gap_link", [0.5, 0.5, 0.5, 0.5, 0, 0.33, 0.33, 0.33, 0, 0.75, 0.75, 0.75, 0.75]),
        ("link_-3", [0, 1, 1, 0.67, 0.33, 0, 0.33, 0.33, 0.33, 0, 0, 0.33, 0.67]),
        ("link_+3", [0.33, 0, 0.33, 0.33, 0.33, 0, 0, 0.33, 0.67, 1, 1, 1, 0]),
        ("prose_2", [0, 0, 0.2, 0.2, 0.2, 0.2, 0.4, 0.2, 0.2, 0.2, 0.2, 0, 0]),
    ],
)
def test_each_line_is_described_by_itself_and_by_its_place(
    found: dict[str, list[float]], name: str, values: list[float]
) -> None:
    assert found[name] == values


def test_a_page_without_prose_is_described_as_well() -> None:
    lines = read_lines("[Home](https://a.test/)\n\nShort\n")
    described = describe(lines, [1, 1])
    assert described.shape == (2, len(columns(lines, [1, 1])))
    assert np.isfinite(described).all()
