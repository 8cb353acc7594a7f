"""Policies of this home: numbered versions of trained weights, and which one is promoted.

``policies/NAME/0001/`` has ``weights.safetensors``, ``manifest.json`` and ``evaluations.json``; ``promoted.json`` has
the numbers of the promoted versions in their order. A version is written to a temporary folder and renamed, so it is
complete or absent; its weights and manifest never change.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tetragraph.arrays import Floats
from tetragraph.errors import InvalidInput, StoreError, UnknownPolicy
from tetragraph.host.file_lock import exclusive
from tetragraph.host.private_files import make_private_folder, write_private
from tetragraph.host.system_errors import report_refusals

MOST_BYTES: Final = 1_000_000
"""Largest size of the weights of a version."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_SETTING: Final = "TETRAGRAPH_HOME"
_WEIGHTS, _MANIFEST, _EVALUATIONS, _PROMOTED = (
    "weights.safetensors",
    "manifest.json",
    "evaluations.json",
    "promoted.json",
)


@dataclass(frozen=True, slots=True)
class PolicyVersion:
    """A stored version of a policy.

    Attributes:
        name: Name of the policy.
        version: Number of the version, from 1.
        manifest: Features, settings, questions and figures of the training.
        evaluations: Evaluations on other questions, in their order.
        is_promoted: Whether the name alone means this version.
    """

    name: str
    version: int
    manifest: Mapping[str, Any]
    evaluations: tuple[Mapping[str, Any], ...]
    is_promoted: bool

    @property
    def identity(self) -> str:
        """``NAME@VERSION``, which always means this version."""
        return f"{self.name}@{self.version}"


