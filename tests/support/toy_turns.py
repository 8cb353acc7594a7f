"""Turns that are one token each in the vocabulary of a tiny policy."""

QUERY = "<think>a</think><query>b</query>"
ANSWER = "<think>c</think><answer>Tarn</answer>"
WORDS = [QUERY, ANSWER, "<think>c</think><answer>Halvik</answer>", "junk"]
