"""Readers of source formats, one module for each format.

A loader of documents is a function, registered in the entry point group ``tetragraph.loaders`` under the suffix that it
reads (``.csv``), or under the name of a format (``musique``) that the user has to specify::

    load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]

The loader of ``.md`` reads files whose suffix is longer only if no loader has the longer one. A loader that can use the
options of reading (encoding, columns) has one more keyword, ``options: ReadingOptions``.

``id_prefix`` is the id of a file with one document; with ``#n`` appended, it is the id of the n-th row if that has
none; it also identifies the file in ``source``. A source that cannot be read is yielded as ``Unreadable``, never
raised.

A format of questions is an object, registered in the group ``tetragraph.questions`` under its name::

    recognises(path: Path) -> bool                               whether the file begins like one of this format
    read(path: Path) -> Iterator[tuple[str, GoldQuestion]]       each question with ``file:line``

A row that cannot be read raises ``InvalidInput`` with file and line, as an evaluation needs all questions.
"""
