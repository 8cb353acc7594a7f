"""``export``: writes the whole graph of a corpus to a file for other programs."""

from __future__ import annotations

import typer

from tetragraph.cli.arguments import CorpusName, ExportForm, ExportPlace, Force, Json
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import out, print_json
from tetragraph.cli.search import print_notes

commands = typer.Typer()


@commands.command(
    epilog="Examples: tetragraph export handbook.graphml -c handbook | tetragraph export handbook.parquet -c handbook "
    "--force"
)
def export(
    target: ExportPlace, corpus: CorpusName, form: ExportForm = None, force: Force = False, json: Json = False
) -> None:
    """Write the whole graph of a corpus as GraphML, JSON Lines or Parquet. `explain --out` writes that of a search."""
    with connect() as client:
        report = client.corpus(corpus).export(target, form=form, overwrite=force)
    if json:
        print_json(report)
        return
    nodes, relationships = sum(report.nodes.values()), sum(report.relationships.values())
    out.print(
        f"{nodes:,} nodes and {relationships:,} relationships written to {report.path}", markup=False, soft_wrap=True
    )
    print_notes(report.notes)
