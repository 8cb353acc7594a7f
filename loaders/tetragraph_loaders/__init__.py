"""Readers of source formats, one format a file.

Each module has one function, found through the entry point group ``tetragraph.loaders`` under the suffix it reads::

    load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]

``id_prefix`` is the id of a file that holds one document, and with ``#n`` that of its n-th row where the row has no
id of its own; it also names the file in ``source``. What cannot be read is yielded as ``Unreadable``, never raised.
"""
