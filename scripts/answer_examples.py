"""Examples for the training of the answer reader: questions, the passages read with each, and the spans of the answers.

Data: ``xquad/en`` (dev), ``musique_train`` with its sub-questions and extracted triples, ``hotpotqa_train``, and
``2wiki_kg`` with its reasoning paths, from which questions of one hop are worded; passages of development sets stand
beside theirs in a search, their questions are not used. Nothing else.
"""

from __future__ import annotations

import gzip
import json
import pickle
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tetragraph import Tetragraph
from tetragraph.language.lexicon.names import normalise_name, without_qualifier
from tetragraph.model import ChainStep, Chunk

Row = dict[str, Any]
SETS = {
    "hotpotqa_train": ("hotpotqa_train/train.jsonl.gz", 100, "hotpotqa"),
    "musique_train": ("musique_train/train.jsonl.gz", 100, "musique"),
    "2wiki_kg": ("2wiki_kg/train.jsonl.gz", 464, "2wikimultihopqa"),
    "xquad_en": ("xquad/en/dev.jsonl.gz", 160, "hotpotqa"),
}
"""Files of questions, the number of questions that the ranking is fitted on, and the corpus that is searched."""
TRIPLES = 1500
_WORDINGS = {
    "date of birth": "When was {} born?",
    "date of death": "When did {} die?",
    "place of birth": "Where was {} born?",
    "place of death": "Where did {} die?",
    "place of burial": "Where was {} buried?",
    "country of citizenship": "What nationality is {}?",
    "country of origin": "Which country is {} from?",
    "publication date": "When was {} released?",
    "country": "In which country is {}?",
    "educated at": "Where did {} study?",
    "cause of death": "Why did {} die?",
    "award received": "Which award did {} receive?",
    "employer": "Where does {} work?",
    "inception": "When was {} founded?",
    "spouse": "Who is the spouse of {}?",
}
_PERSONS = frozenset(["director", "composer", "performer", "father", "mother", "producer", "screenwriter", "creator"])


@dataclass(frozen=True, slots=True)
class Example:
    """A question and a passage that has its answer.

    Attributes:
        group: Examples of one group are never divided between training and validation.
    """

    group: str
    question: str
    title: str
    text: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """A question of a set, by the name of the set, with the result of its search."""

    name: str
    row: Row
    passages: tuple[Chunk, ...]
    chain: tuple[ChainStep, ...]

    @property
    def group(self) -> str:
        """Examples of one group are never divided: questions of XQuAD share their paragraph."""
        return str(self.row["supporting"][0] if self.name == "xquad_en" else self.row["id"])

    @property
    def answers(self) -> tuple[str, ...]:
        """Accepted answers."""
        return tuple(self.row.get("answers") or [self.row["answer"]])


