"""Order of recognised lines, on pages that are laid out by hand."""

from __future__ import annotations

from tetragraph_loaders.reading_order import Box, compose

WORDS = "as the harbour of Lund was deepened again"


def line(text: str, left: float, top: float, width: float = 300) -> Box:
    return Box(text, left, top, left + width, top + 20)


def test_boxes_of_one_line_are_read_from_left_to_right_and_lines_downwards() -> None:
    boxes = [line("ends", 0, 26), line("begins", 320, 2, 90), line("It", 0, 0, 90)]
    assert compose(boxes) == "It begins\nends"


def test_a_wide_distance_ends_a_paragraph() -> None:
    assert compose([line("One", 0, 0), line("two.", 0, 24), line("Three.", 0, 60)]) == "One\ntwo.\n\nThree."


def test_columns_are_read_one_after_the_other_between_lines_that_cross_them() -> None:
    left = [line(f"L{n} {WORDS}", 0, 40 + 24 * n) for n in range(4)]
    right = [line(f"R{n} {WORDS}", 340, 42 + 24 * n) for n in range(4)]
    wide = [line("A headline over both", 0, 0, 640), line("A foot below both", 0, 150, 640)]
    read = compose([*left, *right, *wide]).split()
    assert [word for word in read if word in {"headline", "foot"} or word[1:].isdigit()] == [
        "headline", "L0", "L1", "L2", "L3", "R0", "R1", "R2", "R3", "foot",
    ]  # fmt: skip


def test_three_columns_are_kept_apart() -> None:
    boxes = [line(f"{c}{n} {WORDS}", 340 * c, 24 * n) for n in range(3) for c in range(3)]
    read = [word for word in compose(boxes).split() if word.isdigit()]
    assert read == ["00", "01", "02", "10", "11", "12", "20", "21", "22"]


def test_cells_of_a_row_stay_together() -> None:
    rows = [
        box for n in range(5) for box in (line(f"Fees of {n} {WORDS}", 0, 24 * n), line(f"{n},000", 340, 24 * n, 60))
    ]
    assert compose(rows).splitlines()[1] == f"Fees of 1 {WORDS} 1,000"


def test_a_word_divided_at_the_end_of_a_line_is_one_word_again() -> None:
    assert compose([line("the har-", 0, 0), line("bour in 2020-", 0, 24), line("2021", 0, 48)]) == (
        "the harbour in 2020-\n2021"
    )
