"""A small policy that chooses the steps of a search in several steps: recorded walks, training, registry."""
