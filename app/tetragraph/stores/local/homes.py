"""The home of a server: data, configuration, logs and the record of the running process."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tetragraph.errors import CorruptHome
from tetragraph.host.file_lock import exclusive
from tetragraph.host.private_files import create_private, write_private
from tetragraph.settings import Settings
from tetragraph.stores.local import disk_space
from tetragraph.stores.local.ports import USUAL, Ports

_HASHES = 1024
"""Number of times that Neo4j hashes a password."""
LOGIN_REMEDY = (
    "Put the right one back. To set another, write it there, start once with "
    """TETRAGRAPH_NEO4J_CONFIG='{"dbms.security.auth_enabled": "false"}', """
    "run ALTER USER neo4j SET PASSWORD … on the database system, and start again without"
)
"""Remedy for a file of the password that is lost, or holds another one than the data."""
_FOLDERS = ("conf", "data", "import", "logs", "run", "web")


@dataclass(frozen=True, slots=True)
class State:
    """Record of the server that was started last and not stopped.

    Attributes:
        java: Full version of its Java.
        started_in_s: Seconds until Bolt and HTTP answered; None until they do.
    """

    pid: int
    bolt: int
    http: int
    java: str
    started_in_s: float | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one server; other users cannot read it (mode 0700)."""

    folder: Path

    @property
    def conf(self) -> Path:
        """The configuration file, rewritten at each start."""
        return self.folder / "conf" / "neo4j.conf"

    @property
    def console(self) -> Path:
        """File with the output of the server over all starts."""
        return self.folder / "logs" / "console.log"

    @property
    def auth(self) -> Path:
        """File with the password; mode 0600."""
        return self.folder / "auth"

    @property
    def has_password_set(self) -> bool:
        """Whether the data have a password, which can only be set before the first start."""
        return self._first_user.exists() or (self.folder / "data" / "databases" / "system").exists()

    def prepare(self) -> None:
        """Create the folders.

        Raises:
            CorruptHome: one cannot be created or belongs to another user.
            LocalStoreError: the disk is nearly full.
        """
        try:
            for path in (self.folder, *(self.folder / name for name in _FOLDERS)):
                create_private(path)
            self.folder.chmod(0o700)
        except OSError as error:
            raise CorruptHome(
                f"the home of Neo4j must be a folder of your own, {self.folder} cannot be used: {error}; "
                "move it away or set TETRAGRAPH_HOME to another place"
            ) from error
        disk_space.require_disk_space(self.folder, 0, "Neo4j")

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold the lock for starting and stopping."""
        with exclusive(self.folder / "run" / "cli.lock"):
            yield

    def password(self) -> str:
        """The password, generated on first use.

        Raises:
            CorruptHome: it is lost, and the data already have one.
        """
        self._require_password()
        if self.auth.exists() and (password := self.auth.read_text().strip()):
            self.auth.chmod(0o600)
            return password
        password = secrets.token_hex(24)
        write_private(self.auth, password)
        return password

    def set_password(self, user: str) -> None:
        """Give the data a user with the password, unless they have one; only done before the first start.

        The written file is that of ``neo4j-admin dbms set-initial-password``, which takes a second and a Java.

        Raises:
            CorruptHome: see :meth:`password`.
        """
        password = self.password()
        if self.has_password_set:
            return
        salt = secrets.token_bytes(32)
        digest = hashlib.sha256(salt + password.encode()).digest()
        for _ in range(_HASHES - 1):
            digest = hashlib.sha256(digest).digest()
        self._first_user.parent.mkdir(mode=0o700, exist_ok=True)
        write_private(self._first_user, f"{user}:SHA-256,{digest.hex()},{salt.hex()},{_HASHES}:\n")

    def check(self, version: str) -> None:
        """Check that Neo4j ``version`` can use this home; changes nothing.

        Raises:
            CorruptHome: it is no folder, its password is lost, or its data come from a newer Neo4j.
        """
        if not self.folder.is_dir() or not os.access(self.folder, os.R_OK | os.W_OK | os.X_OK):
            raise CorruptHome(
                f"the home of Neo4j must be a folder of your own, {self.folder} is not: "
                "move it away or set TETRAGRAPH_HOME to another place"
            )
        self._require_password()
        recorded = self._recorded_version(version)
        if _version_key(recorded) > _version_key(version):
            raise CorruptHome(
                f"{self.folder} holds data of Neo4j {recorded}, which the older {version} cannot read: "
                "install a newer tetragraph, or set TETRAGRAPH_HOME to another place"
            )

    def state(self) -> State | None:
        """The record of the running server, which may have died since."""
        found = self._read("server.json")
        try:
            return State(**found) if found else None
        except TypeError:  # fields of another version of tetragraph
            return None

    def save_state(self, state: State) -> None:
        """Record a running server; readers see either the old or the new record, never a part."""
        write_private(self.folder / "run" / "server.json", json.dumps(asdict(state)))
        write_private(self.folder / "run" / "ports.json", json.dumps({"bolt": state.bolt, "http": state.http}))

    def clear_state(self) -> None:
        """Record that no server runs."""
        (self.folder / "run" / "server.json").unlink(missing_ok=True)

    def last_ports(self) -> Ports:
        """Ports of the last start."""
        found = self._read("ports.json")
        try:
            return Ports(**found) if found else USUAL
        except TypeError:
            return USUAL

    def adopt_version(self, version: str) -> None:
        """Record that Neo4j ``version`` uses the data from now on; before an upgrade, the data are copied.

        Raises:
            CorruptHome: see :meth:`check`.
            LocalStoreError: the disk has no room for the copy.
        """
        self.check(version)
        before = self._recorded_version(version)
        if before != version:
            data = self.folder / "data"
            disk_space.require_disk_space(
                self.folder, size_bytes(data), f"the copy of the data before the upgrade to Neo4j {version}"
            )
            shutil.copytree(data, self.folder / "backups" / f"data-{before}", dirs_exist_ok=True)
        write_private(self._version_record, version)

    @property
    def _first_user(self) -> Path:
        """File from which Neo4j takes its user at the first start."""
        return self.folder / "data" / "dbms" / "auth.ini"

    @property
    def _version_record(self) -> Path:
        return self.folder / "run" / "neo4j_version"

    def _recorded_version(self, default: str) -> str:
        return self._version_record.read_text().strip() if self._version_record.exists() else default

    def _require_password(self) -> None:
        if self.has_password_set and not (self.auth.exists() and self.auth.read_text().strip()):
            raise CorruptHome(
                f"the password of the local Neo4j is kept in {self.auth}, which is gone or empty. {LOGIN_REMEDY}"
            )

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            found = json.loads((self.folder / "run" / name).read_text())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None


def of(settings: Settings) -> Home:
    """The home of the settings; it need not exist."""
    return Home(settings.home.expanduser().resolve() / "neo4j")


def size_bytes(folder: Path) -> int:
    """Bytes of all files below a folder; files that vanish meanwhile count as 0."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(parent) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
