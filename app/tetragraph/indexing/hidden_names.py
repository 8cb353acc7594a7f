"""Names of files and folders that people do not see in their folders, and that no ingest of a folder reads."""

from __future__ import annotations

_KEPT_BY_SYSTEMS = frozenset({"desktop.ini", "thumbs.db", "__macosx"})
"""Names in small letters under which Windows keeps the look of a folder, and macOS its own parts of an archive."""


def is_hidden(name: str) -> bool:
    """Whether a name is that of a hidden file, of one that the system keeps, or of a lock of an Office program.

    >>> [is_hidden(name) for name in (".DS_Store", "~$report.docx", "Thumbs.db", "report.docx", "~notes.txt")]
    [True, True, True, False, False]
    """
    return name.startswith((".", "~$")) or name.lower() in _KEPT_BY_SYSTEMS
