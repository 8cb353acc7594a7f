"""Documents that kreuzberg reads: one document for each file, with headings, pages, slides and tables.

These are PDF, DOCX, PPTX, ODT, RTF, EPUB, e-mails and others. Pages of a PDF and slides are found by marks that
kreuzberg is asked to set between them. A DOCX has no pages of its own: these depend on the program that prints it.
Pages of a PDF without text are recognised. Needs the extra ``docs``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tetragraph.errors import UnreadableDocument
from tetragraph.host.optional_imports import install_command
from tetragraph.model import Document, Heading, Page, Scalar, Unreadable
from tetragraph.model.documents import MAX_TITLE
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders import recognition
from tetragraph_loaders.composing import Composer
from tetragraph_loaders.divided_words import JOINT, close_joints, mark_joints
from tetragraph_loaders.latex import prepare_latex
from tetragraph_loaders.mail_body import compose_body
from tetragraph_loaders.page_headings import WORD, find_headings
from tetragraph_loaders.prepared_slides import SLIDE_SUFFIXES, find_rows, prepare_slides
from tetragraph_loaders.prepared_xml import prepare, restore_characters
from tetragraph_loaders.reading import cannot_open, title_from
from tetragraph_loaders.rows import with_note
from tetragraph_loaders.scanned_pages import SIGN, Recognised, recognise_pages

if TYPE_CHECKING:
    from kreuzberg import ExtractionResult

_NO_PACKAGE = f"this format needs the package kreuzberg, which is not installed; run: {install_command('docs')}"
_PAGE_MARK = "\n\n\ue000{page_num}\ue001\n\n"
"""Mark before each page; its characters are for private use, so that no text has them."""
_PAGE_MARKS = re.compile("\ue000([0-9]+)\ue001\n*")
_NO_TEXT = "a document must have text, this file has none; a scan must go through text recognition first"
_PAGED = frozenset({".pdf", ".pptx", ".ppsx", ".pptm", ".ppt"})
_PREPARED = {".tex": prepare_latex, **dict.fromkeys(SLIDE_SUFFIXES, prepare_slides)}
_MAIL = frozenset({".eml", ".msg"})
_MAIL_KEYS = {
    "from_email": "from",
    "to_emails": "to",
    "created_at": "date",
    "date": "date",
    "attachments": "attachments",
}
"""Metadata of an e-mail by kreuzberg's names."""
_ATTACHED = "attachments of e-mails are not read: save them as files to read them"
_MAX_SLIDE_TITLE = 150
_PROGRAM = re.compile(r"Microsoft (?:Word|PowerPoint|Excel) - ")
"""Words of a program before the name of a file whose title nobody has set."""
_FILE_NAME = re.compile(r"\.(?:docx?|dvi|indd|odt|pdf|pptx?|rtf|tex|xlsx?)$", re.IGNORECASE)
_NO_TITLES = frozenset({"document", "document1", "powerpoint presentation", "presentation", "title", "untitled"})


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read the file as one document with its headings, titled by its own title, otherwise the file name."""
    try:
        result = _extract(path)
        if path.suffix.lower() == ".pdf":
            yield _to_document(result, path, id_prefix, options)
        else:
            yield restore_characters(_compose(result, path, id_prefix))
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))


def _extract(path: Path) -> ExtractionResult:
    try:
        import kreuzberg
        from kreuzberg import ExtractionConfig, KreuzbergError, PageConfig
    except ImportError as error:
        raise UnreadableDocument(_NO_PACKAGE) from error
    has_pages = path.suffix.lower() in _PAGED
    marks = PageConfig(extract_pages=True, insert_page_markers=True, marker_format=_PAGE_MARK) if has_pages else None
    config = ExtractionConfig(use_cache=False, include_document_structure=True, pages=marks)
    try:
        prepared = _PREPARED.get(path.suffix.lower(), prepare)(path)
        if prepared is not None:
            kind = kreuzberg.detect_mime_type_from_path(path)
            return kreuzberg.extract_bytes_sync(prepared, kind, config=config)
        return kreuzberg.extract_file_sync(path, config=config)
    except OSError as error:
        raise UnreadableDocument(cannot_open(error)) from error
    except (KreuzbergError, RuntimeError, ValueError) as error:
        raise UnreadableDocument(_describe(error)) from error


def _describe(error: Exception) -> str:
    """The reason why a file cannot be read, with what to do about it."""
    words = str(error)
    if re.search("password|encrypt|protected", words, re.IGNORECASE):
        return "the file is protected by a password; save a copy without one"
    return f"the file cannot be read: {words}; open and save it again, or leave it out"


def _to_document(result: ExtractionResult, path: Path, source: str, options: ReadingOptions) -> Document:
    marked = result.content[: _find_end(result)].replace("\r\n", "\n").replace("\0", "")
    texts = _page_texts(marked)
    recognised = recognise_pages(path, texts, result.metadata, options)
    joined = mark_joints(texts, {page["page_number"]: page["content"] for page in result.pages or ()})
    text, pages = _join_pages(_PAGE_MARKS.split(marked)[0], joined, recognised.texts)
    if not text.strip():
        raise UnreadableDocument(_describe_scan(len(pages), recognised, options))
    text, pages, headings = close_joints(text, pages, list(_headings(result, text.replace(JOINT, "-"))))
    title = _own_title(result.metadata)
    return Document(
        source,
        title or title_from(path),
        text,
        source=source,
        headings=headings or tuple(find_headings(text, pages)),
        pages=pages,
        named_by_file=not title,
        notes=recognised.notes,
    )


def _find_end(result: ExtractionResult) -> int:
    """End of the last page in the text of a PDF, behind which kreuzberg repeats the tables that it has found.

    The page alone has the same words, but for hyphens at the ends of lines; where it has more of them, all is kept.
    """
    start = max((mark.end() for mark in _PAGE_MARKS.finditer(result.content)), default=0)
    if not start or not result.pages:
        return len(result.content)
    signs = sum(1 for _ in SIGN.finditer(result.pages[-1]["content"]))
    if not signs:
        return start
    last = next(islice(SIGN.finditer(result.content, start), signs - 1, None), None)
    return last.end() if last else len(result.content)


def _describe_scan(pages: int, recognised: Recognised, options: ReadingOptions) -> str:
    counted = f"its {pages:,} pages have" if pages > 1 else "its page has"
    scan = f"the PDF is a scan or drawing: {counted} no text"
    if recognised.was_tried:
        return "; ".join((f"{scan}, and none was recognised", *recognised.notes))
    if options.ocr == "off":
        return f"{scan}; a scan is not read with --ocr off"
    return f"{scan}; a scan must go through {recognition.WAY_OUT}; or through ocrmypdf"


def _own_title(metadata: Mapping[str, Any]) -> str:
    """The title in the metadata that somebody has written, or the subject of an e-mail; empty if there is none."""
    title = _written_title(_in_one_line(metadata.get("title")))
    if not title and metadata.get("format_type") == "email":
        title = _in_one_line(metadata.get("subject"))
    return title if len(title) <= MAX_TITLE else ""


def _in_one_line(words: object) -> str:
    return " ".join(words.split()) if isinstance(words, str) else ""


def _written_title(title: str) -> str:
    words = _PROGRAM.sub("", title)
    is_none = WORD.search(words) is None or _FILE_NAME.search(words) or words.lower() in _NO_TITLES
    return "" if is_none else words


def _page_texts(marked: str) -> list[tuple[int, str]]:
    parts = _PAGE_MARKS.split(marked)
    return [(int(number), part) for number, part in zip(parts[1::2], parts[2::2], strict=True)]


def _join_pages(
    before: str, texts: Sequence[tuple[int, str]], recognised: Mapping[int, str]
) -> tuple[str, tuple[Page, ...]]:
    r"""Join the texts of pages; returns the text, and the pages with their offsets in it.

    Args:
        before: Text in front of the first page.
        texts: Number and text of each page.
        recognised: Texts that take the place of those of pages, by number.

    >>> _join_pages("", [(1, "One.\n\n"), (2, "")], {2: "Two."})
    ('One.\n\nTwo.', (Page(start=0, number=1, label=''), Page(start=6, number=2, label='')))
    """
    text, pages = before, []
    for number, part in texts:
        pages.append(Page(len(text), number))
        text += f"{recognised[number]}\n\n" if number in recognised else part
    return text.rstrip("\n") if pages else text, tuple(pages)


def _headings(result: ExtractionResult, text: str) -> Iterator[Heading]:
    """Headings that the file marks, located in the text by block."""
    at = 0
    for node in result.document["nodes"] if result.document else []:
        content = node["content"]
        words = str(content.get("text", "")).strip()
        start = f"{text}\n".find(f"{words}\n", at) if words else -1
        if start >= 0:
            at = start + len(words)
            if content["node_type"] == "heading":
                yield Heading(start, content["level"], words)


def _compose(result: ExtractionResult, path: Path, source: str) -> Document:
    """The document of a file whose structure kreuzberg knows: paragraphs, headings, slides and tables."""
    composer = Composer()
    body = compose_body(path)
    for node in result.document["nodes"] if result.document else []:
        if _is_read(node["content"]["node_type"], path, has_body=body is not None):
            _add_block(composer, node["content"])
    if body is not None:
        composer.add_part(body.text, body.headings)
    elif not composer.text.strip():
        composer.add(_PAGE_MARKS.sub("", result.content))
    if not composer.text.strip():
        raise UnreadableDocument(_NO_TEXT)
    metadata = _mail_metadata(result.metadata) if path.suffix.lower() in _MAIL else {}
    document = composer.document(source, _own_title(result.metadata), title_from(path), metadata)
    is_attached_only = body is not None and not body.text and "attachment_details" in result.metadata
    return with_note(document, _ATTACHED if is_attached_only or "attachments" in metadata else "")


def _is_read(kind: str, path: Path, *, has_body: bool) -> bool:
    """Whether blocks of a kind are text; in XML the names of all elements are headings.

    Args:
        kind: Kind by kreuzberg's name.
        path: The file.
        has_body: Whether it is an e-mail whose text is read without kreuzberg, which only reads its headers.
    """
    return kind == "metadata_block" if has_body else not (path.suffix.lower() == ".xml" and kind == "heading")


def _add_block(composer: Composer, content: Mapping[str, Any]) -> None:
    words = str(content.get("text") or "")
    if mark := _PAGE_MARKS.fullmatch(words):
        composer.begin_page(int(mark[1]), f"slide {mark[1]}")
    elif content["node_type"] == "heading":
        composer.add_heading(content["level"], words)
    elif content["node_type"] == "table":
        composer.add_table(_cells(content["grid"]))
    elif rows := find_rows(words):
        composer.add_table(rows)
    elif composer.is_at_page_start and len(words) <= _MAX_SLIDE_TITLE:  # the first words of a slide
        composer.add_heading(1, words)
    elif content["node_type"] == "metadata_block":
        composer.add("\n".join(f"{key}: {value}" for key, value in content.get("entries", ())))
    else:
        composer.add(words)


def _cells(grid: Mapping[str, Any]) -> Sequence[Sequence[str]]:
    rows = [[""] * grid["cols"] for _ in range(grid["rows"])]
    for cell in grid["cells"]:
        rows[cell["row"]][cell["col"]] = str(cell["content"])
    return rows


def _mail_metadata(metadata: Mapping[str, Any]) -> dict[str, Scalar | list[str]]:
    found: dict[str, Scalar | list[str]] = {}
    for key, name in _MAIL_KEYS.items():
        value = metadata.get(key)
        if isinstance(value, str) and value:
            found[name] = _to_iso(value) if name == "date" else value
        elif isinstance(value, list) and value:
            found[name] = [str(item) for item in value]
    return found


def _to_iso(date: str) -> str:
    """A date of an e-mail by ISO 8601; others stay as they are, as kreuzberg gives some in that form.

    >>> _to_iso("Tue, 05 Mar 2024 09:30:00 +0100")
    '2024-03-05T09:30:00+01:00'
    """
    try:
        return parsedate_to_datetime(date).isoformat()
    except ValueError:
        return date
