"""Configuration files of desktop clients that start MCP servers."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from tetragraph.errors import InvalidInput
from tetragraph.host.private_files import write_private
from tetragraph.settings import Settings

_INDENT = 2


@dataclass(frozen=True, slots=True)
class DesktopClient:
    """A program that starts MCP servers.

    Attributes:
        name: Name on the command line.
        title: Name for display.
        places: Path of its configuration below the home of the user, by ``sys.platform``; ``""`` for all others.
        key: Key under which the file lists servers.
        has_type: Whether an entry names its transport.
    """

    name: str
    title: str
    places: Mapping[str, str]
    key: str = "mcpServers"
    has_type: bool = False

    def file(self, home: Path, platform: str = sys.platform) -> Path:
        """Path of its configuration."""
        return home / self.places.get(platform, self.places[""])


CLIENTS: Final = (
    DesktopClient(
        "claude-desktop",
        "Claude Desktop",
        {
            "": ".config/Claude/claude_desktop_config.json",
            "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "AppData/Roaming/Claude/claude_desktop_config.json",
        },
    ),
    DesktopClient("claude-code", "Claude Code", {"": ".claude.json"}, has_type=True),
    DesktopClient("cursor", "Cursor", {"": ".cursor/mcp.json"}),
    DesktopClient(
        "vscode",
        "Visual Studio Code",
        {
            "": ".config/Code/User/mcp.json",
            "darwin": "Library/Application Support/Code/User/mcp.json",
            "win32": "AppData/Roaming/Code/User/mcp.json",
        },
        key="servers",
        has_type=True,
    ),
    DesktopClient("windsurf", "Windsurf", {"": ".codeium/windsurf/mcp_config.json"}),
    DesktopClient("gemini-cli", "Gemini CLI", {"": ".gemini/settings.json"}),
)
"""Clients whose configuration is a JSON file with a list of servers."""


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """A change of a configuration that has not been written.

    Attributes:
        file: Path of the configuration.
        before: Its text; empty where there is no file.
        after: Its text with the server.
    """

    file: Path
    before: str
    after: str

    @property
    def is_needed(self) -> bool:
        """Whether the file lacks the entry."""
        return self.before != self.after

    @property
    def difference(self) -> str:
        """The changed lines, as ``diff -u`` shows them."""
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), str(self.file), str(self.file), lineterm=""
        )
        return "\n".join(lines)

    def write(self) -> None:
        """Write the file; it is replaced as a whole, and only if nobody has changed it meanwhile.

        Raises:
            InvalidInput: the file has changed since the change was planned, or cannot be written.
        """
        if _read(self.file) != self.before:
            raise InvalidInput(f"{str(self.file)!r} has been changed by another program: run the command again")
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_private(self.file.resolve(), self.after)
        except OSError as error:
            raise InvalidInput(f"{str(self.file)!r} cannot be written: {error.strerror}") from error


def find_client(name: str) -> DesktopClient:
    """The client with a name.

    Raises:
        InvalidInput: it is not known.
    """
    found = next((client for client in CLIENTS if client.name == name), None)
    if found is None:
        raise InvalidInput(f"a client must be one of {', '.join(client.name for client in CLIENTS)}, got {name!r}")
    return found


def server_entry(client: DesktopClient, arguments: Sequence[str], settings: Settings) -> dict[str, Any]:
    """The entry that starts ``tetragraph mcp`` with the interpreter and the settings of this process.

    Args:
        client: Client that reads the entry.
        arguments: Arguments after ``tetragraph mcp``.
        settings: Settings whose values that differ from the defaults the server gets, as clients start it without the
            variables of a shell. Passwords and keys are left out.
    """
    entry: dict[str, Any] = {"type": "stdio"} if client.has_type else {}
    entry |= {"command": sys.executable, "args": ["-m", "tetragraph", "mcp", *arguments]}
    if variables := _variables(settings):
        entry["env"] = variables
    return entry


def withheld(settings: Settings) -> list[str]:
    """Names of the variables with passwords and keys that an entry does not contain."""
    return [_variable(name) for name in _given(settings) if isinstance(getattr(settings, name), SecretStr)]


def plan(file: Path, key: str, name: str, entry: Mapping[str, Any], *, replace: bool = False) -> PlannedChange:
    """Plan to add a server to a configuration; everything else in the file stays as it is.

    Args:
        file: Path of the configuration; it need not exist.
        key: Key under which it lists servers.
        name: Name of the server.
        entry: Entry of the server.
        replace: Whether another entry of that name is replaced.

    Raises:
        InvalidInput: the file is not a JSON object, has comments, or has another server of that name.
    """
    before = _read(file)
    content = _parse(file, before)
    servers = content.setdefault(key, {})
    if not isinstance(servers, dict):
        raise InvalidInput(f"{key!r} in {str(file)!r} must be an object with a server for each name, got {servers!r}")
    if servers.get(name) == entry:
        return PlannedChange(file, before, before)
    if name in servers and not replace:
        raise InvalidInput(
            f"{str(file)!r} has another server named {name!r}: choose another name, or replace it with --replace"
        )
    servers[name] = dict(entry)
    return PlannedChange(file, before, json.dumps(content, ensure_ascii=False, indent=_INDENT) + "\n")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{str(file)!r} cannot be read: {error}") from error


def _parse(file: Path, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"{str(file)!r} must be JSON without comments, or the change would lose them, got {error}: add the entry "
            "by hand, `tetragraph mcp install` without a client prints it"
        ) from error
    if not isinstance(content, dict):
        raise InvalidInput(f"{str(file)!r} must contain a JSON object, got {text[:60]!r}")
    return content


def _variables(settings: Settings) -> dict[str, str]:
    """Variables of the environment for the settings that were given, without passwords and keys."""
    found = {name: getattr(settings, name) for name in _given(settings)}
    return {
        _variable(name): str(value) if isinstance(value, str | Path) else json.dumps(value)
        for name, value in found.items()
        if value is not None and not isinstance(value, SecretStr)
    }


def _given(settings: Settings) -> list[str]:
    return [name for name in type(settings).model_fields if name in settings.model_fields_set]


def _variable(name: str) -> str:
    return f"TETRAGRAPH_{name.upper()}"
