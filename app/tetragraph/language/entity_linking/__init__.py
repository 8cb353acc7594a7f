"""Names in texts and questions linked to the entities of a corpus."""
