"""Furniture of crawled web pages: pages marked by hand, the trees fitted on them, and how much these recognise."""
