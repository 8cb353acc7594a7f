"""Colours and shapes of nodes, the same in every picture."""

from __future__ import annotations

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31", "#7B4173")
"""Okabe and Ito's palette, distinguishable by colour-blind readers, without its yellow, and two more."""
LOOKS = {
    "Chunk": (COLOURS[0], "round-rectangle"),
    "Entity": (COLOURS[4], "ellipse"),
    "Relation": (COLOURS[2], "diamond"),
    "Community": (COLOURS[3], "hexagon"),
    "Document": (COLOURS[5], "rectangle"),
    "Alias": ("#F0C766", "ellipse"),
    "Session": (COLOURS[8], "star"),
    "Step": (COLOURS[7], "triangle"),
    "Anchor": (COLOURS[1], "octagon"),
}
"""Colour and shape by label; colours are those of Neo4j Browser, shapes help readers who see no colours."""
OTHERWISE = ("#7a7a7a", "barrel")
