"""Reading questions: their names, their parse, and what they ask for in between."""
