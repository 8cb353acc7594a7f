"""The Python client: Tetragraph, Corpus and the objects they hand out, synchronous and for asyncio."""
