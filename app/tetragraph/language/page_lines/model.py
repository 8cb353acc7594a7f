"""Judges the lines of a page by the trees of ``page_lines.safetensors``, which ``scripts/fit_page_lines.py`` fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from tetragraph.algorithms.boosted_trees import BoostedTrees
from tetragraph.arrays import Floats
from tetragraph.language.page_lines.features import describe
from tetragraph.language.page_lines.lines import PageLine, read_lines

WEIGHTS: Final = Path(__file__).with_name("page_lines.safetensors")
CERTAIN: Final = 0.76
"""Least probability of a line that counts as furniture."""
LEAST_LINKS: Final = 10
"""Least number of lines of a page that are only links to an address: other texts are no saved web pages."""
_ADDRESS = re.compile(r"\]\(\s*<?(?:https?:|/)")
_FENCE = "```"


def is_saved_page(page: str) -> bool:
    """Whether a Markdown text looks like a web page that was saved with its navigation.

    It has at least ``LEAST_LINKS`` lines that are only links, and no fenced code, as texts written in Markdown have.
    """
    if _FENCE in page or page.count("](") < LEAST_LINKS:
        return False
    links = (line for line in page.split("\n") if _ADDRESS.search(line) and read_lines(line)[0].is_link)
    return len(list(islice(links, LEAST_LINKS))) == LEAST_LINKS


def find_furniture(lines: Sequence[PageLine], documents: Sequence[int]) -> list[tuple[int, int]]:
    """Offsets of the runs of furniture of a saved web page, in order; blank lines between two lines belong to a run.

    A heading of the first level is none: it is the title, and pages of one title are often read together.

    Args:
        lines: Lines of the page.
        documents: For each line the number of documents that are known to have it.
    """
    runs: list[tuple[int, int]] = []
    is_open = False
    for line, probability in zip(lines, judge(lines, documents).tolist(), strict=True):
        is_furniture = probability >= CERTAIN and not line.raw.startswith("# ")
        if is_furniture:
            runs.append((runs.pop()[0] if is_open else line.start, line.end))
        is_open = is_furniture
    return runs


def judge(lines: Sequence[PageLine], documents: Sequence[int]) -> Floats:
    """``(n,)`` probability of each line that it is furniture.

    Args:
        lines: ``n`` lines of a page.
        documents: For each line the number of documents that are known to have it.
    """
    return load().probabilities(describe(lines, documents))


@cache
def load() -> BoostedTrees:
    """Load the decision trees of the package, once."""
    from safetensors.numpy import load_file  # only needed for saved web pages

    arrays = load_file(WEIGHTS)
    return BoostedTrees(float(arrays.pop("base")[0]), **arrays)
