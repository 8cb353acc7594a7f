"""The text of an e-mail (EML) that has HTML or several parts.

kreuzberg drops the tags of HTML without leaving anything between the words, and the sender and subject of an e-mail
that is forwarded; some versions of it lose the plain text beside HTML. Such an e-mail is read here, its HTML as a whole
web page. Of alternatives the plain text is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import MIMEPart
from pathlib import Path
from typing import cast

from tetragraph.errors import UnreadableDocument
from tetragraph.host.web_encodings import find_web_encoding
from tetragraph_loaders.composing import Composer
from tetragraph_loaders.encodings import decode, find_declared
from tetragraph_loaders.html import read_whole_page

_MOST_BYTES = 100_000_000
"""Largest size of an e-mail that is read here, with its attachments."""
_HEADERS = ("Subject", "From", "To", "Date")
_PLAIN, _HTML, _MAIL = "text/plain", "text/html", "message/rfc822"
_READ = frozenset({_PLAIN, _HTML, "text/markdown"})
_FAULTS = (LookupError, ValueError, TypeError, AttributeError, RecursionError)
"""Errors of Python's package for e-mails that break its rules."""


def compose_body(path: Path) -> Composer | None:
    """The text of an e-mail without its headers, but with those of forwarded ones.

    Returns:
        None for an e-mail of one plain text, for other formats, and for e-mails that are damaged or too large, which
        kreuzberg reads; without text for an e-mail that only has attachments, of which kreuzberg gives the base64.
    """
    if path.suffix.lower() != ".eml" or path.stat().st_size > _MOST_BYTES:
        return None
    composer = Composer()
    try:
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
        if message.get_content_type() == _PLAIN:
            return None
        for part in _find_texts(message):
            _add(composer, part)
        if not composer.text:
            for part in _find_undivided(message):
                _add(composer, part)
    except (*_FAULTS, UnreadableDocument):
        return None
    return composer


def _find_undivided(message: MIMEPart) -> Iterator[MIMEPart]:
    """Parts that should have parts themselves but are not divided, as the lines between these are missing."""
    return (part for part in message.walk() if part.get_content_maintype() == "multipart" and not part.is_multipart())


def _find_texts(message: MIMEPart) -> Iterator[MIMEPart]:
    """The parts of an e-mail that have its text, each forwarded e-mail in front of its own parts."""
    kind = message.get_content_type()
    if kind == _MAIL:
        for forwarded in message.iter_parts():
            yield message
            yield from _find_texts(forwarded)
    elif kind == "multipart/alternative":
        found = [list(_find_texts(part)) for part in message.iter_parts()]
        yield from next((texts for texts in found if _is_plain(texts)), next(filter(None, reversed(found)), []))
    elif message.is_multipart():
        for part in message.iter_parts():
            yield from _find_texts(part)
    elif kind in _READ and not message.is_attachment():
        yield message


def _is_plain(texts: list[MIMEPart]) -> bool:
    return any(text.get_content_type() == _PLAIN and _content(text).strip() for text in texts)


def _content(part: MIMEPart) -> bytes:
    return cast("bytes", part.get_payload(decode=True))


def _add(composer: Composer, part: MIMEPart) -> None:
    kind = part.get_content_type()
    if kind == _MAIL:
        (headers,) = part.iter_parts()
        composer.add("\n".join(f"{name}: {headers[name]}" for name in _HEADERS if headers[name]))
        return
    data = _content(part)
    stated = find_web_encoding(part.get_content_charset() or "")
    text = decode(data, stated or (find_declared(data) if kind == _HTML else None)).text
    if kind == _HTML:
        composer.add_part(*read_whole_page(text))
    else:
        composer.add(text)
