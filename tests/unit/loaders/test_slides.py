"""Presentations (PPTX)."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from presentations import box, refer_to_notes, shape, table, write_notes, write_slides
from tetragraph.model import Document
from tetragraph_loaders import office
from tetragraph_loaders.order_of_slides import find_new_names
from tetragraph_loaders.prepared_slides import prepare_slides

EQUATION = "<a14:m><m:oMath><m:r><m:t>A=1 &lt; x</m:t></m:r></m:oMath></a14:m>"


def read(path: Path, *slides: str) -> Document:
    pytest.importorskip("kreuzberg")
    (found,) = office.load(write_slides(path / "a.pptx", *slides), id_prefix="d/a")
    assert isinstance(found, Document)
    return found


def versions(choice: str, fallback: str) -> str:
    return (
        f'<mc:AlternateContent><mc:Choice Requires="a14">{choice}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


def test_slides_have_numbers_and_titles(tmp_path: Path) -> None:
    document = read(tmp_path, shape("Tides") + shape("High water at noon."), shape("Dykes") + shape("Built of clay."))
    assert document.text == "Tides\n\nHigh water at noon.\n\nDykes\n\nBuilt of clay."
    assert [(page.start, page.number, page.label) for page in document.pages] == [(0, 1, "slide 1"), (28, 2, "slide 2")]
    assert [(heading.start, heading.title) for heading in document.headings] == [(0, "Tides"), (28, "Dykes")]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (versions(shape("Area and more."), shape(" ")), "Area and more."),
        (versions("<p:pic/>", shape("Words of the picture.")), "Words of the picture."),
        (versions(shape("Area.") + shape("More."), shape("Area.")), "Area.\n\nMore."),
        (versions(versions(shape("Inner."), shape("Other.")), shape("Outer.")), "Inner."),
        (versions(box(f"<a:r><a:t>Area </a:t></a:r>{EQUATION}<a:r><a:t> here.</a:t></a:r>"), ""), "Area A=1 < x here."),
        (versions(box(EQUATION), shape(" ")), "A=1 < x"),
    ],
    ids=["choice", "fallback", "two_shapes", "nested", "equation", "only_equation"],
)
def test_what_a_slide_has_in_versions_is_read_once(tmp_path: Path, content: str, text: str) -> None:
    document = read(tmp_path, shape("Tides") + content + shape("AT&amp;T"))
    assert document.text == f"Tides\n\n{text}\n\nAT&T"


def test_versions_without_text_leave_nothing(tmp_path: Path) -> None:
    nothing = "<mc:AlternateContent/>" + versions("<p:pic/>", "<p:pic/>")
    assert read(tmp_path, shape("Tides") + nothing + shape("End.")).text == "Tides\n\nEnd."


def test_a_table_is_markdown_and_its_groups_repeat_the_header(tmp_path: Path) -> None:
    rows = [(f"Port {number}", "A | B\nC &amp; D", "") for number in range(60)]
    document = read(tmp_path, shape("Tides") + table(("Name", "Boats", "Rest"), *rows) + shape("End."))
    groups = document.text.split("\n\n")
    assert (groups[0], groups[-1], len(groups) > 3) == ("Tides", "End.", True)
    assert {group[:44] for group in groups[1:-1]} == {"| Name | Boats | Rest |\n| --- | --- | --- |\n"}
    assert sum(group.count("| A \\| B C & D |  |") for group in groups) == 60


def test_a_table_is_read_at_its_place_and_is_no_title(tmp_path: Path) -> None:
    place = '<p:xfrm><a:off x="0" y="{}"/><a:ext cx="9" cy="9"/></p:xfrm>'
    low = shape("Low.").replace("<p:spPr/>", f"<p:spPr>{place.replace('p:', 'a:').format(900)}</p:spPr>")
    tables = (table((name, "B"), ("1", "2"), place=place.format(y)) for name, y in (("Mid", 500), ("High", 100)))
    document = read(tmp_path, low + "".join(tables))
    assert document.text == "| High | B |\n| --- | --- |\n| 1 | 2 |\n\n| Mid | B |\n| --- | --- |\n| 1 | 2 |\n\nLow."
    assert document.headings == ()


def test_a_chart_and_an_empty_table_leave_nothing(tmp_path: Path) -> None:
    chart = "<p:graphicFrame><a:graphic><a:graphicData/></a:graphic></p:graphicFrame>"
    assert read(tmp_path, shape("Tides") + chart + table() + table(("", "")) + shape("End.")).text == "Tides\n\nEnd."


def test_slides_are_in_the_order_in_which_they_are_shown(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    slides = [shape(f"Slide {number}") + shape("Words.") for number in range(1, 12)]
    order = [11, 2, 10, 1, *range(3, 10)]
    (document,) = office.load(write_slides(tmp_path / "a.pptx", *slides, order=order), id_prefix="d/a")
    assert isinstance(document, Document)
    assert [one.title for one in document.headings] == [f"Slide {number}" for number in order]
    assert [one.number for one in document.pages] == list(range(1, 12))


def test_notes_stay_with_their_slides(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    more = {
        "ppt/notesSlides/notesSlide1.xml": write_notes("Of three."),
        "ppt/notesSlides/notesSlide2.xml": write_notes("Of one."),
        "ppt/notesSlides/notesSlide3.xml": write_notes("Of none."),
        "ppt/slides/_rels/slide1.xml.rels": refer_to_notes(2),
        "ppt/slides/_rels/slide3.xml.rels": refer_to_notes(1),
    }
    path = write_slides(tmp_path / "a.pptx", *map(shape, ("One", "Two", "Three")), order=[3, 1, 2], more=more)
    (document,) = office.load(path, id_prefix="d/a")
    assert isinstance(document, Document)
    assert document.text == "Three\n\nNotes:\n\nOf three.\n\nOne\n\nNotes:\n\nOf one.\n\nTwo"


@pytest.mark.parametrize(
    "without", ["ppt/presentation.xml", "ppt/_rels/presentation.xml.rels", "ppt/slides/slide1.xml"]
)
def test_without_the_list_of_slides_they_are_in_the_order_of_their_names(tmp_path: Path, without: str) -> None:
    path = write_slides(tmp_path / "a.pptx", "", "", order=[2, 1], without=without)
    with zipfile.ZipFile(path) as archive:
        assert all(old == new for old, new in find_new_names(archive).items() if new)


def test_slides_whose_names_have_no_numbers_keep_their_names(tmp_path: Path) -> None:
    links = '<x><y Id="r2" Target="slides/slide2.xml"/><y Id="r1" Target="/ppt/slides/first.xml"/></x>'
    more = {"ppt/_rels/presentation.xml.rels": links, "ppt/slides/first.xml": "<x/>"}
    path = write_slides(tmp_path / "a.pptx", "", "", order=[2, 1], more=more)
    with zipfile.ZipFile(path) as archive:
        assert find_new_names(archive) == {}


def test_a_damaged_presentation_is_left_to_its_reader(tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    assert prepare_slides(write_slides(tmp_path / "a.pptx", "<p:sp>")) is None
    (tmp_path / "b.pptx").write_bytes(b"PK")
    assert prepare_slides(tmp_path / "b.pptx") is None
