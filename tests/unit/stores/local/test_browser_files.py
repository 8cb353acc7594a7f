"""Style sheet, guide and favourites of Neo4j Browser: complete, in agreement with the queries, and deterministic."""

from __future__ import annotations

import html
import io
import re
import zipfile
from pathlib import Path

import pytest

from tetragraph import queries
from tetragraph.errors import InvalidInput
from tetragraph.stores.local import browser_files, browser_guide

LABELS = set(
    """
    Corpus Document Chunk Entity Alias Relation Community EncodingTree BipartiteGraph Session Step Anchor
    """.split()  # noqa: SIM905  # a list of words reads better than a wall of quotes
)
LINKS = set(
    """
    INFO_GAIN AFFINITY MENTIONS DESCRIBES PARTICIPATES_IN STATED_IN CONTAINS RETRIEVED FOUND ADDED ANCHORED REFERS_TO
    SEEN_IN HAS_CHUNK NEXT ALIAS_OF KEPT_APART HAS_STEP FORKED_FROM
    """.split()  # noqa: SIM905  # likewise
)
RULE = re.compile(r"(?:^|\n)(node|relationship)(?:\.(\w+))? \{\n((?:  [a-z-]+: [^\n]+;\n)+)\}")
STYLE = browser_files.files()["style.grass"].decode()


def rules() -> dict[tuple[str, str], dict[str, str]]:
    found = {}
    for kind, name, body in RULE.findall(STYLE):
        pairs = (line.strip().removesuffix(";").split(": ", 1) for line in body.splitlines())
        assert (kind, name) not in found
        found[kind, name] = dict(pairs)
    return found


def test_the_sheet_is_nothing_but_whole_rules() -> None:
    assert RULE.sub("", STYLE).strip() == ""
    assert STYLE.count("{\n") == STYLE.count("\n}") == len(rules())


def test_every_public_label_and_relationship_has_its_rule_and_so_has_the_rest() -> None:
    found = rules()
    assert {name for kind, name in found if kind == "node"} == LABELS | {""}
    assert {name for kind, name in found if kind == "relationship"} == LINKS | {""}
    for (kind, name), properties in found.items():
        if kind == "node" and name:
            assert {"color", "diameter", "caption", "text-color-internal"} <= properties.keys()


def test_captions_have_nothing_that_browser_takes_for_the_end_of_a_rule() -> None:
    for properties in rules().values():
        caption = properties.get("caption", '""')
        assert re.fullmatch(r'"[^":;]*"', caption)
        assert caption.count("{") == caption.count("}")


def test_captions_can_be_read_on_their_colours() -> None:
    for (kind, name), properties in rules().items():
        if kind == "node" and name:
            ratio = contrast(properties["color"], properties["text-color-internal"])
            assert ratio >= 4.5, f"{name}: {ratio:.1f}"


def contrast(one: str, other: str) -> float:
    """Of two colours, as the Web Content Accessibility Guidelines 2.2 define it: 1 to 21."""
    first, second = sorted((luminance(one), luminance(other)))
    return (second + 0.05) / (first + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_guide_shows_each_query_of_its_folder_word_for_word() -> None:
    page = browser_files.files()["guide.html"].decode()
    shown = [html.unescape(text) for text in re.findall(r'<pre class="runnable">(.*?)</pre>', page, re.DOTALL)]
    expected = [
        browser_guide.statement(queries.get(name)) for slide in browser_guide.slides() for name in slide.queries
    ]
    assert shown == expected
    named = {name for slide in browser_guide.slides() for name in slide.queries}
    assert {name for name in queries.names() if name.startswith("browser/")} <= named


def test_every_parameter_of_the_guide_is_set_before_and_can_be_set_by_a_click() -> None:
    begun = {command.split()[1] for command in browser_guide.BEGIN}
    clicked = {choice.name for slide in browser_guide.slides() for choice in slide.choices}
    for slide in browser_guide.slides():
        for name in slide.queries:
            assert set(queries.get(name).parameters) <= begun & clicked


def test_a_slide_draws_and_lists_and_only_reads() -> None:
    for slide in browser_guide.slides():
        assert set(queries.get(slide.draw).returns.values()) == {"PATH"}
        assert "PATH" not in queries.get(slide.table).returns.values()
        assert {queries.get(name).access for name in slide.queries} == {"read"}
        assert slide.words
        assert slide.change


def test_words_cannot_become_markup() -> None:
    drawn, listed = browser_guide.slides()[0].queries
    slide = browser_guide.Slide("<b>", ("<script>",), (browser_guide.Choice("<i>", "a", '"<'),), drawn, listed, "&")
    page = browser_guide.page((slide,))
    assert "<h3>&lt;b&gt;</h3>" in page
    assert "<script>" not in page
    assert 'data-exec="param a =&gt; &quot;&lt;"' in page


def test_commands_at_the_beginning_can_stand_in_one_line() -> None:
    assert not [command for command in browser_guide.BEGIN if ";" in command or "\n" in command]


def test_favourites_are_a_folder_for_each_slide_with_a_title_in_each_file() -> None:
    with zipfile.ZipFile(io.BytesIO(browser_files.favourites())) as archive:
        names = archive.namelist()
        texts = [archive.read(name).decode() for name in names]
    assert len(names) == len(set(names)) == sum(len(slide.queries) for slide in browser_guide.slides())
    assert all(re.fullmatch(r"tetragraph [a-z ]+/\w+\.cypher", name) for name in names)
    assert all(text.startswith("// ") for text in texts)


def test_the_same_bytes_come_at_each_call(tmp_path: Path) -> None:
    first, second = browser_files.write(tmp_path / "a" / "b"), browser_files.write(tmp_path / "c")
    assert [file.name for file in first] == ["style.grass", "guide.html", "favourites.zip"]
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match=r"need a folder to go into, .*file"):
        browser_files.write(tmp_path / "file")
