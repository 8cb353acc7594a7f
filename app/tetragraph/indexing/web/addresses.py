"""Addresses of pages in one form, and lists of them."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from tetragraph.errors import InvalidInput

MOST = 100_000
"""Largest number of addresses of a list, with those of its sitemaps."""
_PORTS = {"http": 80, "https": 443}
_KEPT = "%/:=&?~#+!$,;'@()*[]-._|"
"""Characters of paths and queries that are not escaped."""
_LONGEST = 2_000


def normalise(text: str) -> str:
    """An address in the form in which it is an id: no fragment, no usual port, host in small letters.

    >>> normalise("HTTPS://Docs.Example.org:443/a b?x=1#part")
    'https://docs.example.org/a%20b?x=1'

    Raises:
        InvalidInput: it is no address of a page, has a user, or is longer than 2,000 characters.
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").encode("idna").decode() if not _is_number(parts.hostname) else parts.hostname
        port = parts.port
    except (ValueError, UnicodeError) as error:
        raise InvalidInput(f"an address must be valid, got {text!r:.200}: {error}") from error
    if parts.scheme not in _PORTS or not host:
        raise InvalidInput(f"an address must begin with http:// or https:// and a host, got {text!r:.200}")
    if parts.username is not None or parts.password is not None:
        raise InvalidInput(
            f"an address must have no user and password, as it is shown with each hit: {host!r} has them"
        )
    if len(text) > _LONGEST:
        raise InvalidInput(f"an address may have {_LONGEST:,} characters, got {len(text):,}: {text!r:.100}…")
    shown = f"[{host}]" if ":" in host else host
    place = shown if port in (None, _PORTS[parts.scheme]) else f"{shown}:{port}"
    return urlunsplit((parts.scheme, place, quote(parts.path, safe=_KEPT) or "/", quote(parts.query, safe=_KEPT), ""))


def _is_number(host: str | None) -> bool:
    return host is not None and ":" in host


def site_of(address: str) -> str:
    """Host of a normalised address, with a port that is not the usual one.

    >>> site_of("https://docs.example.org/a"), site_of("http://127.0.0.1:8000/")
    ('docs.example.org', '127.0.0.1:8000')
    """
    return urlsplit(address).netloc


def read_list(path: Path) -> list[str]:
    """The addresses of a text file with one in each line; blank lines and those that begin with ``#`` are left out.

    Raises:
        InvalidInput: the file cannot be read, or a line is no address.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput(
            f"a list of addresses must be a file that can be read, got {str(path)!r}: {error.strerror}"
        ) from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"a list of addresses must be UTF-8, {str(path)!r} is not at byte {error.start}") from error
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found.append(normalise(line))
        except InvalidInput as error:
            raise InvalidInput(f"{path.name}:{number}: {error}") from error
    return found
