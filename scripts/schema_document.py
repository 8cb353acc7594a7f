"""Write docs/schema.md from a live database, or compare a corpus with it.

Usage: schema_document.py [--check CORPUS]

Without ``--check`` a corpus with every label, type and property is created in the stores that the environment names,
the document is written, and the corpus is dropped. With it nothing is written: labels, types and properties of CORPUS
that the document lacks are printed, and the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import neo4j

from tetragraph import Settings
from tetragraph.stores import local

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from schema_page import PAGE, parse_page, undescribed, write_page
from schema_reading import differences, read_examples, read_schema
from whole_world import whole_world


@contextmanager
def open_session(settings: Settings) -> Iterator[neo4j.Session]:
    """A session on the server of the settings, otherwise on the local one, which is started if necessary."""
    uri, user, password = settings.neo4j_uri, settings.neo4j_user, settings.neo4j_password.get_secret_value()
    if uri is None:
        server = local.start(settings)
        uri, user, password = server.uri, server.user, server.password
    with (
        neo4j.GraphDatabase.driver(uri, auth=(user, password)) as driver,
        driver.session(database=settings.neo4j_database) as session,
    ):
        yield session


def write(settings: Settings) -> list[str]:
    """Write the document; if a description is missing, return its name and write nothing."""
    name = f"schema-document-{uuid.uuid4().hex[:8]}"
    with open_session(settings) as session, whole_world(settings, name):
        found = read_schema(session, name)
        told = undescribed(found)
        if not told:
            PAGE.write_text(write_page(found, read_examples(session, name), name), encoding="utf-8")
    return told


def check(settings: Settings, corpus: str) -> list[str]:
    """Labels, types and properties of a corpus that the document lacks."""
    with open_session(settings) as session:
        found = read_schema(session, corpus)
    if "Corpus" not in found.nodes:
        return [f"there is no corpus {corpus!r}"]
    return differences(found, parse_page(PAGE.read_text(encoding="utf-8")), is_whole=False)


def main() -> None:
    """Run the script; see its docstring."""
    parser = argparse.ArgumentParser(description="Write docs/schema.md, or compare a corpus with it.")
    parser.add_argument("--check", metavar="CORPUS", help="compare this corpus with the document, and write nothing")
    asked = parser.parse_args()
    settings = Settings()
    told = check(settings, asked.check) if asked.check else write(settings)
    print(
        "\n".join(told) or (f"{PAGE.name} tells of all in {asked.check}" if asked.check else f"{PAGE.name} is written")
    )
    sys.exit(1 if told else 0)


if __name__ == "__main__":
    main()
