"""Analysis of questions: names, parse, expected answers and intermediate questions."""
