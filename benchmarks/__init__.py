"""Figures that README and the notes quote; run them with ``make bench``."""
