"""Describes each line of a page by numbers: its words and links, its place, and the lines around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tetragraph.arrays import Floats
from tetragraph.language.page_lines.lines import PageLine

PROSE, LONG_PROSE, SHORT = 10, 25, 4
"""Least words outside of links of a line of prose and of a long one; most words of a short line."""
_SENTENCE_END = re.compile(r"[.!?…:;。”\"')\]]\s*[*_]*$")
_ITEM = re.compile(r"\s*(?:[*+-]|\d+[.)])\s")
_PICTURE = re.compile(r"[\s*]*(?:!\[|Image \d+)")
_WORD = re.compile(r"\w{4,}")
_NOTICE = re.compile(
    r"cookies?|privacy|personal data|third[- ]part|consent|advert|wayback|internet archive|captures?\b|crawl"
    r"|terms of (?:use|service)|copyright|licen[sc]e|newsletter|subscri|sign (?:in|up)|log ?in|all rights|share|follow"
    r"|privacidad|datenschutz",
    re.IGNORECASE,
)
"""Words of notices, which are furniture also where they are prose."""
_OF_OTHERS = re.compile(
    r"[\W_]*(?:related|more (?:from|on|in|stories|news|like)|recommended|read (?:more|next|also)|also read|see also"
    r"|you (?:may|might) (?:also )?like|most (?:read|popular|viewed|recent)|trending|popular|latest|top stories"
    r"|comments?|leave a (?:reply|comment)|share|tags?|topics|follow|newsletter|sponsored|advert|don't miss|up next"
    r"|watch|categories|archives?|navigation|menu|about|contact|editor'?s pick|explore|what to read|keep reading"
    r"|footer|sign up|subscribe)",
    re.IGNORECASE,
)
"""Beginning of a heading above teasers, forms and links."""
_SERVICE = re.compile(
    r"facebook\.|twitter\.|//x\.com|instagram\.|whatsapp|linkedin\.|youtube\.com/(?:user|channel|@|c/)|pinterest"
    r"|reddit\.com|t\.me|tumblr|flipboard|plus\.google|mailto:|share|javascript:|/login|signin|subscribe|/privacy"
    r"|/terms|/contact|/about|/cookie|apps\.apple|play\.google|#comment|respond"
)
"""Targets of links that share, log in, subscribe, or state who the publisher is."""
_BYLINE = re.compile(r"(?:by|von|por|par|di)\s+[A-Z]|(?:published|updated|posted|last|modified)\b", re.IGNORECASE)
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\d{1,2}[:.]\d\d")
_MOST_DOCUMENTS = 50
_FAR = 30
"""Lines beyond which a distance counts as this one."""


def describe(lines: Sequence[PageLine], documents: Sequence[int]) -> Floats:
    """``(n, features)`` description of the lines of a page: the :func:`columns`, in their order."""
    return np.column_stack([*columns(lines, documents).values()])


def columns(lines: Sequence[PageLine], documents: Sequence[int]) -> dict[str, Floats]:
    """``(n,)`` numbers by the name of each feature.

    Args:
        lines: ``n`` lines of a page, in order; at least one.
        documents: For each line the number of documents that are known to have it, 1 for this one alone.
    """
    own = _describe_lines(lines, documents)
    place = _describe_places(own["link"], own["words"], own["sentence"], own["section"])
    around = _describe_surroundings(own, place)
    page = {
        "page_link": np.full(len(lines), own["link"].mean()),
        "page_prose": np.full(len(lines), place["prose"].mean()),
        "page_words": np.full(len(lines), np.log1p(_prose_words(own["words"]).sum())),
        "page_picture": np.full(len(lines), own["picture"].mean()),
    }
    return {**own, "words": np.log1p(own["words"]), **place, **around, **page}


def _describe_lines(lines: Sequence[PageLine], documents: Sequence[int]) -> dict[str, Floats]:
    """Numbers of each line by itself."""

    def each(measure: Callable[[PageLine], float]) -> Floats:
        return np.array([measure(line) for line in lines], dtype=np.float64)

    texts = Counter(line.text for line in lines)
    hosts = Counter(host for line in lines for host in line.hosts)
    main = hosts.most_common(1)[0][0] if hosts else ""
    title = next((line.text for line in lines if line.raw.startswith("#")), "")
    named = {*map(str.lower, _WORD.findall(title))}
    words, link_words = each(lambda line: line.words), each(lambda line: line.link_words)
    picture = each(lambda line: bool(_PICTURE.match(line.raw)))
    length = each(lambda line: max(len(line.text), 1))
    heading = each(lambda line: line.raw.lstrip().startswith("#"))
    return {
        "words": words,
        "link": each(lambda line: line.is_link),
        "link_words": np.log1p(link_words),
        "links": np.log1p(each(lambda line: len(line.targets))),
        "link_share": link_words / np.maximum(words + link_words, 1),
        "sentence": each(lambda line: bool(_SENTENCE_END.search(line.text))),
        "heading": heading,
        "item": each(lambda line: bool(_ITEM.match(line.raw))),
        "indent": each(lambda line: min(len(line.raw) - len(line.raw.lstrip()), 8)),
        "table": each(lambda line: line.raw.lstrip().startswith("|")),
        "html": each(lambda line: "<td" in line.raw or "<div" in line.raw),
        "picture": picture,
        "picture_text": picture * np.log1p(length),
        "short": ((words > 0) & (words <= SHORT)).astype(np.float64),
        "capitals": each(lambda line: sum(map(str.isupper, line.text))) / length,
        "digits": each(lambda line: sum(map(str.isdigit, line.text))) / length,
        "again": each(lambda line: min(texts[line.text] - 1, 3) if len(line.text) > 1 else 0),
        "title": each(lambda line: len(named & {*map(str.lower, _WORD.findall(line.text))})) / max(len(named), 1),
        "service": each(lambda line: any(map(_SERVICE.search, line.targets))),
        "own_site": each(lambda line: bool(line.targets) and all(host == main for host in line.hosts)),
        "footnote": each(
            lambda line: bool(line.targets) and all(one.startswith("#") or "#cite" in one for one in line.targets)
        ),
        "shared": np.log(np.clip(np.array(documents, dtype=np.float64), 1, _MOST_DOCUMENTS)),
        "notice": each(lambda line: min(len(_NOTICE.findall(line.text)), 4)),
        "byline": each(lambda line: bool(_BYLINE.match(line.text))),
        "date": each(lambda line: bool(_DATE.search(line.text)) and len(line.text) < 120),
        "section": _find_sections(lines, heading),
    }


def _find_sections(lines: Sequence[PageLine], heading: Floats) -> Floats:
    """0 before the first heading, 2 below one of teasers, forms and links, and 1 below any other."""
    sections: list[float] = []
    now = 0.0
    for line, is_heading in zip(lines, heading.tolist(), strict=True):
        if _OF_OTHERS.match(line.text) and (is_heading or line.words < SHORT + 3):
            now = 2.0
        elif is_heading:
            now = 1.0
        sections.append(now)
    return np.array(sections)


def _describe_places(link: Floats, words: Floats, sentence: Floats, section: Floats) -> dict[str, Floats]:
    """Where each line is: from the ends of the page, and among its prose."""
    count = len(words)
    row = np.arange(count, dtype=np.float64)
    prose = (words >= PROSE).astype(np.float64)
    mass = _prose_words(words)
    total = max(float(mass.sum()), 1.0)
    before = (np.cumsum(mass) - mass) / total
    long = np.flatnonzero((words >= LONG_PROSE) & (sentence > 0))
    first, last = (float(long[0]), float(long[-1])) if long.size else (float(count), -1.0)
    gap, gap_link = _describe_gaps(prose, link)
    return {
        "prose": prose,
        "from_start": np.minimum(row, 20),
        "from_end": np.minimum(count - 1 - row, 40),
        "before": before,
        "after": 1 - before - mass / total,
        "since_prose": _distance(prose),
        "until_prose": _distance(prose[::-1])[::-1],
        "until_first": np.log1p(np.maximum(first - row, 0)),
        "since_last": np.log1p(np.maximum(row - last, 0)),
        "gap": np.log1p(gap),
        "gap_link": gap_link,
        "of_others": (section == 2).astype(np.float64),
    }


def _describe_surroundings(own: Mapping[str, Floats], place: Mapping[str, Floats]) -> dict[str, Floats]:
    """Means over the lines around each line, and over those on either side of it."""
    link, prose = own["link"], place["prose"]
    mass = _prose_words(own["words"])
    told = np.maximum(own["words"] - PROSE, 0) * own["sentence"]
    means = {
        "link": (link, (2, 6)),
        "prose": (prose, (2, 6)),
        "long": ((own["words"] >= LONG_PROSE).astype(np.float64), (10,)),
        "short": (own["short"], (3,)),
        "notice": (own["notice"], (3, 10)),
        "picture": (own["picture"], (4,)),
        "shared": ((own["shared"] > 1).astype(np.float64), (3,)),
        "service": (own["service"], (3,)),
        "own_site": (own["own_site"] * link, (4,)),
        "again": (own["again"], (4,)),
    }
    sides = {"mass": (mass, (3, 10)), "link": (link, (3, 12)), "told": (told, (20,)), "prose": (prose, (2,))}
    return {
        **{f"{name}_{width}": _mean(values, width, width) for name, (values, some) in means.items() for width in some},
        **{f"{name}_-{width}": _mean(values, width, -1) for name, (values, some) in sides.items() for width in some},
        **{f"{name}_+{width}": _mean(values, -1, width) for name, (values, some) in sides.items() for width in some},
    }


def _prose_words(words: Floats) -> Floats:
    found: Floats = np.where(words >= PROSE, words, 0.0)
    return found


def _mean(values: Floats, before: int, after: int) -> Floats:
    """Mean over the lines from ``before`` lines before each line to ``after`` lines behind it; 0 without such lines.

    -1 leaves out the line itself on that side.
    """
    total = np.concatenate([[0.0], np.cumsum(values)])
    row = np.arange(len(values))
    low, high = np.clip(row - before, 0, len(values)), np.clip(row + after + 1, 0, len(values))
    mean: Floats = (total[high] - total[low]) / np.maximum(high - low, 1)
    return mean


def _distance(flags: Floats) -> Floats:
    """Lines since the last flagged one, at most :data:`_FAR`."""
    row = np.arange(len(flags))
    last = np.maximum.accumulate(np.where(flags > 0, row, -_FAR))
    distance: Floats = np.minimum(row - last, _FAR).astype(np.float64)
    return distance


def _describe_gaps(prose: Floats, link: Floats) -> tuple[Floats, Floats]:
    """Number of lines of the run without prose that a line is in, and the share of links in it; 0 for prose."""
    run = np.cumsum(prose > 0)
    is_gap = prose == 0
    count = np.bincount(run[is_gap], minlength=len(prose) + 1)[run]
    links = np.bincount(run[is_gap], weights=link[is_gap], minlength=len(prose) + 1)[run]
    size: Floats = np.where(is_gap, count, 0).astype(np.float64)
    return size, np.where(is_gap, links / np.maximum(count, 1), 0.0)
