"""Contract files: the interface, output and stored data of the program line by line, and the comparison with them.

Figures are stored with four digits and compared with a tolerance, as another processor rounds in another order. The
packaged embedder has 8-bit weights: without the instructions VNNI its vectors differ in the third digit, so there the
tolerance is larger, and neighbours in a list may have changed places.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "contract"
TOLERANCE = 1.01e-3
TOLERANCE_WITHOUT_VNNI = 0.05
PLACES_WITHOUT_VNNI = 2
"""Number of places by which a line may have moved."""
_FIGURE = re.compile(r"-?\d+\.\d+(?:[eE][-+]?\d+)?|-?\d+[eE]-\d+")
_OF_AN_ANSWER = re.compile(r"^(?: \"confidence\"| {4}\"(?:probability|weight)\"): ")
"""Line of the reader of answers in JSON, which always has the larger tolerance: it sums up thousands of numbers of a
model with 8-bit weights."""
_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?")
_MASKED_KEYS = frozenset({"seconds", "file_mb", "neo4j", "gds", "tetragraph"})
_KEYS_OF_THE_MACHINE = frozenset({"numerics"})
_LONG = 100_000
_LIBRARY = 50_000
_SCRIPT = re.compile(r"(?<=<script)>(.*?)(?=</script>)", re.DOTALL)
_SCRIPT_HASH = re.compile(r"sha256-[A-Za-z0-9+/=]{44}")


@dataclass(frozen=True)
class Done:
    """Result of a command, with volatile names masked."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Contract:
    """The stored files.

    Attributes:
        is_updated: Whether files are rewritten instead of compared.
    """

    is_updated: bool

    def check(self, name: str, lines: Sequence[str], *, is_measured: bool = True) -> None:
        """Compare lines with a stored file, line by line.

        Args:
            name: Name of the file.
            lines: Lines found.
            is_measured: Whether their figures are measured; those of declarations are compared as they are.

        Raises:
            AssertionError: they differ; the message is a unified diff.
        """
        file = FOLDER / name
        stored = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        shown = [line for part in lines for line in part.split("\n")]
        if is_measured:
            shown = _with_stored_figures(stored, shown)
        if self.is_updated:
            file.write_text("\n".join(shown) + "\n", encoding="utf-8")
            return
        diff = "\n".join(difflib.unified_diff(stored, shown, f"stored {name}", f"found {name}", lineterm="", n=2))
        assert not diff, f"{diff[:_LONG]}\n`pytest tests/e2e/contract --update-contract` stores what was found"


@cache
def has_vnni() -> bool:
    """Whether the processor multiplies bytes without saturation, as the one that the files were stored on."""
    about = Path("/proc/cpuinfo")
    return not about.is_file() or "vnni" in about.read_text(encoding="utf-8")


def _with_stored_figures(stored: Sequence[str], found: Sequence[str]) -> list[str]:
    """The found lines, each replaced by the stored one if only the last digits of figures differ."""
    shown = _with_close_figures(stored, found)
    return shown if has_vnni() else _with_stored_order(stored, shown)


def _with_stored_order(stored: Sequence[str], found: Sequence[str]) -> list[str]:
    """The found lines, groups of them replaced by the stored ones if only their order differs, and little."""
    shown = list(found)
    matcher = difflib.SequenceMatcher(None, stored, found, autojunk=False)
    for kind, start, end, other, other_end in matcher.get_opcodes():
        if kind != "replace" or end - start != other_end - other:
            continue
        places = {_without_rank(line): place for place, line in enumerate(stored[start:end])}
        moved = [places.get(_without_rank(line), -1) for line in found[other:other_end]]
        is_permuted = sorted(moved) == list(range(end - start))
        if is_permuted and all(abs(one - place) <= PLACES_WITHOUT_VNNI for place, one in enumerate(moved)):
            shown[other:other_end] = stored[start:end]
    return shown


def _without_rank(line: str) -> str:
    """A line without its rank, figures, and hashes of content that has figures."""
    return _FIGURE.sub("#", _HASH.sub("#", re.sub(r"^\s*\d+ ", "", line)))


