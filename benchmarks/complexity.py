"""Analysis of questions: shares of the levels of complexity, and accuracy of the expected types of answers."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

from benchmarks import data
from benchmarks.plan import Plan
from tetragraph.language.entity_linking.entity_types import TYPES, entity_types
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.questions.answer_type import expected_type
from tetragraph.language.questions.complexity import Level, Mode, classify
from tetragraph.language.questions.variables import sub_queries

MULTI_HOP = ("musique", "2wikimultihopqa", "hotpotqa", "bamboogle")
SINGLE_HOP = "popqa"
DECOMPOSED = "musique_train"
_PLACEHOLDER = re.compile(r"#(\d)")
_RELATION = ">>"
"""Separator in steps that are written as "subject >> property" instead of questions."""
_DATE = re.compile(r"(?:\d{1,2} )?(?:[A-Z][a-z]+\.? )?(?:\d{1,2}, )?\d{4}|\d{1,2} [A-Z][a-z]+")


def measure_complexity(_plan: Plan) -> dict[str, Any]:
    """Measure shares of levels, types of answers, and processor time for each question."""
    asked = {name: _texts(name) for name in (*MULTI_HOP, SINGLE_HOP)}
    steps = single_steps(DECOMPOSED)
    levels = {**asked, f"steps of {DECOMPOSED}": [text for text, _, _ in steps]}
    return {
        **{f"{name}, {mode}": shares(texts, mode) for name, texts in levels.items() for mode in get_args(Mode)},
        "type of the answer": answer_types(DECOMPOSED, steps),
        "processor time": {"cpu_ms_per_question": cpu_ms(asked[MULTI_HOP[0]])},
    }


def _texts(name: str) -> list[str]:
    return [question.text for question in data.questions(name, "dev")]


def shares(questions: Sequence[str], mode: Mode) -> dict[str, float]:
    """Number of questions, and the share of each level; names are those that the questions themselves indicate."""
    counts = Counter(classify(question, (), mode=mode).level for question in questions)
    return {"questions": len(questions), **{level: counts[level] / len(questions) for level in get_args(Level)}}


def single_steps(name: str) -> list[tuple[str, str, str]]:
    """The steps of a set that are written as questions, with the answers of earlier ones inserted.

    Returns:
        Question, answer, and the id of the passage that answers it.
    """
    found = []
    for row in data.rows(data.folder() / name / "train.jsonl.gz"):
        answers = [step["answer"] for step in row["decomposition"]]
        for step in row["decomposition"]:
            if _RELATION not in step["question"]:
                found.append((_insert_answers(step["question"], answers), step["answer"], step["supporting"]))
    return found


def _insert_answers(text: str, answers: Sequence[str]) -> str:
    return _PLACEHOLDER.sub(lambda match: answers[int(match[1]) - 1], text)


def answer_types(name: str, steps: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    """How often the type that a question asks for equals that of its answer.

    The type of an answer is determined by spaCy from the sentence that contains it, correctly in about 84 %; a date is
    recognised by its form. ``told`` is the share of questions with an expected type; ``first`` and ``admitted`` are
    shares of those whose answer has a type, for which the likeliest type or any of the possible ones is correct.
    """
    passages = {row["id"]: f"{row['title']}. {row['text']}" for row in data.rows(data.corpus(name))}
    found = entity_types([(answer, _sentence(passages[passage], answer)) for _, answer, passage in steps])
    types = [
        TYPES["DATE"] if _DATE.fullmatch(answer) else kind for (_, answer, _), kind in zip(steps, found, strict=True)
    ]
    expected = [expected_type(text) for text, _, _ in steps]
    known = [(guess, kind) for guess, kind in zip(expected, types, strict=True) if guess.types and kind]
    return {
        "questions": len(steps),
        "told": sum(bool(guess.types) for guess in expected) / len(steps),
        "with_known_type": len(known),
        "first": sum(guess.type == kind for guess, kind in known) / len(known),
        "admitted": sum(kind in guess.types for guess, kind in known) / len(known),
    }


def _sentence(text: str, answer: str) -> str:
    """The first sentence that contains the answer; the answer alone if there is none."""
    sentences = (text[start:end] for start, end in sentence_spans(text))
    return next((sentence for sentence in sentences if answer.lower() in sentence.lower()), answer)


def cpu_ms(questions: Sequence[str]) -> float:
    """Processor time of the analysis of a question, including its parse, with the model loaded."""
    classify("Who?", ())
    began = time.process_time()
    for question in questions:
        classify(question, [(0, 0)])  # spans that no other part used, so that the cache is not hit
        sub_queries(question, [(0, 0)])
    return round((time.process_time() - began) * 1000 / len(questions), 2)
