"""What can be set of the bipartite graph, and the rules that the values keep."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from tetragraph.errors import InvalidInput
from tetragraph.validation import check_integer

DEPENDENCY = "dependency"
"""The extractor that asks no model of language: the parser's."""
LLM = "llm"
"""The one that asks the language model of the settings."""
MOST_GLEANINGS = 3


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How the graph is made.

    Attributes:
        extractor: ``dependency`` finds facts with a parser, ``llm`` asks the language model for them. Anything else is
            the path of a file of recorded triples
            (see :class:`tetragraph.language.facts.recorded.RecordedExtractor`), whose facts are taken instead; it is
            made absolute, as later builds look there, too.
        gleanings: How often the language model is asked for the facts that it left out, 0 to 3; of no effect on other
            extractors.
        threshold: Names whose embeddings are at least this alike, and which no guard keeps apart, are one entity;
            above 0, at most 1.
    """

    extractor: str = DEPENDENCY
    threshold: float = 0.90
    gleanings: int = 1

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: one breaks its rule.
        """
        if not isinstance(self.extractor, str) or not self.extractor:
            raise InvalidInput(
                f"extractor must be {DEPENDENCY!r}, {LLM!r} or the path of a file of recorded triples, "
                f"got {self.extractor!r}"
            )
        if self.extractor not in (DEPENDENCY, LLM):
            object.__setattr__(self, "extractor", str(Path(self.extractor).expanduser().absolute()))
        threshold = self.threshold
        is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool) and math.isfinite(threshold)
        if not is_number or not 0 < threshold <= 1:
            raise InvalidInput(f"threshold must be above 0 and at most 1, got {threshold!r}")
        check_integer("gleanings", self.gleanings, 0)
        if self.gleanings > MOST_GLEANINGS:
            raise InvalidInput(f"gleanings must be at most {MOST_GLEANINGS}, got {self.gleanings!r}")
