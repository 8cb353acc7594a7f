"""Questions without the polite frame around them: "Can you tell me who built it?" asks "who built it?"."""

from __future__ import annotations

import re

from tetragraph.language.questions.quoted_titles import quote_titles
from tetragraph.model.characters import unify_characters

_PERSON = r"(?:you|someone|somebody|anyone|anybody)"
_KINDLY = r"(?:\s+(?:please|kindly|also))?"
_GREETINGS = r"(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Pp]lease|[Oo]k|[Oo]kay|[Ss]o|[Ww]ell)\b[\s,.!:]*)*"
_FRAMES = (
    rf"(?:[Cc]an|[Cc]ould|[Ww]ill|[Ww]ould)\s+{_PERSON}{_KINDLY}\s+"
    r"(?:say|explain|find\s+out|look\s+up|(?:tell|remind|inform|show)(?:\s+(?:me|us))?|let\s+(?:me|us)\s+know)",
    r"(?:[Tt]ell|[Rr]emind|[Ii]nform)\s+(?:me|us)|[Ll]et\s+(?:me|us)\s+know",
    rf"(?:[Dd]o|[Dd]oes|[Dd]id)\s+{_PERSON}(?:\s+happen\s+to)?\s+(?:know|remember|recall)",
    r"(?:[Ii]s|[Ww]as)\s+it\s+(?:known|clear)",
    rf"(?:[Mm]ay|[Cc]an|[Cc]ould)\s+I{_KINDLY}\s+(?:ask|know)(?:\s+you)?",
    r"I(?:\s+would|['’]d)\s+(?:like|love)\s+to\s+know|I\s+(?:want|need)\s+to\s+know",
    r"I(?:\s+am|['’]m|\s+was)\s+wondering|I\s+wonder",
)
"""Words before what is asked. They are in small letters, which those of a title are not."""
_PREPOSITIONS = "in|at|on|for|from|of|to|by|with|since|until|under|during"
_ASKS = rf"(?i:(?:(?:{_PREPOSITIONS})\s+)?(?:who|whom|whose|which|what|where|when|how|why)\b)|(?<=\s(?:me|us)\s)the\b"
_FRAME = re.compile(
    rf"\s*{_GREETINGS}(?:{'|'.join(_FRAMES)})(?:,?\s+(?:please|exactly|again))*[\s,:–—-]+(?={_ASKS})",
)


def cut_frame(question: str) -> str:
    """Cut the polite frame off a question; one without a frame, or that asks whether, stays as it is.

    >>> cut_frame("Could you please tell me in which year Halvik was founded?"), cut_frame("Do you know Halvik?")
    ('in which year Halvik was founded?', 'Do you know Halvik?')
    """
    frame = _FRAME.match(question)
    return question[frame.end() :] if frame else question


def plain_question(question: str) -> str:
    r"""The question as it is searched for and answered: spelled as documents are, without a frame, titles in quotes.

    >>> plain_question("Tell me who built the O\u0308re\u00adsund Bridge")
    'who built the Öresund Bridge'
    """
    return quote_titles(cut_frame(unify_characters(question)))
