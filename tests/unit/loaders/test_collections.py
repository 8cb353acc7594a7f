"""Test collections of information retrieval: BEIR, TREC and ir-datasets, questions and documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import ir_datasets
import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph.evaluate.questions import read_questions
from tetragraph.indexing.sources import count_documents, find_places, read_documents
from tetragraph.model import Document, Unreadable

CORPUS = [
    {"_id": "d1", "title": "Halvik", "text": "Halvik is a town.", "metadata": {"url": "u1", "tags": {"a": 1}}},
    {"_id": "d2", "title": "Old Port", "text": "", "metadata": {}},
    {"_id": "d3", "title": "", "text": ""},
]
QUERIES = [
    {"_id": "q1", "text": "Which town?"},
    {"_id": "q2", "text": "Which port?"},
    {"_id": "q3", "text": "Unjudged?"},
]
QRELS = "query-id\tcorpus-id\tscore\nq2\td2\t2\nq1\td1\t1\nq1\td2\t0\n"
WANTED = (
    GoldQuestion("q1", "Which town?", (Gold("d1"),)),
    GoldQuestion("q2", "Which port?", (Gold("d2"),)),
)
OLD_TOPICS = """<top>
<num> Number: 301
<title> International &amp; Organized   Crime
<desc> Description:
Which groups?
</top>
<top><num>302</num><desc>Description: Is polio gone?</desc></top>
"""
NEW_TOPICS = '<topics task="x">\n<topic number="1"><query>coronavirus origin</query></topic>\n</topics>\n'


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    for name, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text(QRELS, encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq3\td1\t1\n", encoding="utf-8")
    return folder


def test_a_folder_of_beir_has_the_questions_that_its_test_split_judges(beir: Path) -> None:
    assert read_questions(beir) == WANTED


def test_the_file_of_a_split_stands_for_that_split(beir: Path) -> None:
    assert read_questions(beir / "qrels" / "dev.tsv") == (GoldQuestion("q3", "Unjudged?", (Gold("d1"),)),)


def test_documents_of_beir_keep_their_ids_titles_and_flat_metadata(beir: Path) -> None:
    first, second, third = read_documents(beir, loader="beir")
    assert isinstance(first, Document)
    assert (first.id, first.title, first.text, first.metadata) == ("d1", "Halvik", "Halvik is a town.", {"url": "u1"})
    assert isinstance(second, Document)
    assert (second.id, second.text) == ("d2", "Old Port")
    assert isinstance(third, Unreadable)
    assert "'text'" in third.reason


@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("qrels/test.tsv", QRELS + "q9\td1\t1\n", "'q9', which is not in"),
        ("qrels/test.tsv", QRELS + "q1\td1\tmuch\n", "test.tsv:5"),
        ("queries.jsonl", '{"_id": "q1"}\n', "queries.jsonl:1"),
        ("queries.jsonl", "[1]\n", "must be a JSON object"),
    ],
)
def test_a_broken_row_of_beir_is_named(beir: Path, file: str, text: str, named: str) -> None:
    (beir / file).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=named):
        read_questions(beir)


def test_several_splits_without_a_test_split_must_be_named(beir: Path) -> None:
    (beir / "qrels" / "test.tsv").rename(beir / "qrels" / "train.tsv")
    with pytest.raises(InvalidInput, match=r"got dev\.tsv, train\.tsv"):
        read_questions(beir)


def test_a_split_without_queries_beside_it_is_refused(beir: Path) -> None:
    (beir / "queries.jsonl").unlink()
    with pytest.raises(InvalidInput, match=r"must have queries\.jsonl"):
        read_questions(beir, format_name="beir")


def test_an_empty_corpus_has_no_text(beir: Path) -> None:
    (beir / "corpus.jsonl").write_text("", encoding="utf-8")
    assert [type(one) for one in read_documents(beir / "corpus.jsonl", loader="beir")] == [Unreadable]


def written(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_of_trec_has_topics_with_the_gold_of_its_qrels(tmp_path: Path) -> None:
    folder = written(tmp_path / "t", topics=OLD_TOPICS, qrels="301 0 FT1 1\n301 0 FT2 0\n302 0 FT3@5-9 2\n")
    assert read_questions(folder) == (
        GoldQuestion("301", "International & Organized Crime", (Gold("FT1"),)),
        GoldQuestion("302", "Is polio gone?", (Gold("FT3", 5, 9),)),
    )


@pytest.mark.parametrize(
    ("topics", "wanted"),
    [
        (NEW_TOPICS, ("1", "coronavirus origin")),
        ("19\twhat is paula deen's brother\n", ("19", "what is paula deen's brother")),
    ],
)
def test_topics_alone_are_recognised_and_get_gold_from_qrels(
    tmp_path: Path, topics: str, wanted: tuple[str, str]
) -> None:
    folder = written(tmp_path / "t", asked=topics, judged=f"{wanted[0]} 0 d7 1\n99 0 d8 1\n")
    assert read_questions(folder / "asked.txt") == (GoldQuestion(*wanted),)
    judged = read_questions(folder / "asked.txt", qrels=folder / "judged.txt")
    assert judged == (GoldQuestion(*wanted, (Gold("d7"),)),)


@pytest.mark.parametrize(
    ("topics", "named"),
    [
        ("<top><num>1</num></top>", "must have a number, and text"),
        ("<top><title>Crime</title></top>", "must have a number, and text"),
        ("1\tone\ntwo\n", "txt:2: a line of topics"),
    ],
)
def test_a_broken_topic_is_named(tmp_path: Path, topics: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        read_questions(written(tmp_path / "t", asked=topics) / "asked.txt", format_name="trec")


@pytest.mark.parametrize(
    ("qrels", "named"),
    [
        ("301 0 FT1\n", "qrels.txt:1: a line must be"),
        ("301 0 FT1 high\n", "integer as grade"),
        ("", "at least one line"),
        ("7 0 FT1 1\n", "none such as '301'"),
    ],
)
def test_qrels_that_do_not_fit_are_named(tmp_path: Path, qrels: str, named: str) -> None:
    folder = written(tmp_path / "t", topics=OLD_TOPICS, qrels=qrels)
    with pytest.raises(InvalidInput, match=named):
        read_questions(folder / "topics.txt", qrels=folder / "qrels.txt")


def test_a_folder_without_the_files_of_a_format_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "t", topics=OLD_TOPICS)
    with pytest.raises(InvalidInput, match="must be one of BEIR or TREC"):
        read_questions(folder)
    with pytest.raises(InvalidInput, match="whose name contains 'qrels'"):
        read_questions(folder, format_name="trec")


@pytest.fixture
def data_set(tmp_path: Path) -> Iterator[str]:
    """Name of a data set that ir-datasets has on this machine alone."""
    folder = written(
        tmp_path / "set",
        docs="d1\tHalvik is a town.\nd2\tOld Port is a port.\nd3\t \n",
        queries="q1\tWhich town?\nq2\tWhich port?\n",
        qrels="q1 0 d1 1\nq1 0 d2 0\nq2 0 d2 2\n",
    )
    files = [str(folder / f"{name}.txt") for name in ("docs", "queries", "qrels")]
    ir_datasets.registry.register("tetragraph-test", ir_datasets.create_dataset(*files))
    yield "ir-datasets:tetragraph-test"
    del ir_datasets.registry._registered["tetragraph-test"]


def test_a_data_set_has_questions_and_documents_with_its_ids(data_set: str) -> None:
    assert read_questions(data_set) == WANTED
    first, second, third = read_documents([data_set])
    assert isinstance(first, Document)
    assert (first.id, first.text, first.source) == ("d1", "Halvik is a town.", f"{data_set}/d1")
    assert isinstance(second, Document)
    assert isinstance(third, Unreadable)
    assert count_documents(data_set) is None


@pytest.mark.parametrize("read", [read_questions, lambda name: list(read_documents(name))])
def test_an_unknown_data_set_is_refused(read: object) -> None:
    assert callable(read)
    with pytest.raises(InvalidInput, match="must be one of ir-datasets, such as"):
        read("ir-datasets:no-such-set")


def test_a_data_set_without_queries_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path / "s", docs="d1\tText.\n") / "docs.txt"
    ir_datasets.registry.register("tetragraph-docs", ir_datasets.create_dataset(str(file)))
    with pytest.raises(InvalidInput, match="must have queries"):
        read_questions("ir-datasets:tetragraph-docs")
    del ir_datasets.registry._registered["tetragraph-docs"]


def test_documents_of_a_data_set_are_not_pruned(data_set: str) -> None:
    with pytest.raises(InvalidInput, match="got the data set"):
        find_places([data_set])
