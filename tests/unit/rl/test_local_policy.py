"""A policy in this process: its tokens are those of the conversation, whatever ends its turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.model import FactEvidence
from tetragraph.rl.environment import KnowledgeEnvironment
from tetragraph.rl.local_policy import LocalPolicy, Tokens, WriteTurns
from tetragraph.rl.options import EpisodeOptions
from toy_turns import ANSWER, QUERY

END = "\x03"


class Letters:
    """A tokenizer whose tokens are characters, with the methods of those of ``transformers``."""

    eos_token, eos_token_id = END, ord(END)

    def __init__(
        self, *, keeps_thoughts: bool = True, keeps_blanks: bool = True, chat_template: str = "letters"
    ) -> None:
        self.chat_template = chat_template
        self._keeps_blanks = keeps_blanks
        self._keeps_thoughts = keeps_thoughts

    def encode(self, text: str, *, add_special_tokens: bool) -> Tokens:
        assert not add_special_tokens
        return list(map(ord, text))

    def decode(self, tokens: Tokens, *, skip_special_tokens: bool) -> str:
        text = "".join(map(chr, tokens))
        return text.replace(END, "") if skip_special_tokens else text

    def apply_chat_template(
        self, turns: Sequence[Mapping[str, str]], *, tokenize: bool, add_generation_prompt: bool
    ) -> str:
        assert add_generation_prompt
        assert not tokenize
        return "".join(f"{one['role']}: {self._shown(one)}{END}\n" for one in turns) + "assistant: "

    def _shown(self, turn: Mapping[str, str]) -> str:
        is_cut = turn["role"] == "assistant" and not self._keeps_thoughts
        text = turn["content"].partition("</think>")[2] if is_cut else turn["content"]
        return text if self._keeps_blanks else text.strip()


def writer(end: str, start: str = "") -> WriteTurns:
    """Writes a query, and an answer once there is knowledge."""

    def write(known: Sequence[Tokens], limit: int) -> list[Tokens]:
        assert limit > 0
        has_asked = ("</knowledge>" in "".join(map(chr, one)).rpartition("user: ")[2] for one in known)
        return [list(map(ord, start + (ANSWER if asked else QUERY) + end)) for asked in has_asked]

    return write


def environments(count: int) -> list[KnowledgeEnvironment]:
    options = EpisodeOptions(turns=3)
    return [KnowledgeEnvironment(lambda query: FactEvidence(query, ()), f"Who is {n}?", options) for n in range(count)]


@pytest.mark.parametrize("end", ["", END], ids=["ended by its action", "ended by the token of the end"])
def test_the_tokens_are_those_of_the_conversation(end: str) -> None:
    tokenizer, played = Letters(), environments(2)
    for environment, episode in zip(played, LocalPolicy(writer(end), tokenizer).play(played), strict=True):
        assert environment.ended == "answered"
        turns = [{"role": one.role, "content": one.content} for one in environment.messages]
        whole = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        text = tokenizer.decode(episode.prompt + episode.completion, skip_special_tokens=False)
        assert whole.startswith(text)
        assert text.endswith(ANSWER + end)
        assert len(episode.completion) == len(episode.is_policy)
        written = [token for token, flag in zip(episode.completion, episode.is_policy, strict=True) if flag]
        assert tokenizer.decode(written, skip_special_tokens=True) == QUERY + ANSWER


@pytest.mark.parametrize("end", ["\n", f" \n{END}"])
def test_a_template_may_leave_out_the_blanks_around_a_turn(end: str) -> None:
    (episode,) = LocalPolicy(writer(end, "\n"), Letters(keeps_blanks=False)).play(environments(1))
    text = Letters().decode(episode.completion, skip_special_tokens=False)
    closed = end if end.endswith(END) else end + END
    assert text.startswith(f"\n{QUERY}{closed}\nuser: <knowledge>\n")
    assert text.endswith(f"</knowledge>{END}\nassistant: \n{ANSWER}{end}")


def test_a_template_is_tried_before_a_turn_is_written() -> None:
    def write(known: Sequence[Tokens], limit: int) -> list[Tokens]:
        pytest.fail("a turn was written")

    with pytest.raises(InvalidInput, match="must keep earlier turns as they were written"):
        LocalPolicy(write, Letters(keeps_thoughts=False)).play(environments(1))
    assert LocalPolicy(write, Letters()).play([]) == []


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        (Letters(chat_template=""), "a policy must have a chat template"),
        (Letters(keeps_thoughts=False), "must keep earlier turns as they were written"),
    ],
)
def test_a_template_that_does_not_serve_is_refused(tokenizer: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        LocalPolicy(writer(""), tokenizer).play(environments(1))
