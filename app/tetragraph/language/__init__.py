"""Words, sentences, names, tokens and embeddings."""
