"""Keys of the service: what a caller may do on which corpora, and how a key is made, stored and recognised.

A key is ``tg_<id>_<secret>``; the secret has 256 random bits. Neo4j has the SHA-256 of the whole key only. All times
are those of the database's clock, so that several servers agree on what has expired.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any, Final, Literal, get_args

from tetragraph.errors import AccessDenied, InvalidInput, NotFound, UnknownCorpus
from tetragraph.settings import MOST_DAYS
from tetragraph.stores.graph import Graph

Scope = Literal["search", "ingest", "admin"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
"""``search`` reads, ``ingest`` changes documents and graphs, ``admin`` does both, drops the corpus, and with the
pattern ``*`` manages keys."""
ALL: Final = "*"
MOST_PATTERNS: Final = 100
_KEY = re.compile(r"tg_([0-9a-f]{12})_[A-Za-z0-9_-]{43}")
_PATTERN = re.compile(r"[a-z0-9*][a-z0-9._*-]{0,62}")
_NAME = re.compile(r"[^\x00-\x1f\x7f]{0,200}")


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller with its rights.

    Attributes:
        id: Id of the key; ``local`` for a caller of a service without keys.
        name: Name of the key, for logs and lists.
        scopes: What the caller may do.
        patterns: Corpora on which it may do so: names, in which ``*`` stands for any characters.
    """

    id: str
    name: str
    scopes: frozenset[Scope]
    patterns: tuple[str, ...]

    def sees(self, corpus: str) -> bool:
        """Whether the caller has any right on a corpus of that name, which need not exist."""
        return bool(self.scopes) and any(fnmatchcase(corpus, pattern) for pattern in self.patterns)

    def may(self, corpus: str, scope: Scope) -> bool:
        """Whether the caller has a right on a corpus; ``admin`` includes the others."""
        return self.sees(corpus) and (scope in self.scopes or "admin" in self.scopes)

    @property
    def is_operator(self) -> bool:
        """Whether the caller manages the service itself: an admin of all corpora."""
        return "admin" in self.scopes and ALL in self.patterns


LOCAL: Final = Caller("local", "loopback", frozenset(SCOPES), (ALL,))
"""Caller of a service that has no keys and listens on the loopback interface only."""


def authorise(caller: Caller, corpus: str, scope: Scope) -> None:
    """Raise unless a caller has a right on a corpus; the one check of every surface: REST, MCP and page.

    Raises:
        UnknownCorpus: the caller has no right on it at all; the error is that of a corpus that does not exist.
        AccessDenied: the caller has another right on it.
    """
    if not caller.sees(corpus):
        raise unknown_corpus(corpus)
    if not caller.may(corpus, scope):
        raise AccessDenied(f"this key has the scope {', '.join(sorted(caller.scopes))}; the call needs {scope}")


def authorise_member(caller: Caller, corpus: str) -> None:
    """Raise unless a caller has any right on a corpus; see :func:`authorise`."""
    if not caller.sees(corpus):
        raise unknown_corpus(corpus)


def authorise_operator(caller: Caller) -> None:
    """Raise unless a caller manages the service itself.

    Raises:
        AccessDenied: the caller is no admin of all corpora.
    """
    if not caller.is_operator:
        raise AccessDenied("this call needs a key with the scope admin on all corpora, the pattern *")


