"""The anchor graph: a search in several steps that grows a small graph of what is known (GraphAnchor)."""
