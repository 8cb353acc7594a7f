"""Evaluation of search methods on questions with gold: metrics, significance, reproducible reports."""
