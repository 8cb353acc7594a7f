"""A causal language model in this process that plays episodes, token by token as a trainer needs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tetragraph.errors import InvalidInput
from tetragraph.llm import Message
from tetragraph.rl.environment import KnowledgeEnvironment

Tokens = list[int]
WriteTurns = Callable[[Sequence[Tokens], int], list[Tokens]]
"""Returns the next turn of each conversation, at most so many tokens; the last is that of the end, if written."""

_EXCHANGE: Final = (Message("assistant", "<think>a</think><query>b</query>"), Message("user", "c"))
"""A turn with a thought and its reply, with which a chat template is tried before the first turn is sampled."""


@dataclass(slots=True)
class TokenisedEpisode:
    """The tokens of an episode.

    Attributes:
        prompt: Tokens before the first turn.
        completion: Tokens of the turns and of what the environment wrote between them.
        is_policy: For each token of the completion 1 if the policy wrote it, else 0.
    """

    prompt: Tokens
    completion: Tokens = field(default_factory=list)
    is_policy: Tokens = field(default_factory=list)

    def add(self, tokens: Tokens, *, is_policy: bool) -> None:
        """Append tokens of one writer."""
        self.completion += tokens
        self.is_policy += [int(is_policy)] * len(tokens)


class LocalPolicy:
    """Plays several episodes at once.

    Tokens of earlier turns are kept as they were sampled, never tokenised again, so that their probabilities are those
    with which they were written.

    Args:
        write: Writes the next turns of some conversations.
        tokenizer: Tokenizer of ``transformers`` with a chat template and a token for the end.

    Raises:
        InvalidInput: the tokenizer has no chat template.
    """

    def __init__(self, write: WriteTurns, tokenizer: Any) -> None:
        if not tokenizer.chat_template:
            raise InvalidInput("a policy must have a chat template in its tokenizer, got none: take a chat model")
        self._write = write
        self._tokenizer = tokenizer

    def play(self, environments: Sequence[KnowledgeEnvironment]) -> list[TokenisedEpisode]:
        """Play the episodes of some environments to their ends.

        Raises:
            InvalidInput: the chat template changes earlier turns when later ones follow.
        """
        for one in environments[:1]:
            self._between(one.messages, (*one.messages, *_EXCHANGE), [])
        episodes = [TokenisedEpisode(self._encode(self._render(one.messages))) for one in environments]
        while running := [number for number, one in enumerate(environments) if one.ended is None]:
            limit = min(environments[number].reply_tokens for number in running)
            known = [episodes[number].prompt + episodes[number].completion for number in running]
            for number, written in zip(running, self._write(known, limit), strict=True):
                environment, before = environments[number], environments[number].messages
                environment.step(self._tokenizer.decode(written, skip_special_tokens=True))
                episodes[number].add(written, is_policy=True)
                if environment.ended is None:
                    episodes[number].add(
                        self._encode(self._between(before, environment.messages, written)), is_policy=False
                    )
        return episodes

    def _between(self, before: Sequence[Message], after: Sequence[Message], written: Tokens) -> str:
        """The text between a turn and the next one: its end, the knowledge, and the beginning of a turn.

        A template may leave out the blanks around a turn, as those of Llama 3 do; its tokens keep them.
        """
        known, whole, turn = self._render(before), self._render(after), after[len(before)].content
        shown = [known + one for one in (turn, turn.lstrip(), turn.rstrip(), turn.strip())]
        as_shown = next((one for one in shown if whole.startswith(one)), None)
        if as_shown is None:
            raise InvalidInput(
                "a policy's chat template must keep earlier turns as they were written, and this one changes them, for "
                "example by leaving out thoughts: give the tokenizer another chat_template"
            )
        end = self._tokenizer.eos_token
        has_ended = bool(written) and written[-1] == self._tokenizer.eos_token_id
        rest = whole[len(as_shown) :]
        return rest.removeprefix(end) if has_ended else rest

    def _render(self, messages: Sequence[Message]) -> str:
        turns = [{"role": message.role, "content": message.content} for message in messages]
        text: str = self._tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        return text

    def _encode(self, text: str) -> Tokens:
        tokens: Tokens = self._tokenizer.encode(text, add_special_tokens=False)
        return tokens
