"""Parts of a web page that was saved as Markdown: a menu of twelve links, and the text of an article."""

from __future__ import annotations

NAMES = (
    "Home",
    "News",
    "Politics",
    "Business",
    "Sport",
    "Culture",
    "Travel",
    "Weather",
    "Video",
    "About us",
    "Contact",
    "Jobs",
)
MENU = "\n".join(f"*   [{name}](https://a.test/{name.lower()})" for name in NAMES)
STORY = "\n\n".join(
    f"In the year {year} the harbour of Halvik was built anew after a storm, and its boats lay in the river."
    for year in range(1880, 1888)
)
