"""Questions over the small world of the end-to-end tests: with and without names, in one step and in several."""

from __future__ import annotations

QUESTIONS = (
    "Who taught the painter who was born in Halvik?",
    "Who was the second director of the academy in Old Port?",
    "What was the wife of the engineer Orla Brandt?",
    "When was the memoir of the surgeon Ida Brandt published?",
    "Of which town is the poet of Low Tide the mayor?",
    "Who built the harbour of Halvik?",
    "When was the harbour of the town where Elva Kron was born built?",
    "In which county did the sculptor Mina Holt die?",
    "Who set the poem Low Tide to music?",
    "What did the daughter of the engineer who built harbours become?",
    "Which is older, the harbour of Halvik or the Reyer Academy?",
    "Who wrote a poem about Halvik?",
    "Where is the seat of the county whose largest town is Halvik?",
    "How many years was Jens Arild mayor?",
    "Are Mina Holt and Tomas Reyer both artists?",
    "art schools and their founders",
    "Reyer",
    "Who was the teacher of the painter who was born in the town that the poet of Low Tide wrote about?",
    "What is the capital of a country that no text is about?",
    "When did the wife of the father of Ida Brandt die?",
)
METHODS = ("evidence", "gain", "tree", "bipartite", "anchor", "dense", "fused")
