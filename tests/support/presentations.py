"""Small presentations (PPTX), written as PowerPoint does."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
NAMES = f"""xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:m="{OFFICE}/math"
 xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="{OFFICE}/relationships"
 xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
 xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main\""""


def shape(words: str) -> str:
    """A shape with one paragraph."""
    return box(f"<a:r><a:t>{words}</a:t></a:r>")


def box(runs: str) -> str:
    """A shape with one paragraph of these runs."""
    return f"<p:sp><p:nvSpPr/><p:spPr/><p:txBody><a:p>{runs}</a:p></p:txBody></p:sp>"


def table(*rows: Sequence[str], place: str = "") -> str:
    """A table whose cells have one paragraph for each of their lines."""

    def cell(words: str) -> str:
        paragraphs = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in words.split("\n"))
        return f"<a:tc><a:txBody>{paragraphs}</a:txBody></a:tc>"

    written = "".join(f"<a:tr>{''.join(map(cell, row))}</a:tr>" for row in rows)
    return (
        f"<p:graphicFrame><p:nvGraphicFramePr/>{place}<a:graphic><a:graphicData><a:tbl><a:tblPr/>{written}</a:tbl>"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


def write_notes(words: str) -> str:
    """The part with the notes of a slide."""
    place = '<p:nvSpPr><p:cNvPr id="2" name="N"/><p:cNvSpPr/><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr>'
    return (
        f"<p:notes {NAMES}><p:cSld><p:spTree>{shape(words).replace('<p:nvSpPr/>', place)}</p:spTree></p:cSld></p:notes>"
    )


def refer_to_notes(number: int) -> str:
    """The part by which a slide refers to its notes."""
    target = f"../notesSlides/notesSlide{number}.xml"
    link = f'<Relationship Id="n" Type="{OFFICE}/relationships/notesSlide" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{link}</Relationships>'


def write_slides(
    path: Path, *slides: str, order: Sequence[int] = (), more: Mapping[str, str] | None = None, without: str = ""
) -> Path:
    """Write a presentation.

    Args:
        path: File to write.
        slides: Shapes of each slide, of which the first is in the file ``slide1.xml``.
        order: Number of each file in the order in which they are shown; that of the files if empty.
        more: Further parts by name, also in place of those that are written.
        without: Name of a part that is not written.
    """
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="r{n}"/>' for n in order or range(1, len(slides) + 1))
    links = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/relationships/slide" Target="slides/slide{n}.xml"/>'
        for n in range(1, len(slides) + 1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r" '
        f'Type="{OFFICE}/relationships/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
        "ppt/presentation.xml": f"<p:presentation {NAMES}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>',
    }
    for number, shapes in enumerate(slides, start=1):
        parts[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {NAMES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**parts, **(more or {})}.items():
            if name != without:
                archive.writestr(name, content)
    return path
