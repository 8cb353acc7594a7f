"""Topics of TREC and their qrels: one file of topics, or a folder with one file of topics and one of qrels.

Topics are ``<top>`` elements with ``<num>`` and ``<title>``, ``<topic number="1">`` elements with ``<query>`` or
``<title>``, or lines of id, tab and text. In a folder the name of the file of topics contains ``topics``, that of the
qrels ``qrels``. Topics alone have no gold; ``read_questions(…, qrels=…)`` adds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path

from tetragraph.errors import InvalidInput, UnreadableDocument
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph.evaluate.trec import read_qrels
from tetragraph_loaders.reading import read_text

TEXTS = ("title", "query", "question", "desc")
"""Elements whose text is the question, the first that a topic has."""
_TOPIC = re.compile(r"<top(?:ic)?\b([^>]*)>(.*?)</top(?:ic)?>", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)|\b(?:number|id)\s*=\s*[\"']([^\"']+)", re.IGNORECASE)
_LINE = re.compile(r"([^\t\s]+)\t([^\t\n]*\S[^\t\n]*)")
_LABEL = re.compile(r"\s*(?:Topic|Description)\s*:", re.IGNORECASE)


class TrecTopics:
    """The format of topics; see the module."""

    def recognises(self, path: Path) -> bool:
        """Whether a file begins with a topic, or a folder has one file of topics and one of qrels."""
        if path.is_dir():
            return all(len(_named(path, word)) == 1 for word in ("topics", "qrels"))
        try:
            with path.open(encoding="utf-8") as file:
                beginning = file.read(4096).lstrip("\ufeff \t\r\n")
        except (OSError, UnicodeDecodeError):
            return False
        return re.match(r"<(\?xml|topics|top|topic)\b", beginning, re.IGNORECASE) is not None or bool(
            _LINE.fullmatch(beginning.partition("\n")[0].rstrip("\r"))
        )

    def read(self, path: Path) -> Iterator[tuple[str, GoldQuestion]]:
        """Yield every topic with its file and line.

        Raises:
            InvalidInput: the folder has no such files, or a topic or a line of the qrels breaks a rule.
        """
        gold: Mapping[str, tuple[Gold, ...]] = {}
        if path.is_dir():
            path, qrels = _only(path, "topics"), _only(path, "qrels")
            gold = read_qrels(qrels)
        try:
            text = read_text(path).text
        except UnreadableDocument as error:
            raise InvalidInput(f"{path}: {error}") from error
        for line, identity, question in _elements(text, path) if "<top" in text.lower() else _lines(text, path):
            yield f"{path}:{line}", GoldQuestion(identity, question, gold.get(identity, ()))


def _elements(text: str, path: Path) -> Iterator[tuple[int, str, str]]:
    for topic in _TOPIC.finditer(text):
        line = text.count("\n", 0, topic.start()) + 1
        number = _NUMBER.search(f"{topic[1]}>{topic[2]}")
        question = next(filter(None, (_text_of(topic[2], name) for name in TEXTS)), "")
        if number is None or not question:
            rule = f"a topic must have a number, and text in one of {', '.join(TEXTS)}"
            raise InvalidInput(f"{path}:{line}: {rule}, got {topic[0][:200]!r}; mend it")
        yield line, number[1] or number[2], question


def _text_of(topic: str, name: str) -> str:
    """The text of an element, which ends at the next tag, as the older topics close none."""
    found = re.search(rf"<{name}\b[^>]*>([^<]*)", topic, re.IGNORECASE)
    return " ".join(unescape(_LABEL.sub("", found[1], count=1)).split()) if found else ""


def _lines(text: str, path: Path) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line.rstrip("\r"))
        if found is None:
            raise InvalidInput(
                f"{path}:{number}: a line of topics must be id, tab and text, got {line[:200]!r}; mend it"
            )
        yield number, found[1], found[2].strip()


def _named(folder: Path, word: str) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.is_file() and word in file.name.lower())


def _only(folder: Path, word: str) -> Path:
    found = _named(folder, word)
    if len(found) != 1:
        names = [file.name for file in found] or "none"
        raise InvalidInput(f"a folder of TREC must have one file whose name contains {word!r}, {folder} has {names}")
    return found[0]


TREC = TrecTopics()
