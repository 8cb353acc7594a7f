"""Programs that run in a peer's environment: standard library, numpy, and what the peer itself needs."""
