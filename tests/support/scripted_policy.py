"""A policy for the question of ``anchored_world``, as the answers of a scripted language model.

The seed of a request decides how well it plays: 0 queries step by step and answers what it read, 1 answers at once, 2
forgets to think, 3 never answers, 4 writes only text. Further seeds repeat these.
"""

from __future__ import annotations

from scripted_faults import Body

QUERIES = ("Who is the mayor of Halvik?", "Who is the sister of Orla Brandt?", "Who is the teacher of Ida Brandt?")
KINDS = 5


def turn(body: Body) -> str:
    """The next turn of the conversation."""
    seed, said = body.get("seed", 0) % KINDS, [one for one in body["messages"] if one["role"] == "assistant"]
    query = f"<query>{QUERIES[min(len(said), len(QUERIES) - 1)]}</query>"
    if seed == 4:
        return "I would have to look that up."
    if seed == 2:
        return query if len(said) < len(QUERIES) else "<answer>Jens Arild</answer>"
    if seed == 1 or (seed == 0 and len(said) == len(QUERIES)):
        known = "Jens Arild" if any("Jens Arild" in one["content"] for one in body["messages"][2:]) else "Mina Holt"
        return f"<think>I know enough.</think>\n<answer>{known}</answer>"
    return f"<think>{len(said)} steps are settled.</think>\n{query}"
