"""Asks a language model to write a chunk that could contain the answer to a question."""

from __future__ import annotations

from typing import Final

from tetragraph.errors import UnusableReply
from tetragraph.language.lexicon.names import WORD, normalise_word
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.prompts import fence, load
from tetragraph.llm import Operation, Request

_REPLY: Final = 160
"""Limit of a reply in tokens, which small models reach by repeating themselves."""
_EXPECTED: Final = 90


def passage_request(question: str) -> Request:
    """The request for the chunk."""
    return load("self_query").request(_REPLY, {"question": fence("question", question)}, expected=_EXPECTED)


def write_passage(operation: Operation, question: str) -> str:
    """Write a chunk in one line; it serves as a query, may be false, and is never shown as an answer.

    If the reply was cut off, only its complete sentences are used, unless it has only one. A refusal or broken JSON is
    recognised by the lack of any word of the question.

    Raises:
        UnusableReply: the reply has no text, or no word of the question.
        LlmError: the operation failed otherwise.

    Source:
        SeRAG (2026), section 3.3 and appendix A.1 (the self-query).
    """
    asked = passage_request(question)
    reply = operation.complete(asked)
    passage = one_line(reply.text)
    wanted = _content_stems(question)
    if wanted and wanted.isdisjoint(_content_stems(passage)):
        with operation.describing(asked):
            raise UnusableReply("the passage must have a word of the question, and has none", reply.text)
    sentences = sentence_spans(passage)
    return passage[: sentences[-2][1]] if reply.finish == "length" and len(sentences) > 1 else passage


def _content_stems(text: str) -> set[str]:
    words = map(normalise_word, WORD.findall(text))
    return {stem(word) for word in words if word not in STOP_WORDS}
