"""Which lines of a saved page are furniture."""

from __future__ import annotations

import saved_pages
from saved_pages import STORY
from tetragraph.language.page_lines.lines import read_lines
from tetragraph.language.page_lines.model import LEAST_LINKS, find_furniture, is_saved_page

MENU = "\n".join(saved_pages.MENU.splitlines()[:LEAST_LINKS])
RELATED = """### Related articles

*   [The tram of Sund is sold](https://a.test/news/tram)
*   [A bridge for Halvik](https://a.test/news/bridge)
*   [Ferries in winter](https://a.test/news/ferries)

[Share on Facebook](https://www.facebook.com/share?u=a)
"""
PAGE = f"# The harbour of Halvik\n\n{MENU}\n\n### The harbour of Halvik\n\nBy Mina Holt\n\n{STORY}\n\n{RELATED}"


def furniture(page: str) -> list[str]:
    lines = read_lines(page)
    return [page[start:end] for start, end in find_furniture(lines, [1] * len(lines))]


def test_menus_and_teasers_are_furniture_and_the_article_is_none() -> None:
    menu, related = furniture(PAGE)
    assert menu == MENU.removeprefix(f"{MENU.splitlines()[0]}\n"), "the first line may be the name of the site"
    assert related == RELATED.rstrip("\n")


def test_a_title_stays_between_links_that_many_pages_have() -> None:
    for page, left in ((f"{MENU}\n# Halvik\n{MENU}\n\n{STORY}", False), (f"{MENU}\nHalvik\n{MENU}\n\n{STORY}", True)):
        lines = read_lines(page)
        runs = find_furniture(lines, [50 if line.words < 2 else 1 for line in lines])
        assert any(start <= page.index("Halvik") < end for start, end in runs) == left


def test_an_article_alone_has_no_furniture() -> None:
    assert not furniture(f"# The harbour of Halvik\n\n{STORY}")


def test_a_saved_page_has_lines_that_are_only_links_to_addresses_and_no_fences() -> None:
    page = f"{MENU}\n\n{STORY}"
    assert is_saved_page(page)
    assert not is_saved_page(page.replace("[Sport]", "See [this]"))
    assert not is_saved_page(page.replace("https://a.test/", "pages/"))
    assert not is_saved_page(f"{page}\n```\nx = 1\n```\n")
