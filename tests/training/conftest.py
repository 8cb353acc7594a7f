"""A tiny chat model whose vocabulary has whole turns, so that a policy of two layers can learn to answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toy_turns import WORDS

TEMPLATE = (
    "{% for message in messages %}"
    "{% if message.role == 'assistant' %}{{ message.content }}<end>"
    "{% else %}<user>{{ message.content }}<assistant>{% endif %}"
    "{% endfor %}"
)


@pytest.fixture(scope="session")
def tokenizer() -> Any:
    """Tokenizer with one token for each turn of the toy; other words are one unknown token."""
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {"<pad>": 0, "<end>": 1, "<unknown>": 2}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    words.add_tokens([AddedToken(word, normalized=False) for word in WORDS])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="<end>", unk_token="<unknown>", chat_template=TEMPLATE
    )
    fast.add_special_tokens({"additional_special_tokens": ["<user>", "<assistant>"]})
    return fast


@pytest.fixture
def tiny(tokenizer: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Folder of a random model with that tokenizer; the parameter is its seed, 0 when left out."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(getattr(request, "param", 0))
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=1,
    )
    folder = tmp_path / "tiny"
    Qwen2ForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
