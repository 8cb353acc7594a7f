"""Words, sentences, names and the entity dictionary of a corpus."""
