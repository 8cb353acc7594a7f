"""Programs that run in a peer's environment, with the standard library, numpy and the peer's own packages only."""
