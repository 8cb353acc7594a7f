"""Measurements of ``tetragraph serve`` as a process of its own."""
