"""Answers from evidence: extractive, generated, streamed, and in several steps with a session."""
