"""Facts of a text with any number of participants, found by a parser or read from a file."""