class PolicyStore:
    """The policies below a folder, which need not exist; none without a folder.

    Raises (all methods):
        StoreError: the system refused a file, or a file is damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(os.devnull)

    def versions(self, name: str = "") -> list[PolicyVersion]:
        """All versions, or those of one policy, in order of name and number.

        Raises:
            InvalidInput, UnknownPolicy: the name is malformed, or there is no such policy.
        """
        names = [name] if name else sorted(self._names())
        return [self._version(one, number) for one in names for number in self._existing(one)]

    def find(self, policy: str) -> PolicyVersion:
        """The version ``NAME@VERSION``, or the promoted one of ``NAME``.

        Raises:
            InvalidInput: the name is malformed.
            UnknownPolicy: there is no such policy or version, or none is promoted.
        """
        return self._version(*self._resolve(policy))

    def identify(self, policy: str) -> str:
        """``NAME@VERSION`` of the version that :meth:`find` returns; reads no manifest."""
        name, number = self._resolve(policy)
        return f"{name}@{number}"

    def weights(self, version: PolicyVersion) -> dict[str, Floats]:
        """The arrays of a version."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        file = self._folder / version.name / f"{version.version:04}" / _WEIGHTS
        try:
            with report_refusals(self._folder, _SETTING):
                return load_file(file)
        except SafetensorError as error:
            raise StoreError(f"the weights of policy {version.identity} in {file} are damaged: {error}") from error

    def add(self, name: str, weights: Mapping[str, Floats], manifest: Mapping[str, Any]) -> PolicyVersion:
        """Store a new version; it is not promoted.

        Raises:
            InvalidInput: the name is malformed, or the weights are too large.
        """
        from safetensors.numpy import save

        check_name(name)
        data = save(dict(weights))
        if len(data) > MOST_BYTES:
            raise InvalidInput(f"the weights of a policy must be at most {MOST_BYTES:,} bytes, got {len(data):,}")
        with self._changing(name) as folder:
            number = max(self._numbers(name), default=0) + 1
            with TemporaryDirectory(dir=folder, prefix=".new.") as beside:
                made = Path(beside) / "version"
                made.mkdir()
                (made / _WEIGHTS).write_bytes(data)
                (made / _MANIFEST).write_text(_to_json(manifest), encoding="utf-8")
                made.rename(folder / f"{number:04}")
        return self._version(name, number)

    def evaluated(self, version: PolicyVersion, evaluation: Mapping[str, Any]) -> PolicyVersion:
        """Add an evaluation to a version."""
        with self._changing(version.name) as folder:
            known = self._version(version.name, version.version).evaluations
            write_private(folder / f"{version.version:04}" / _EVALUATIONS, _to_json([*known, evaluation]))
        return self._version(version.name, version.version)

    def promotions(self, name: str) -> list[int]:
        """Numbers of the promoted versions, the present one last."""
        found: list[int] = self._read(self._folder / name / _PROMOTED, [])
        return found

    def promote(self, version: PolicyVersion) -> None:
        """Make a version the one that its name means."""
        with self._changing(version.name) as folder:
            before = self.promotions(version.name)
            if before[-1:] != [version.version]:
                write_private(folder / _PROMOTED, _to_json([*before, version.version]))

    def roll_back(self, name: str) -> PolicyVersion | None:
        """Return to the version that was promoted before; the version, or None where none was.

        Raises:
            UnknownPolicy: there is no such policy, or none of its versions is promoted.
        """
        check_name(name)
        self._resolve(name)
        with self._changing(name) as folder:
            left = self.promotions(name)[:-1]
            write_private(folder / _PROMOTED, _to_json(left))
        return self._version(name, left[-1]) if left else None

    def _resolve(self, policy: str) -> tuple[str, int]:
        """Name and number of a version; see :meth:`find`."""
        name, at, number = policy.partition("@")
        known = self._existing(name)
        if at:
            if not number.isdecimal() or int(number) not in known:
                raise UnknownPolicy(f"policy {name!r} has the versions {known[0]} to {known[-1]}, got {number!r}")
            return name, int(number)
        promoted = self.promotions(name)
        if not promoted:
            raise UnknownPolicy(
                f"no version of policy {name!r} is promoted: name one, as {name}@{known[-1]}, or promote it"
            )
        return name, promoted[-1]

    def _existing(self, name: str) -> list[int]:
        """Numbers of the versions of a policy, at least one."""
        check_name(name)
        known = self._numbers(name)
        if not known:
            listed = ", ".join(sorted(self._names())) or "none yet"
            raise UnknownPolicy(f"no policy named {name!r} (there are: {listed}); `tetragraph policy train` makes one")
        return known

    def _names(self) -> Iterator[str]:
        """Names of the policies; a folder whose first version was never completed is none."""
        if self._folder.is_dir():
            names = (path.name for path in self._folder.iterdir() if _NAME.fullmatch(path.name))
            yield from (name for name in names if self._numbers(name))

    def _numbers(self, name: str) -> list[int]:
        folder = self._folder / name
        return sorted(int(path.name) for path in folder.iterdir() if path.name.isdecimal()) if folder.is_dir() else []

    def _version(self, name: str, number: int) -> PolicyVersion:
        folder = self._folder / name / f"{number:04}"
        return PolicyVersion(
            name,
            number,
            self._read(folder / _MANIFEST, None),
            tuple(self._read(folder / _EVALUATIONS, [])),
            self.promotions(name)[-1:] == [number],
        )

    def _read(self, file: Path, default: Any) -> Any:
        """The JSON of a file; a default, unless it is None, where there is no file."""
        if default is not None and not file.exists():
            return default
        with report_refusals(self._folder, _SETTING):
            text = file.read_text(encoding="utf-8")
        try:
            return json.loads(text)
        except ValueError as error:
            raise StoreError(f"{file} must be JSON, and is damaged: {error}; delete or restore it") from error

    @contextmanager
    def _changing(self, name: str) -> Iterator[Path]:
        """The folder of a policy, which no other process changes meanwhile."""
        folder = self._folder / name
        with report_refusals(self._folder, _SETTING):
            make_private_folder(self._folder)
            make_private_folder(folder)
            with exclusive(self._folder / ".lock"):
                yield folder


def check_name(name: str) -> None:
    """Raise :class:`InvalidInput` unless a name is one of a policy."""
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            f"the name of a policy must be 1 to 63 of a-z, 0-9, dot, dash and underscore, beginning with a letter or "
            f"digit, got {name!r}"
        )


def _to_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    return f"{json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)}\n"
