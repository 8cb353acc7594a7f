"""``tree``: shows the themes of a corpus in the terminal or as a page, or one theme in detail."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from tetragraph.cli.arguments import Depth, Json, Picture, ShownThemes, ThemeId
from tetragraph.cli.combinations import refuse_ignored
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import out, print_json, table, write_text

if TYPE_CHECKING:
    from tetragraph.client.corpus import Corpus
    from tetragraph.systems.encoding_tree.overview import Theme, TreeOverview
    from tetragraph.systems.encoding_tree.themes import Neighbour, ThemeReport

SHORT_ID = 8
"""Digits of an id that are printed; ``--theme`` accepts a prefix."""
TOP = 10
"""Largest number of chunks and of entities listed for one theme."""
NEIGHBOURS = 5
"""Largest number of neighbours listed for one theme."""
commands = typer.Typer()


@commands.command(
    epilog="Examples: tetragraph tree handbook | tetragraph tree handbook --html themes.html | "
    "tetragraph tree handbook --theme 05199d7e"
)
def tree(
    context: typer.Context,
    corpus: Annotated[str, typer.Argument(help="Name of the corpus.")],
    depth: Depth = None,
    limit: ShownThemes = 20,
    theme: ThemeId = None,
    html: Picture = None,
    json: Json = False,
) -> None:
    """Show the themes of a corpus, from its encoding tree. `build tree` builds it."""
    if theme is not None:
        refuse_ignored(context, ("html", "depth", "limit"), "--theme prints one theme")
    with connect() as client:
        opened = client.corpus(corpus)
        if theme is not None:
            _print_theme(opened.theme(theme, limit=TOP), json)
        elif html is not None:
            _write_picture(opened, html, json)
        elif json:
            print_json(opened.tree())
        else:
            show(opened.tree(), corpus, depth, limit)


def show(overview: TreeOverview, corpus: str, depth: int | None, limit: int) -> None:
    """Print the hierarchy: for each theme its number of chunks, share of affinity to other themes, id and name."""
    drawn = Tree(_heading(overview, corpus))
    _hang(drawn, overview.themes, 1, depth, limit)
    out.print(drawn)


def _heading(overview: TreeOverview, corpus: str) -> Text:
    themes = sum(1 for _ in overview.walk())
    entropy = f"{overview.structural_entropy:.2f} bits, {overview.one_dimensional_entropy:.2f} without themes"
    drift = f"; drift {overview.drift:+.1%}" if overview.drift else ""
    return Text.assemble(
        (corpus, "bold"),
        f"  {themes:,} themes of {overview.chunks:,} chunks; {entropy}{drift}",
        ("\nchunks, share of their affinity that goes to other themes, id, name", "dim"),
    )


def _hang(branch: Tree, themes: Sequence[Theme], level: int, depth: int | None, limit: int) -> None:
    if not themes or (depth is not None and level > depth):
        return
    width = len(f"{themes[0].size:,}")
    for theme in themes[:limit]:
        below = branch.add(_line(theme, width))
        _hang(below, theme.children, level + 1, depth, limit)
    if len(themes) > limit:
        branch.add(Text(f"… and {len(themes) - limit:,} more; --limit shows them", style="dim"))


def _line(theme: Theme, width: int) -> Text:
    facts = f"  {theme.outside:>4.0%}  {theme.id[:SHORT_ID]}  "
    return Text.assemble(f"{theme.size:>{width},}", (facts, "dim"), (theme.name, "bold"))


def _write_picture(corpus: Corpus, file: Path, json: bool) -> None:
    from tetragraph.export import tree_page

    overview = corpus.tree()
    if overview.chunks <= tree_page.MOST_CHUNKS:
        overview = corpus.tree(with_chunks=True)
    write_text(file, tree_page.page(overview, corpus.name))
    if json:
        print_json({"written": file})
    else:
        out.print(f"written to {file}", markup=False, soft_wrap=True)


def _print_theme(report: ThemeReport, json: bool) -> None:
    if json:
        print_json(report)
        return
    theme = report.theme
    out.print(_line(theme, 1))
    out.print(Text(f"{theme.id}, level {theme.level}, volume {theme.volume:,.1f}, cut {theme.cut:,.1f}\n", style="dim"))
    columns = ("most central chunks", "affinity inside", "of all", "id")
    table(
        columns, [[one.title, _right(f"{one.inside:.2f}"), _right(f"{one.share:.0%}"), one.id] for one in report.chunks]
    )
    out.print()
    table(
        ("characteristic entities", "chunks here", "in the corpus"),
        [[one.name, one.chunks, one.everywhere] for one in report.entities],
    )
    for neighbour in report.neighbours[:NEIGHBOURS]:
        _print_neighbour(neighbour)


def _right(figure: str) -> Text:
    return Text(figure, justify="right")


def _print_neighbour(neighbour: Neighbour) -> None:
    facts = f"  {neighbour.id[:SHORT_ID]}, affinity {neighbour.weight:.1f} over {neighbour.pairs:,} pairs"
    out.print(Text.assemble("\nborders on ", (neighbour.name, "bold"), (facts, "dim")), soft_wrap=True)
    if neighbour.shared:
        out.print(Text(f"  both name {', '.join(neighbour.shared)}"))
    for bridge in neighbour.bridges:
        out.print(Text(f"  {bridge.weight:.2f}  {bridge.here.title} – {bridge.there.title}"))
