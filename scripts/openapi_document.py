"""Write docs/openapi.json: the routes of the HTTP service.

The document is made from the routes alone; no store is needed.
"""

from __future__ import annotations

import json
from pathlib import Path

from tetragraph.service.app import describe_routes

PAGE = Path(__file__).parents[1] / "docs" / "openapi.json"


def document() -> str:
    """Text of the document."""
    return json.dumps(describe_routes(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PAGE.write_text(document(), encoding="utf-8")
    print(f"{PAGE.name} is written")