def _with_close_figures(stored: Sequence[str], found: Sequence[str]) -> list[str]:
    shapes, shown = [_FIGURE.sub("#", line) for line in found], list(found)
    matcher = difflib.SequenceMatcher(None, [_FIGURE.sub("#", line) for line in stored], shapes, autojunk=False)
    for start, other, size in matcher.get_matching_blocks():
        for place in range(size):
            if _is_close(stored[start + place], found[other + place]):
                shown[other + place] = stored[start + place]
    return shown


def _is_close(stored: str, found: str) -> bool:
    pairs = zip(_FIGURE.findall(stored), _FIGURE.findall(found), strict=True)
    is_tolerant = not has_vnni() or _OF_AN_ANSWER.match(found)
    tolerance = TOLERANCE_WITHOUT_VNNI if is_tolerant else TOLERANCE
    return all(abs(float(one) - float(other)) <= tolerance * max(1.0, abs(float(one))) for one, other in pairs)


def in_order(lines: Sequence[str]) -> list[str]:
    """Lines sorted by their text without figures, then by the figures, so that last digits do not change the order."""
    return sorted(lines, key=lambda line: (_FIGURE.sub("#", line), [float(one) for one in _FIGURE.findall(line)]))


def rounded(value: Any) -> Any:
    """JSON with figures of four digits; -0.0 is 0.0."""
    if isinstance(value, float):
        return round(value, 4) + 0.0
    if isinstance(value, Mapping):
        return {str(key): rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value


def line_of(value: Any) -> str:
    """JSON on one line, with keys in the given order."""
    return json.dumps(rounded(value), ensure_ascii=False, default=str)


def leaves(value: Any, at: str = "") -> Iterator[str]:
    """A line for each value inside JSON: its path, then the value."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from leaves(item, f"{at}.{key}" if at else str(key))
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        for place, item in enumerate(value):
            yield from leaves(item, f"{at}[{place}]")
    else:
        yield f"{at} = {line_of(value)}"


def masked(text: str, names: Mapping[str, str]) -> str:
    """Text with known volatile parts, such as folders and names of corpora, and all times in angle brackets."""
    for part in sorted(names, key=len, reverse=True):
        text = text.replace(part, f"<{names[part]}>")
    return _TIME.sub("<time>", text)


def steady(value: Any, key: str = "") -> Any:
    """JSON without volatile values: times, durations, versions, sizes of files; names of stages stay.

    Of the candidates of an answer only the best stays: the others are so close that processors order them differently.
    """
    if key in _KEYS_OF_THE_MACHINE:
        return f"<{key}>"
    if key == "candidates" and isinstance(value, list):
        value = value[:1]
    if isinstance(value, Mapping):
        return {name: steady(item, name if key not in _MASKED_KEYS else key) for name, item in value.items()}
    if isinstance(value, list):
        return [steady(item, key) for item in value]
    return f"<{key}>" if key in _MASKED_KEYS and value is not None else value


def with_four_digits(text: str) -> str:
    """Text whose figures have four digits."""
    return _FIGURE.sub(lambda found: str(round(float(found[0]), 4) + 0.0), text)


def printed(done: Done, arguments: Sequence[str]) -> list[str]:
    """A command line with its exit code, then its output: JSON, or the error."""
    head = f"== tetragraph {' '.join(arguments)} (exit code {done.code})"
    return [head, *(document(json.loads(done.out)) if done.out.strip() else [words(done.err)])]


def document(value: Any) -> list[str]:
    """Lines of indented JSON, without volatile values."""
    return json.dumps(steady(rounded(value)), ensure_ascii=False, indent=1).split("\n")


def words(text: str) -> str:
    """Text on one line, without the other corpora of a server."""
    return re.sub(r"\(there are: [^)]*\)", "(there are: …)", " ".join(text.split()))


def page(text: str, names: Mapping[str, str]) -> list[str]:
    """Short lines of a page, without embedded libraries and their hashes."""
    text = _SCRIPT.sub(lambda found: "> <library> " if len(found[1]) > _LIBRARY else found[0], text)
    text = _SCRIPT_HASH.sub("sha256-<hash>", with_four_digits(masked(text, names)))
    return text.replace("}, ", "},\n").split("\n")
