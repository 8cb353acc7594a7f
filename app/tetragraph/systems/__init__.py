"""The retrieval systems: one package per system, all with the same structure (build, update, search)."""
