"""The retrieval systems: the same floor plan in each (build, update, search)."""
