"""What a text states: facts with any number of participants, found by a parser or read from a file."""
