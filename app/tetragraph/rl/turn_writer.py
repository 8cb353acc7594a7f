"""Writes turns with a causal language model of ``transformers``; the only code of the RL mode that needs PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tetragraph.rl.local_policy import Tokens

_STOPS: Final = ("</query>", "</answer>")
"""A turn ends with its action."""


@dataclass(frozen=True, slots=True)
class TurnWriter:
    """Samples turns from a model.

    Attributes:
        model: A causal model.
        tokenizer: Its tokenizer, with tokens for padding and for the end.
        temperature: Sampling temperature; 0 for the likeliest turns.
    """

    model: Any
    tokenizer: Any
    temperature: float

    def __call__(self, known: Sequence[Tokens], limit: int) -> list[Tokens]:
        """See ``WriteTurns``."""
        import torch

        width, pad = max(map(len, known)), self.tokenizer.pad_token_id
        ids = torch.tensor([[pad] * (width - len(one)) + one for one in known], device=self.model.device)
        mask = torch.tensor([[0] * (width - len(one)) + [1] * len(one) for one in known], device=self.model.device)
        sampling = {"do_sample": True, "temperature": self.temperature} if self.temperature else {"do_sample": False}
        with torch.no_grad():
            found = self.model.generate(
                input_ids=ids,
                attention_mask=mask,
                max_new_tokens=limit,
                stop_strings=list(_STOPS),
                tokenizer=self.tokenizer,
                pad_token_id=pad,
                top_k=0,
                top_p=1.0,
                **sampling,
            )
        end = self.tokenizer.eos_token_id
        return [cut_turn(row, end, pad, self._has_stop) for row in found[:, width:].tolist()]

    def _has_stop(self, tokens: Tokens) -> bool:
        text = self.tokenizer.decode(tokens)
        return any(stop in text for stop in _STOPS)


def cut_turn(tokens: Tokens, end: int, pad: int, has_stop: Callable[[Tokens], bool]) -> Tokens:
    """The tokens up to that of the end, or to the padding behind a stop; at least one token.

    Args:
        tokens: A turn with its padding.
        end: Token of the end, which the model samples.
        pad: Token of the padding; may be that of the end.
        has_stop: Whether the text of some tokens contains a stop, behind which nothing is sampled.

    >>> ended, stopped = (lambda tokens: False), (lambda tokens: True)
    >>> cut_turn([7, 8, 1, 0], 1, 0, ended), cut_turn([7, 8, 0, 0], 1, 0, stopped), cut_turn([0, 0], 1, 0, ended)
    ([7, 8, 1], [7, 8], [1])
    >>> cut_turn([7, 8, 0, 0], 0, 0, ended), cut_turn([7, 8, 0, 0], 0, 0, stopped)
    ([7, 8, 0], [7, 8])
    """
    for place, token in enumerate(tokens):
        if token in (end, pad):
            is_sampled = token == end and not (end == pad and has_stop(tokens[:place]))
            return tokens[: place + 1] if is_sampled else tokens[:place] or [end]
    return tokens