def read_rows(file: Path) -> list[Row]:
    """The rows of a compressed file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def search(name: str, data: Path, cache: Path) -> list[Searched]:
    """Search, by the default method for 5 passages, for each question of a set; or read the cached result."""
    file, _, corpus = SETS[name]
    stored = cache / f"{name}.pickle"
    if not stored.exists():
        with Tetragraph.connect() as client:
            found = [(row, client.corpus(corpus).search(row["question"], k=5)) for row in read_rows(data / file)]
        rows = [(row, tuple(hit.chunk for hit in evidence), evidence.chain) for row, evidence in found]
        cache.mkdir(parents=True, exist_ok=True)
        stored.write_bytes(pickle.dumps(rows))
    return [Searched(name, *each) for each in pickle.loads(stored.read_bytes())]  # noqa: S301  # this script's own file


def find_answers(text: str, answers: tuple[str, ...]) -> list[tuple[int, int]]:
    """Places of the first of the answers that a text has, as whole words; regardless of case if need be."""
    for answer in filter(None, answers):
        for flags in (0, re.IGNORECASE):
            found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(answer)}(?!\w)", text, flags)]
            if found:
                return found
    return []


def examples(data: Path) -> list[Example]:
    """Questions of one hop, and questions of several with the passage that has the answer."""
    return [*_xquad(data), *_musique(data), *_hotpot(data), *_wiki(data), *_triples(data)]


def _corpus(folder: Path) -> dict[str, Row]:
    return {row["id"]: row for row in read_rows(folder / "corpus.jsonl.gz")}


def _example(group: str, question: str, passage: Row, *answers: str) -> Example:
    return Example(group, question, passage["title"], passage["text"], answers)


def _xquad(data: Path) -> Iterator[Example]:
    passages = _corpus(data / "xquad/en")
    for row in read_rows(data / "xquad/en/dev.jsonl.gz"):
        passage = row["supporting"][0]
        yield _example(passage, row["question"], passages[passage], row["answer"])


def _musique(data: Path) -> Iterator[Example]:
    """Sub-questions, with the right answers inserted; those that are a name and a relation are worded."""
    passages = _corpus(data / "musique_train")
    for row in read_rows(data / "musique_train/train.jsonl.gz"):
        steps = row["decomposition"]
        for step in steps:
            texts = [re.sub(r"#(\d+)", lambda match: steps[int(match[1]) - 1]["answer"], step["question"])]  # noqa: B023  # called at once
            name, _, relation = (part.strip() for part in texts[0].partition(">>"))
            question = f"the {relation} of {name}" if relation else texts[0]
            yield _example(row["id"], question, passages[_first(step["supporting"])], step["answer"])
        yield _example(row["id"], row["question"], passages[_first(steps[-1]["supporting"])], *row["answers"])


def _first(ids: str | list[str]) -> str:
    return ids if isinstance(ids, str) else ids[0]


def _hotpot(data: Path) -> Iterator[Example]:
    passages = _corpus(data / "hotpotqa_train")
    for row in read_rows(data / "hotpotqa_train/train.jsonl.gz"):
        for passage in row["supporting"]:
            yield _example(row["id"], row["question"], passages[passage], *row["answers"])


def _wiki(data: Path) -> Iterator[Example]:
    """A question of one hop for each step of a reasoning path, read with the passage about its subject."""
    passages = _corpus(data / "2wiki_kg")
    chance = random.Random(0)  # noqa: S311  # no secret
    for row in read_rows(data / "2wiki_kg/train.jsonl.gz"):
        for subject, relation, answer in row["evidences"]:
            wanted = normalise_name(without_qualifier(subject))
            titles = ((one, normalise_name(without_qualifier(passages[one]["title"]))) for one in row["supporting"])
            about = next((one for one, title in titles if title == wanted), None)
            if about:
                yield _example(row["id"], _worded(subject, relation, chance), passages[about], answer)
        if row["type"] in ("compositional", "inference"):
            ends = [one for one in row["supporting"] if find_answers(passages[one]["text"], tuple(row["answers"]))]
            for passage in ends[-1:]:
                yield _example(row["id"], row["question"], passages[passage], *row["answers"])


def _worded(subject: str, relation: str, chance: random.Random) -> str:
    wording = _WORDINGS.get(relation)
    if wording and chance.random() < 0.6:
        return wording.format(subject)
    if chance.random() < 0.5:
        return f"the {relation} of {subject}"
    return f"{'Who' if relation in _PERSONS else 'What'} is the {relation} of {subject}?"


def _triples(data: Path) -> list[Example]:
    """Head and phrase of an extracted triple as a question for its tail."""
    passages = _corpus(data / "musique_train")
    chance = random.Random(1)  # noqa: S311  # no secret
    found = []
    for row in read_rows(data / "musique_train/openie.jsonl.gz"):
        passage = passages[row["passage_id"]]
        usable = [
            triple
            for triple in row["triples"]
            if len(triple) == 3
            and len(triple[2]) > 2
            and len(triple[2].split()) <= 6
            and triple[2].lower() not in f"{triple[0]} {triple[1]}".lower()
            and find_answers(passage["text"], (triple[2],))
        ]
        for head, phrase, tail in chance.sample(usable, min(2, len(usable))):
            found.append(_example(passage["id"], f"{head} {phrase}", passage, tail))
    random.Random(2).shuffle(found)  # noqa: S311  # no secret
    return found[:TRIPLES]
