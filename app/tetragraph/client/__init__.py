"""The Python client: Tetragraph, Corpus and the objects that they return, synchronous and for asyncio."""
