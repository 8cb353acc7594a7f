"""Readers of source formats, one format a file.

A loader of documents is a function, found through the entry point group ``tetragraph.loaders`` under the suffix it
reads (``.csv``), or under the name of a format (``musique``) that the user has to give::

    load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]

``id_prefix`` is the id of a file that holds one document, and with ``#n`` that of its n-th row where the row has no
id of its own; it also names the file in ``source``. A source that cannot be read is yielded as ``Unreadable``, never
raised.

A format of questions is an object, found through the group ``tetragraph.questions`` under its name::

    recognises(path: Path) -> bool                               whether the file begins like one of this format
    read(path: Path) -> Iterator[tuple[str, GoldQuestion]]       each question with ``file:line``

A row that cannot be read raises ``InvalidInput`` with file and line: half of the questions are no evaluation.
"""
