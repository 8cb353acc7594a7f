"""Splits documents into chunks that fit the embedder: at headings, then paragraphs, sentences, lines, and words.

A chunk never crosses a heading or the end of a page, so that what it says stands on the page that it names. Two
neighbours on one page under one heading never fit into one: a text is cut only where necessary, at the coarsest
possible boundary. The limit applies to `Chunk.passage`, the titles and the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

from tetragraph.errors import InvalidInput
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.model import Chunk, Document, Heading, Page, content_id

CountTokens: TypeAlias = Callable[[Sequence[str]], Sequence[int]]
Span: TypeAlias = tuple[int, int]

_CHARACTERS_PER_TOKEN = 16
"""Average above which a text counts as too long without being tokenised: no prose has tokens of that length."""
_PIECE = 8
"""Characters in the pieces of a word that does not fit; small, so that chunks become full."""
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")
_LINE_END = re.compile(r"\n\s*")
_WORD = re.compile(r"\S+")
_CLOSING = ")]}\"'”’»"
_MOST_CLOSED = 4
"""Number of characters at the end of a sentence among which its mark is looked for, before closing ones."""
_BETWEEN_CELLS = frozenset("—–-$€£%,")
_PATH_SEPARATOR = " › "


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The tokenizer, and the largest number of tokens of a passage."""

    most: int
    count_all: CountTokens

    def count(self, texts: Sequence[str]) -> Sequence[int]:
        return self.count_all(texts) if texts else []

    def count_short(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text; the limit plus one for a text that is too long by its number of characters."""
        bound = _CHARACTERS_PER_TOKEN * self.most
        counts = iter(self.count([text for text in texts if len(text) <= bound]))
        return [next(counts) if len(text) <= bound else self.most + 1 for text in texts]


@dataclass(slots=True)
class _Section:
    """The text under one heading, and its division into chunks.

    Attributes:
        span: Offsets of the text in the document.
        path: Titles of the headings above it, from the outermost, joined by `` › ``.
        limit: Largest number of tokens of a passage, titles included.
        budget: Tokens left for the text.
        units: Units to pack into chunks: offsets without gaps, and tokens without the whitespace at the end.
    """

    document: Document
    title: str
    span: Span
    path: str = ""
    limit: int = 0
    budget: int = 0
    units: list[tuple[Span, int]] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)

    def text(self, span: Span) -> str:
        return self.document.text[slice(*span)]

    def chunk(self, span: Span, tokens: int = 0) -> Chunk:
        """A chunk without a position in its document yet."""
        document = self.document
        titles, text = (self.title, document.title), self.text(span)
        page = _find_page(document, span[0])
        return Chunk(
            "",
            document.id,
            *titles,
            text,
            0,
            *span,
            tokens,
            document.metadata,
            document.source,
            page.number if page else None,
            document.named_by_file,
            page.label if page else "",
            self.path,
        )

    def take_drafts(self, drafts: Sequence[tuple[Chunk, int]], counts: Iterator[int]) -> bool:
        """Take over the drafts with their token counts; if one of several units is too long, lower the budget.

        Returns:
            Whether the drafts fit.
        """
        self.chunks = [replace(chunk, tokens=next(counts)) for chunk, _ in drafts]
        sizes = zip(self.chunks, drafts, strict=True)
        excess = max((chunk.tokens - self.limit for chunk, (_, units) in sizes if units > 1), default=0)
        self.budget -= max(excess, 0)
        return excess <= 0

    @property
    def lead(self) -> str:
        """The titles in the form in which they are embedded before the text."""
        return self.chunk((0, 0)).passage


def split(document: Document, *, max_tokens: int, count_tokens: CountTokens) -> list[Chunk]:
    """The chunks of one document; see `split_many`."""
    return split_many([document], max_tokens=max_tokens, count_tokens=count_tokens)[0]


def split_many(documents: Sequence[Document], *, max_tokens: int, count_tokens: CountTokens) -> list[list[Chunk]]:
    """Cut documents into chunks whose passages fit the embedder.

    A document that fits and has no heading and no pages is one chunk with its exact text; a passage with more than 16
    characters for each of ``max_tokens`` counts as too long. The titles that are embedded with each chunk count,
    but never as more than half of ``max_tokens``: under longer titles a passage exceeds ``max_tokens`` by the rest
    of the titles. A single character is never cut.

    Args:
        documents: Documents to cut. Larger batches need fewer tokenizer calls per document: one call counts the
            passages of all documents, a few more count those that must be cut.
        max_tokens: Tokens of `Chunk.passage` that the embedder reads, special tokens not counted.
        count_tokens: Returns the number of tokens of each text, special tokens not counted.

    Returns:
        The chunks of each document, in text order. They do not overlap and cover everything but whitespace and what is
        left out (``Document.left_out``); a document of whitespace alone has none. ``Chunk.tokens`` counts the passage
        with its titles.

    Raises:
        InvalidInput: ``max_tokens`` is below 1.
    """
    if max_tokens < 1:
        raise InvalidInput(f"max_tokens must be at least 1, got {max_tokens}; use the embedder's window")
    sections = [list(_sections(document)) for document in documents]
    everything = [section for of_document in sections for section in of_document]
    tokens = _Tokens(max_tokens, count_tokens)
    longer = _chunk_whole(everything, tokens)
    _set_budgets(longer, tokens)
    for cut in (_paragraphs, _sentences, _lines, _words, _pieces, _characters):
        _cut_units(longer, cut, tokens)
    _pack_all(longer, tokens)
    return [_number(chunk for section in of_document for chunk in section.chunks) for of_document in sections]


def _sections(document: Document) -> Iterator[_Section]:
    """The parts of a document that are each divided by themselves: a chunk crosses no heading, page end or gap."""
    text = document.text
    breaks = [page.start for page in document.pages if not page.label]  # a cell or sheet may share a chunk
    if not (document.headings or document.left_out or breaks):
        if text.strip():
            yield _Section(document, document.title, (0, len(text)))
        return
    headings = sorted(document.headings, key=lambda heading: heading.start)
    starts = [0, *(min(max(heading.start, 0), len(text)) for heading in headings), len(text)]
    titles = [document.title, *(heading.title for heading in headings)]
    paths = ["", *_find_paths(headings)]
    for title, path, bounds in zip(titles, paths, pairwise(starts), strict=True):
        for on_page in _divide(bounds, breaks):
            for part in _without(on_page, document.left_out):
                span = _trim(text, part)
                if span[0] < span[1]:
                    yield _Section(document, title, span, path)


def _divide(span: Span, breaks: Sequence[int]) -> Iterator[Span]:
    """The parts of a span between ascending offsets."""
    inside = breaks[bisect_right(breaks, span[0]) : bisect_left(breaks, span[1])]
    return pairwise([span[0], *inside, span[1]])


def _without(span: Span, left_out: Sequence[Span]) -> Iterator[Span]:
    """The parts of a span outside of others, which ascend."""
    start = span[0]
    for gap, end in left_out:
        if gap < span[1] and end > start:
            yield start, max(gap, start)
            start = end
    yield start, max(start, span[1])


def _find_page(document: Document, start: int) -> Page | None:
    """The page with an offset of the text; None where no page begins at or before it."""
    after = bisect_right(document.pages, start, key=lambda page: page.start)
    return document.pages[after - 1] if after else None


def _find_paths(headings: Sequence[Heading]) -> Iterator[str]:
    """For each heading the titles of those above it and its own, from the outermost."""
    open_headings: list[Heading] = []
    for heading in headings:
        open_headings = [one for one in open_headings if one.level < heading.level]
        open_headings.append(heading)
        yield _PATH_SEPARATOR.join(one.title for one in open_headings)


def _trim(text: str, span: Span) -> Span:
    """The span without the whitespace at its ends."""
    inside = text[slice(*span)]
    start = span[0] + len(inside) - len(inside.lstrip())
    return start, start + len(inside.strip())


def _chunk_whole(sections: Sequence[_Section], tokens: _Tokens) -> list[_Section]:
    """Make one chunk of each section that fits; returns the other sections."""
    wholes = [section.chunk(section.span) for section in sections]
    counts = tokens.count_short([whole.passage for whole in wholes])
    longer = []
    for section, whole, count in zip(sections, wholes, counts, strict=True):
        if count <= tokens.most:
            section.chunks = [replace(whole, tokens=count)]
        else:
            longer.append(section)
    return longer


def _set_budgets(sections: Sequence[_Section], tokens: _Tokens) -> None:
    """Divide the tokens between titles and text, and start with the whole text of each section as one unit."""
    leads = tokens.count([section.lead for section in sections])
    for section, lead in zip(sections, leads, strict=True):
        section.budget = tokens.most - min(lead, tokens.most // 2)
        section.limit = lead + section.budget
        section.units = [(_trim(section.document.text, section.span), section.budget + 1)]


def _cut_units(sections: Sequence[_Section], cut: Callable[[str, Span], list[Span]], tokens: _Tokens) -> None:
    """Replace each unit above the budget by its parts."""
    parts = {
        (number, span): cut(section.document.text, span)
        for number, section in enumerate(sections)
        for span, count in section.units
        if count > section.budget
    }
    texts = [sections[number].text(part).rstrip() for (number, _), of_unit in parts.items() for part in of_unit]
    counts = iter(tokens.count_short(texts))
    measured = {key: [(part, next(counts)) for part in of_unit] for key, of_unit in parts.items()}
    for number, section in enumerate(sections):
        section.units = [part for unit in section.units for part in measured.get((number, unit[0]), [unit])]


def _paragraphs(text: str, span: Span) -> list[Span]:
    ends = [match.end() for match in _PARAGRAPH_END.finditer(text, *_trim(text, span))]
    return list(pairwise([span[0], *ends, span[1]]))


def _sentences(text: str, span: Span) -> list[Span]:
    spans = [(span[0] + start, span[0] + end) for start, end in sentence_spans(text[slice(*span)])]
    starts = [start for (_, end), (start, _) in pairwise(spans) if not _is_inside_row(text, end, start)]
    return list(pairwise([span[0], *starts, span[1]]))


def _is_inside_row(text: str, end: int, start: int) -> bool:
    """Whether a sentence ends inside a line without a mark, as the cells of a row do before a number in parentheses."""
    last = text[max(end - _MOST_CLOSED, 0) : end].rstrip(_CLOSING)[-1:]
    return "\n" not in text[end:start] and (last.isalnum() or last in _BETWEEN_CELLS)


def _lines(text: str, span: Span) -> list[Span]:
    starts = [match.end() for match in _LINE_END.finditer(text, *_trim(text, span))]
    return list(pairwise([span[0], *starts, span[1]]))


def _words(text: str, span: Span) -> list[Span]:
    starts = [match.start() for match in _WORD.finditer(text, *span)]
    return list(pairwise([span[0], *starts[1:], span[1]]))


def _pieces(text: str, span: Span) -> list[Span]:
    return list(pairwise([*range(*_trim(text, span), _PIECE), span[1]]))


def _characters(text: str, span: Span) -> list[Span]:
    return list(pairwise([*range(*_trim(text, span)), span[1]]))


def _pack_all(sections: Sequence[_Section], tokens: _Tokens) -> None:
    """Make chunks of units, as full as the limit allows.

    With tokenizers that end tokens at whitespace, a chunk has as many tokens as its units together. Where another
    tokenizer needs more, the section is packed again with a budget reduced by the excess.
    """
    pending = list(sections)
    while pending:
        drafts = [[(section.chunk(span), units) for span, units in _pack(section)] for section in pending]
        passages = [chunk.passage for of_section in drafts for chunk, _ in of_section]
        counts = iter(tokens.count(passages))
        settled = [section.take_drafts(of_section, counts) for section, of_section in zip(pending, drafts, strict=True)]
        pending = [section for section, done in zip(pending, settled, strict=True) if not done]


def _pack(section: _Section) -> list[tuple[Span, int]]:
    """The spans of chunks, filled greedily, each with its number of units."""
    groups: list[list[Span]] = []
    room = 0
    for span, count in section.units:
        if not groups or count > room:
            groups.append([])
            room = section.budget
        groups[-1].append(span)
        room -= count
    return [(_trim(section.document.text, (group[0][0], group[-1][1])), len(group)) for group in groups]


def _number(chunks: Iterable[Chunk]) -> list[Chunk]:
    """Assign the chunks of a document their positions and ids."""
    return [
        replace(chunk, position=i, id=content_id(chunk.document_id, str(i), chunk.title, chunk.text))
        for i, chunk in enumerate(chunks)
    ]


def id_in(document_id: str, chunk: Chunk) -> str:
    """The id that a chunk has as one of another document."""
    return content_id(document_id, str(chunk.position), chunk.title, chunk.text)


def is_as_ingested(chunk: Chunk) -> bool:
    """Whether title and text of a stored chunk are those that its id was computed from."""
    return chunk.id == id_in(chunk.document_id, chunk)