def unknown_corpus(corpus: str) -> UnknownCorpus:
    """The error for a corpus that does not exist or that a caller may not see: it lists no other corpus."""
    return UnknownCorpus(f"there is no corpus named {corpus!r}")


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A stored key, without its secret.

    Attributes:
        id: Id; the beginning of the key is ``tg_<id>_``.
        name: Name for people.
        scopes: Scopes of the key.
        corpora: Patterns of corpora.
        created: Time of creation in ISO 8601, UTC.
        expires: End of validity in ISO 8601, UTC; empty for none.
        used: Time of the last use in ISO 8601, UTC, to about a minute; empty if it was never used.
        revoked: Time of revocation in ISO 8601, UTC; empty if it was not revoked.
        is_valid: Whether the key can be used now.
    """

    id: str
    name: str
    scopes: tuple[Scope, ...]
    corpora: tuple[str, ...]
    created: str
    expires: str
    used: str
    revoked: str
    is_valid: bool


class KeyStore:
    """The keys of a database; thread-safe."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def create(
        self, scopes: Sequence[str], corpora: Sequence[str], *, name: str = "", lifetime: timedelta | None = None
    ) -> tuple[str, KeyRecord]:
        """Create a key, and return it with its record; the key itself is stored nowhere.

        Args:
            scopes: One or more of ``SCOPES``.
            corpora: Names of corpora or patterns with ``*``.
            name: Name for people, at most 200 characters in one line.
            lifetime: Time after which the key expires; None for never.

        Raises:
            InvalidInput: an argument breaks its rule; nothing was stored.
        """
        _check(scopes, corpora, name, lifetime)
        identity = secrets.token_hex(6)
        key = f"tg_{identity}_{secrets.token_urlsafe(32)}"
        self._graph.write(
            "service/upsert_key",
            id=identity,
            name=name,
            sha256=hash_of(key),
            scopes=sorted(set(scopes)),
            patterns=sorted(set(corpora)),
            lifetime_ms=0 if lifetime is None else int(lifetime.total_seconds() * 1000),
        )
        return key, self.get(identity)

    def list(self) -> list[KeyRecord]:
        """All keys, valid or not, oldest first."""
        return [_record(row) for row in self._graph.read("service/find_keys")]

    def get(self, identity: str) -> KeyRecord:
        """The key with an id.

        Raises:
            NotFound: there is none.
        """
        found = next((one for one in self.list() if one.id == identity), None)
        if found is None:
            raise NotFound(f"there is no key with the id {identity!r}: `tetragraph keys list` shows all")
        return found

    def revoke(self, identity: str) -> KeyRecord:
        """Revoke a key, and return its record; servers that have just used it refuse it within seconds.

        Args:
            identity: Id of the key, or the key itself.

        Raises:
            NotFound: there is no such key.
        """
        chosen = _id_of(identity)
        if not self._graph.write("service/upsert_key_end", id=chosen):
            raise NotFound(f"there is no key with the id {chosen!r}: `tetragraph keys list` shows all")
        return self.get(chosen)

    def delete(self, identity: str) -> KeyRecord:
        """Delete a revoked key from the list, and return its last record.

        Args:
            identity: Id of the key, or the key itself.

        Raises:
            NotFound: there is no such key.
            InvalidInput: it was not revoked.
        """
        chosen = _id_of(identity)
        record = self.get(chosen)
        if not record.revoked:
            raise InvalidInput(
                f"only a revoked key can be deleted, {chosen!r} was not: `tetragraph keys revoke {chosen}` first"
            )
        self._graph.write("service/delete_key", id=chosen)
        return record

    def count_valid(self) -> int:
        """Number of keys that can be used now."""
        return int(self._graph.read("service/count_keys")[0]["valid"])

    def has_any(self) -> bool:
        """Whether there is a key, valid or not."""
        return bool(self._graph.read("service/count_keys")[0]["total"])

    def note_use(self, identity: str) -> None:
        """Store that a key was used now."""
        self._graph.write("service/upsert_key_use", id=identity)

    def authenticate(self, key: str) -> tuple[Caller, float | None]:
        """The caller of a key, and the seconds until it expires; None for never.

        Raises:
            AccessDenied: there is no such key, or it was revoked, or has expired; the error is the same for all.
        """
        match = _KEY.fullmatch(key)
        row = self._graph.get("service/get_key", id=match[1]) if match else None
        expected = row["sha256"] if row else hash_of("no key")
        is_same = hmac.compare_digest(hash_of(key), expected)
        left_ms = row["left_ms"] if row else None
        if match is None or row is None or not is_same or row["is_revoked"] or (left_ms is not None and left_ms <= 0):
            raise AccessDenied("the key is not valid: it is unknown, was revoked or has expired")
        caller = Caller(match[1], row["name"], frozenset(row["scopes"]), tuple(row["patterns"]))
        return caller, None if left_ms is None else left_ms / 1000


def _id_of(key: str) -> str:
    """Id of a key that is given as a whole, so that no message repeats it; an id stays as it is."""
    match = _KEY.fullmatch(key)
    return match[1] if match else key


def _check(scopes: Sequence[str], corpora: Sequence[str], name: str, lifetime: timedelta | None) -> None:
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        raise InvalidInput(f"scopes must be some of {', '.join(SCOPES)}, got {', '.join(unknown) or 'none'}")
    if not 1 <= len(corpora) <= MOST_PATTERNS:
        raise InvalidInput(f"a key must name 1 to {MOST_PATTERNS} corpora or patterns, got {len(corpora)}")
    for pattern in corpora:
        if not _PATTERN.fullmatch(pattern):
            raise InvalidInput(f"a corpus of a key must be a name or a pattern such as 'team-*', got {pattern!r:.100}")
    if not _NAME.fullmatch(name):
        raise InvalidInput(f"the name of a key must be one line of at most 200 characters, got {name!r:.220}")
    if lifetime is not None and not timedelta(seconds=1) <= lifetime <= timedelta(days=MOST_DAYS):
        raise InvalidInput(f"a key must be valid for at least a second and at most 100 years, got {lifetime}")


def hash_of(key: str) -> str:
    """Hash by which a key is stored and remembered: neither the database nor the memory has keys."""
    return hashlib.sha256(key.encode()).hexdigest()


def _record(row: dict[str, Any]) -> KeyRecord:
    return KeyRecord(
        id=row["id"],
        name=row["name"],
        scopes=tuple(row["scopes"]),
        corpora=tuple(row["patterns"]),
        created=_time(row["created"]),
        expires=_time(row["expires"]),
        used=_time(row["used"]),
        revoked=_time(row["revoked"]),
        is_valid=row["is_valid"],
    )


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")
