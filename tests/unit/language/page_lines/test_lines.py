"""Lines of a page with their words and links."""

from __future__ import annotations

from tetragraph.language.page_lines.lines import read_lines

PAGE = """# A title

*   [Home](https://a.test/)
See [the _list_ of boats](/boats "Boats") and ![a boat](x.png).
![Logo](https://b.test/logo_(1).png)
"""


def test_blank_lines_are_left_out_and_offsets_are_those_of_the_page() -> None:
    lines = read_lines(PAGE)
    assert [line.raw for line in lines] == [line for line in PAGE.split("\n") if line]
    assert all(PAGE[line.start : line.end] == line.raw for line in lines)


def test_links_stand_with_their_texts_and_are_counted_by_themselves() -> None:
    title, home, sentence, logo = read_lines(PAGE)
    assert (title.words, title.link_words, title.is_link, title.targets) == (2, 0, False, ())
    assert (home.text, home.words, home.link_words, home.is_link) == ("*   Home", 0, 1, True)
    assert sentence.text == "See the _list_ of boats and a boat."
    assert (sentence.words, sentence.link_words, sentence.is_link) == (2, 6, False)
    assert list(sentence.targets) == ["/boats", "x.png"]
    assert (logo.text, list(logo.hosts)) == ("Logo", ["b.test"])
    assert list(sentence.hosts) == ["", ""]
