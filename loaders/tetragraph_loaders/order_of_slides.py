"""The order in which a presentation (PPTX) shows its slides.

kreuzberg takes slides by the numbers in the names of their parts, and the notes of a slide by the same number. A slide
that was moved keeps its name, and notes are numbered in the order in which they were written. So these parts get names
in the order of the slides.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Mapping

from tetragraph_loaders.prepared_xml import parse

_PRESENTATION = "ppt/presentation.xml"
_NUMBERED = re.compile(r"ppt/slides/slide([0-9]+)\.xml")
_NOTES = re.compile(r"ppt/notesSlides/[^/]+\.xml")
_SLIDE_ID = "{http://schemas.openxmlformats.org/presentationml/2006/main}sldId"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def find_new_names(archive: zipfile.ZipFile) -> Mapping[str, str]:
    """Names by which the slides of a presentation are in order, with their notes, by the names that they have.

    The name of notes of no slide is empty. Where the order is not known no part gets another name.
    """
    names = frozenset(archive.namelist())
    if _PRESENTATION not in names:
        return {}
    links = _find_links(archive, _PRESENTATION, names)
    listed = (links.get(one.get(_LINK, "")) for one in parse(archive.read(_PRESENTATION)).iter(_SLIDE_ID))
    slides = [slide for slide in dict.fromkeys(listed) if slide in names]
    found = [_NUMBERED.fullmatch(slide) for slide in slides]
    numbers = sorted(int(match[1]) for match in found if match)
    if len(numbers) < len(slides):
        return {}
    new_names = {name: "" for name in names if numbers and _NOTES.fullmatch(name)}
    for slide, number in zip(slides, numbers, strict=True):
        new_names[slide] = f"ppt/slides/slide{number}.xml"
        new_names[_links_of(slide)] = _links_of(new_names[slide])
        for part in _find_links(archive, slide, names).values():
            if _NOTES.fullmatch(part):
                new_names[part] = f"ppt/notesSlides/notesSlide{number}.xml"
    return new_names


def _links_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return f"{folder}/_rels/{name}.rels"


def _find_links(archive: zipfile.ZipFile, part: str, names: frozenset[str]) -> dict[str, str]:
    """Names of the parts to which a part refers, by the ids of the references."""
    if _links_of(part) not in names:
        return {}
    found = {}
    for link in parse(archive.read(_links_of(part))):
        target = posixpath.join("/", posixpath.dirname(part), link.get("Target", ""))
        found[link.get("Id", "")] = posixpath.normpath(target).lstrip("/")
    return found
