"""Backup of a corpus to one file: write, verify, restore, copy."""
