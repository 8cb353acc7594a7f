"""A report of an evaluation: ``report.json`` for programs, ``report.html`` for people, and ``timings.json``."""

from tetragraph.evaluate.model import headline_k
from tetragraph.evaluate.report.content import content
from tetragraph.evaluate.report.writing import write

__all__ = ["content", "headline_k", "write"]
