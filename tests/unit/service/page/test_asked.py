"""What the form of a search asks for."""

from __future__ import annotations

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.service.page.asked import Asked, read_filters


def test_missing_fields_have_their_defaults_and_leave_the_address() -> None:
    asked = Asked.of({"q": " Who? "})
    assert (asked.question, asked.method, asked.k) == ("Who?", "evidence", 8)
    assert asked.query() == "q=Who%3F"
    assert Asked.of({"q": "Who?", "method": "keyword", "k": "3"}).query(rank=2) == "q=Who%3F&method=keyword&k=3&rank=2"


@pytest.mark.parametrize("k", ["0", "51", "-1", "1e1", "²", "many", "9" * 5_000])
def test_a_number_of_results_out_of_range_is_refused(k: str) -> None:
    with pytest.raises(InvalidInput, match="number of results must be 1 to 50"):
        Asked.of({"q": "Who?", "k": k})


def test_filters_are_lines_with_a_comparison() -> None:
    text = 'year >= 1990\nyear<2000\n@source = *.pdf\nkind != note\ntag = a, b\n\nopen = true\nby = "Berg, Anna"'
    text += '\nto = "Vik, Per", "Li", 5" pipe, Bo\nat = "C:\\d, e"'
    assert read_filters(text) == {
        "year": {"gte": 1990, "lt": 2000},
        "@source": "*.pdf",
        "kind": {"ne": "note"},
        "tag": ["a", "b"],
        "open": True,
        "by": "Berg, Anna",
        "at": "C:\\d, e",
        "to": ["Vik, Per", "Li", '5" pipe', "Bo"],
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind != a\nkind != b, c", {"kind": {"ne": ["a", "b", "c"]}}),
        ("kind = a\nkind = b, c", {"kind": ["a", "b", "c"]}),
        ("year >= 1990\nyear != 1995", {"year": {"gte": 1990, "ne": 1995}}),
    ],
)
def test_all_lines_on_a_key_count(text: str, expected: dict[str, object]) -> None:
    assert read_filters(text) == expected


@pytest.mark.parametrize("text", ["year >= 1990\nyear = 2000", "year != 1990\nyear = 2000", "year = 1\nyear > 0"])
def test_values_and_bounds_of_one_key_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"on 'year' must have either values .* or bounds and exclusions .* both"):
        read_filters(text)


def test_a_bound_that_is_given_twice_is_refused() -> None:
    with pytest.raises(InvalidInput, match="each bound of 'year' once"):
        read_filters("year >= 1990\nyear >= 1995")


@pytest.mark.parametrize("text", ["year", "year >=", "= 3"])
def test_a_filter_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="filter"):
        read_filters(text)


def test_options_are_lines_with_a_value() -> None:
    assert Asked.of({"options": "steps = 3\nweights = [0.1, 0.4]\nrerank = cross-encoder"}).method_options == {
        "steps": 3,
        "weights": [0.1, 0.4],
        "rerank": "cross-encoder",
    }
    with pytest.raises(InvalidInput, match="per_document = 2"):
        _ = Asked.of({"options": "steps > 3"}).method_options


def test_single_and_double_quotation_marks_keep_commas() -> None:
    assert read_filters("""by = 'Berg, Anna', "Li, Bo", O'Neil, D'Arcy, True""") == {
        "by": ["Berg, Anna", "Li, Bo", "O'Neil", "D'Arcy", True]
    }


@pytest.mark.parametrize("value", ["9" * 5_000, "[" * 100_000, "NaN", "1e400", "1_000", '"a, b'])
def test_a_value_that_cannot_be_read_is_a_text(value: str) -> None:
    assert read_filters(f"year = {value}") == {"year": value if "," not in value else ['"a', "b"]}
