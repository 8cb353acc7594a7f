"""Finds the sentence of a chunk that states a fact."""

from __future__ import annotations

from collections.abc import Sequence


def stating_sentence(sentences: Sequence[tuple[int, int, str]], names: Sequence[str]) -> tuple[int, int]:
    """Span of the sentence with most of the names, then with most of their words; the first of equals.

    Args:
        sentences: One or more sentences: start, end, and normalised text between two blanks.
        names: Normalised names.
    """

    def worth(sentence: tuple[int, int, str]) -> tuple[int, int]:
        words = sentence[2].split()
        whole = sum(f" {name} " in sentence[2] for name in names)
        return whole, len({word for name in names for word in name.split()}.intersection(words))

    best = max(sentences, key=worth)
    return best[0], best[1]
