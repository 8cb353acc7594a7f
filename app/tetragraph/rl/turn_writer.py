"""Writes turns with a causal language model of ``transformers``; the only code of the RL mode that needs PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
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
        return [cut_turn(row, self.tokenizer.eos_token_id, pad) for row in found[:, width:].tolist()]


def cut_turn(tokens: Tokens, end: int, pad: int) -> Tokens:
    """The tokens up to that of the end, or to the padding behind a stop; at least one token.

    >>> cut_turn([7, 8, 1, 0], end=1, pad=0), cut_turn([7, 8, 0, 0], end=1, pad=0), cut_turn([0, 0], end=1, pad=0)
    ([7, 8, 1], [7, 8], [1])
    """
    for place, token in enumerate(tokens):
        if token in (end, pad):
            return tokens[: place + 1] if token == end else tokens[:place] or [end]
    return tokens
