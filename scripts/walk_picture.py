"""Draw the paths of an evidence walk for docs/evidence-walk.md: docs/images/evidence-walk.svg.

Usage: walk_picture.py CORPUS [FILE]

Needs the corpus of ``tetragraph demo`` in the stores that the environment names. It is the picture that a notebook
shows below the hits, with a background of its own; the same corpus gives the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tetragraph import Tetragraph
from tetragraph.model.pictures import draw_hits

FILE = Path(__file__).parents[1] / "docs" / "images" / "evidence-walk.svg"
QUESTION = "When was the country that produced Fist Power taken by the British?"
HITS = 5


def with_background(picture: str) -> str:
    """The picture on white, with black words, as it is shown on pages of any colour."""
    head, end, rest = picture.partition(">")
    return f'{head}{end}<rect width="100%" height="100%" fill="#ffffff"/>{rest}'.replace("currentColor", "#000000")


def main() -> None:
    """Write the picture of a corpus."""
    if len(sys.argv) not in {2, 3}:
        sys.exit(__doc__)
    file = Path(sys.argv[2]) if len(sys.argv) == 3 else FILE
    with Tetragraph.connect() as client:
        hits = client.corpus(sys.argv[1]).search(QUESTION, k=HITS).hits
    file.write_text(with_background(draw_hits(hits)) + "\n", encoding="utf-8")
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
