"""Turns documents into a published corpus; an interrupted change can be resumed."""
