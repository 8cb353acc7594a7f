"""Links names in texts and questions to the entities of a corpus."""
