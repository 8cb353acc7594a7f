"""Names of the registered systems, for help texts: importing the systems themselves takes most of a second."""

from __future__ import annotations

from typing import Final

METHODS: Final = ["evidence", "gain", "tree", "bipartite", "anchor", "dense", "keyword", "fused"]
"""Names of the search methods, in the order of the registry."""
BUILDS: Final = ["bipartite", "gain", "tree", "types"]
"""Names of the build targets, in the order of the registry."""
TUNED: Final = ["evidence", "gain", "tree", "bipartite", "fused"]
"""Names of the search methods with a tuning grid, in the order of the registry."""
