"""Plain text, Markdown and HTML: one document for each file, with exact headings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.model import Document, Heading, Unreadable
from tetragraph_loaders import html, markdown, plain_text
from tetragraph_loaders.embedded_data import LEFT_OUT
from tetragraph_loaders.html_depth import limit_depth
from tetragraph_loaders.reading import load_one


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read_markdown(folder: Path, text: str) -> Document:
    (document,) = markdown.load(write(folder, "my_file.md", text), id_prefix="docs/my_file.md")
    assert isinstance(document, Document)
    return document


def read_html(folder: Path, text: str) -> Document:
    (document,) = html.load(write(folder, "my_page.html", text), id_prefix="docs/my_page.html")
    assert isinstance(document, Document)
    return document


def reason(folder: Path, content: bytes) -> str:
    (found,) = plain_text.load(write(folder, "a.txt", content), id_prefix="docs/a.txt")
    assert isinstance(found, Unreadable)
    assert found.source == "docs/a.txt"
    return found.reason


def test_a_text_file_is_one_document_titled_by_its_name(tmp_path: Path) -> None:
    path = write(tmp_path, "annual_report-2024.txt", "One.\n\nTwo.\n")
    expected = Document("d/a.txt", "annual report 2024", "One.\n\nTwo.\n", source="d/a.txt", named_by_file=True)
    assert list(plain_text.load(path, id_prefix="d/a.txt")) == [expected]


def test_a_byte_order_mark_is_accepted_and_line_ends_become_newlines(tmp_path: Path) -> None:
    (document,) = plain_text.load(write(tmp_path, "a.txt", b"\xef\xbb\xbfOne\r\nTwo \r\n"), id_prefix="a")
    assert isinstance(document, Document)
    assert document.text == "One\nTwo \n"


def test_binary_data_are_named_with_the_offset_of_the_nul(tmp_path: Path) -> None:
    assert "NUL byte at offset 2" in reason(tmp_path, b"ab\x00cd")


@pytest.mark.parametrize("content", [b"", b" \n\t ", b"\xef\xbb\xbf"])
def test_a_file_without_text_is_refused(tmp_path: Path, content: bytes) -> None:
    assert reason(tmp_path, content) == "a document must have text, this file has none; remove it"


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "x" * 11)
    (found,) = load_one(path, "a", lambda text: Document("a", "", text), max_bytes=10)
    assert found == Unreadable("a", "a text file may have 10 bytes, this one has more; split it")


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (found,) = plain_text.load(tmp_path, id_prefix="a")
    assert found == Unreadable("a", "the file cannot be read: Is a directory")


def test_markdown_headings_stand_where_their_lines_begin(tmp_path: Path) -> None:
    text = "Intro\n\n# The *first* `one`\n\nText\n\n   ## [Linked](x)\n\nSetext\n---\nEnd\n"
    document = read_markdown(tmp_path, text)
    assert document.text == text
    assert document.title == "The first one"
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "The first one"),
        (2, "Linked"),
        (2, "Setext"),
    ]
    lines = [text[heading.start :].split("\n", 1)[0] for heading in document.headings]
    assert lines == ["# The *first* `one`", "   ## [Linked](x)", "Setext"]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# Install {#install}", "Install"),
        ("# Install {#install .wide} #", "Install"),
        ("# Install {: #install}", "Install"),
        ("# The set {1, 2}", "The set {1, 2}"),
        ("# {#install}", "my file"),
    ],
)
def test_attributes_are_no_part_of_a_markdown_heading(tmp_path: Path, line: str, title: str) -> None:
    assert read_markdown(tmp_path, f"{line}\n\nText").title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('<h1 align="center">FastBoat</h1>\n\n## Use', "FastBoat"),
        ('\n<p align="center">\n  <H1><img src="x.png"> Fast &amp;\n<b>Boat</b></H1></p>\n', "Fast & Boat"),
        ("<h1>FastBoat</h1>\n\n# Ferries", "Ferries"),
        ("<h1> </h1>\n", "my file"),
        ("Text\n\n<h1>FastBoat</h1>\n", "my file"),
        (f"<h1>{'x' * 1001}</h1>\n", "my file"),
    ],
)
def test_a_title_of_markdown_in_html_is_read(tmp_path: Path, text: str, title: str) -> None:
    document = read_markdown(tmp_path, text)
    assert (document.title, document.text, document.named_by_file) == (title, text, title == "my file")


def test_marks_in_code_quotes_and_lists_are_no_headings(tmp_path: Path) -> None:
    document = read_markdown(tmp_path, "```\n# code\n```\n\n> # quote\n\n- # item\n\n#\n")
    assert document.headings == ()
    assert document.title == "my file"


@pytest.mark.parametrize("end", ["\r", "\r\n", "\r\r\n"])
def test_offsets_are_true_after_any_line_end(tmp_path: Path, end: str) -> None:
    document = read_markdown(tmp_path, f"a{end}b{end}{end}c\n\n# H\n")
    assert [document.text[heading.start :] for heading in document.headings] == ["# H\n"]


def test_front_matter_is_metadata_and_no_part_of_the_text(tmp_path: Path) -> None:
    lines = ["---", "title: 'The: Title'", "year: 2024", "score: 0.5", "draft: true", "tags: [a, b]", "deep:", "  x: 1"]
    document = read_markdown(tmp_path, "\n".join([*lines, "- item", "# note", "zip: 007", "---", "# H", "Text"]))
    assert document.title == "The: Title"
    assert document.metadata == {"year": 2024, "score": 0.5, "draft": True, "tags": ["a", "b"], "zip": "007"}
    assert document.text == "# H\nText"
    assert document.headings == (Heading(0, 1, "H"),)


@pytest.mark.parametrize("text", ["---\nA sentence here\n---\nText", "---\nkey: value\nno end", "--- \n\n***"])
def test_a_line_at_the_top_is_not_taken_for_front_matter(tmp_path: Path, text: str) -> None:
    assert read_markdown(tmp_path, text).text == text


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        ("tags: [sea, 'a, b', 2024]", ["sea", "a, b", "2024"]),
        ("tags: []", []),
        ("tags:\n  - sea\n  - 'a, b'\n", ["sea", "a, b"]),
        ("tags:\n- sea\nyear: 2024", ["sea"]),
        ("tags: [[sea], [land]]", None),
        ("tags:\n  sea: 1\n", None),
        ("tags:\n  - [sea]\n", None),
        ("tags:\n  - name: sea\n", None),
    ],
)
def test_a_list_in_front_matter_is_a_list_of_texts(tmp_path: Path, lines: str, tags: list[str] | None) -> None:
    assert read_markdown(tmp_path, f"---\n{lines}\n---\nText").metadata.get("tags") == tags


@pytest.mark.parametrize(
    ("text", "is_named"),
    [("Text", True), ("## Part\n\nText", True), ("# Bees\n\nText", False), ("---\ntitle: Bees\n---\nText", False)],
)
def test_markdown_without_a_title_is_named_by_its_file(tmp_path: Path, text: str, is_named: bool) -> None:
    assert read_markdown(tmp_path, text).named_by_file is is_named


def test_pictures_in_base64_are_left_out_of_markdown_with_a_note(tmp_path: Path) -> None:
    data = f"data:image/png;base64,{'iVBOR/+=' * 30}"
    document = read_markdown(tmp_path, f"![Map]({data})\n\n# Bees\n\n[image1]: <{data}>\n")
    assert document.text == "![Map](data:…)\n\n# Bees\n\n[image1]: <data:…>\n"
    assert [document.text[heading.start :][:6] for heading in document.headings] == ["# Bees"]
    assert document.notes == (LEFT_OUT,)
    short = "![Dot](data:image/gif;base64,R0lGODlhAQABAAAAACw=)"
    assert (read_markdown(tmp_path, short).text, read_markdown(tmp_path, short).notes) == (short, ())


def test_html_blocks_become_paragraphs(tmp_path: Path) -> None:
    page = "<p>One <b>bold</b>\n word</p>tail<ul><li>a<li>b</ul><div>x<br>y</div><p>&auml; &amp;"
    assert read_html(tmp_path, page).text == "One bold word\n\ntail\n\na\n\nb\n\nx\ny\n\nä &"


def test_preformatted_lines_of_html_keep_their_blanks(tmp_path: Path) -> None:
    code = "\n<b>def</b> f(): \n\n    return\t<i>1</i><br>  # end\n"
    document = read_html(tmp_path, f"<p>One\n  two<pre>{code}<h2>A\n b</h2> <div>  c\n  d</div></pre>e\n  f")
    assert document.text == "One two\n\ndef f():\n\n    return\t1\n  # end\n\nA b\n\n  c\n  d\n\ne f"
    assert document.text[document.headings[0].start :].startswith("A b")
    assert read_html(tmp_path, "<pre>a</pre><pre> \n </pre>b").text == "a\n\nb"


def test_html_scripts_styles_navigation_and_footers_are_left_out(tmp_path: Path) -> None:
    page = "<body><nav>n</nav><script>s</script><style>s</style><!-- c --><p>Text</p><footer><p>f</p></footer></body>"
    assert read_html(tmp_path, page).text == "Text"


def test_html_headings_have_offsets_into_the_extracted_text(tmp_path: Path) -> None:
    document = read_html(tmp_path, "<title> My\n page </title><p>Intro</p><h2>A<br> <i>b</i></h2><p>Text</p><h3> </h3>")
    assert document.title == "My page"
    assert document.text == "Intro\n\nA\nb\n\nText"
    assert document.headings == (Heading(7, 2, "A b"),)


def test_html_without_a_title_has_that_of_its_first_heading_or_its_name(tmp_path: Path) -> None:
    assert read_html(tmp_path, "<p>x<h1>Head</h1>").title == "Head"
    assert read_html(tmp_path, "<p>x").title == "my page"
    assert [read_html(tmp_path, page).named_by_file for page in ("<p>x<h1>Head</h1>", "<p>x")] == [False, True]


def test_html_may_nest_deeper_than_python_recurses(tmp_path: Path) -> None:
    assert read_html(tmp_path, "<div>" * 5000 + "deep").text == "deep"


def test_html_that_nests_without_end_keeps_its_words(tmp_path: Path) -> None:
    page = "<div>" * 100_000 + "<h1>Deep</h1>" + "</div>" * 100_000 + "<p>after"
    assert read_html(tmp_path, page).text == "Deep\n\nafter"


def test_tags_that_are_never_closed_are_not_opened_again_in_every_paragraph(tmp_path: Path) -> None:
    page = "".join(f"<b id={number}>" for number in range(2_000)) + "<p>word" * 2_000
    assert read_html(tmp_path, page).text == "\n\n".join(["word"] * 2_000)


def test_a_page_within_the_limits_is_parsed_as_it_is() -> None:
    page = "<table>" + "<tr><td><div><b>x</b></div>" * 600 + "</table>" + "<ul>" + "<li><p>y" * 600 + "</ul>"
    page += "<script>" + "'<div>'" * 600 + "</script><!--" + "<div>" * 600 + "--><h1>Title</h1>"
    assert limit_depth(page) == page


@pytest.mark.parametrize("value", ["", "=1", "='>'", '= "<b>"', "/"])
def test_attributes_beyond_the_limit_are_left_out(tmp_path: Path, value: str) -> None:
    kept, rest = (" ".join(f"a{n}{value}" for n in numbers) for numbers in (range(256), range(256, 200_000)))
    assert limit_depth(f"<p {kept} {rest}>One <b>two</b>") == f"<p {kept}>One <b>two</b>"
    assert read_html(tmp_path, f"<div><p {kept} {rest}>One <b>two</b></div><p>three").text == "One two\n\nthree"


def test_attributes_of_repeated_bodies_are_left_out(tmp_path: Path) -> None:
    page = limit_depth("<body a=1>" + "".join(f"<BODY a{n}=1><p>{n}" for n in range(50_000)))
    assert (page.count("<BODY a"), page.count("<BODY><p>")) == (31, 49_969)
    assert read_html(tmp_path, page).text.endswith("49999")


def test_a_page_with_one_main_part_is_read_from_that_alone(tmp_path: Path) -> None:
    page = "<header><p>Site</p></header><div>menu</div><div role=main><h1>A</h1><aside>Note</aside>Text</div><p>end"
    assert read_html(tmp_path, page).text == "A\n\nNote\n\nText"
    assert read_html(tmp_path, "<main> </main><p>Text").text == "Text"
    assert read_html(tmp_path, "<main>One</main><main>Two</main>").text == "One\n\nTwo"


@pytest.mark.parametrize(
    "mark", ["<a class=headerlink href='#use'>¶</a>", "<span class=mw-editsection>[<a href='/edit'>edit</a>]</span>"]
)
def test_marks_of_the_site_are_no_part_of_a_heading(tmp_path: Path, mark: str) -> None:
    text = "<p>" + "The ferry leaves the harbour at nine in the morning, and is back with the tide. " * 20
    for words in ("<p>Text", text):  # a short page is read whole, of a long one the main text
        document = read_html(tmp_path, f"<article><h1>Ferries{mark}</h1><h2>Use{mark}</h2>{words}</article>")
        assert [heading.title for heading in document.headings] == ["Ferries", "Use"]
        assert document.text.startswith("Ferries\n\nUse\n\nT")


@pytest.mark.parametrize(
    "furniture",
    [
        "<div role=navigation>x</div>",
        "<div class='related wide'>x</div>",
        "<div class=sphinxsidebar>x</div>",
        "<table class=navheader><tr><td>x</table>",
        "<aside>x</aside>",
        "<div class=sidebar>x</div>",
        "<div role=search>x</div>",
        "<header>x</header>",
    ],
)
def test_what_stands_around_the_words_of_a_page_is_left_out(tmp_path: Path, furniture: str) -> None:
    assert read_html(tmp_path, f"{furniture}<p>Text</p>").text == "Text"


def test_a_header_stays_where_it_holds_the_title_of_the_page_or_belongs_to_an_article(tmp_path: Path) -> None:
    assert read_html(tmp_path, "<header><h1>A</h1></header><p>Text").text == "A\n\nText"
    assert read_html(tmp_path, "<article><header>By B</header><p>Text</article>").text == "By B\n\nText"


@pytest.mark.parametrize(
    ("title", "heading", "expected"),
    [
        ("hmac — Hashing — Python 3.11 documentation", "hmac — Hashing<a class=headerlink>¶</a>", "hmac — Hashing"),
        ("Ferries | Harbour", "Ferries", "Ferries"),
        ("Ferries and Harbours", "Ferries", "Ferries and Harbours"),
        ("Ferry-boats", "Ferry", "Ferry-boats"),
        ("Harbour | Ferries", "Ferries", "Harbour | Ferries"),
    ],
)
def test_the_name_of_the_site_is_no_part_of_a_title(tmp_path: Path, title: str, heading: str, expected: str) -> None:
    assert read_html(tmp_path, f"<title>{title}</title><h1>{heading}</h1><p>Text").title == expected


def test_a_title_too_long_for_one_is_passed_over(tmp_path: Path) -> None:
    assert read_html(tmp_path, f"<title>{'x' * 1001}</title><h1>A</h1><p>Text").title == "A"
    assert read_html(tmp_path, f"<h1>{'x' * 1001}</h1><h2>A</h2>").headings == (Heading(1003, 2, "A"),)
    assert read_markdown(tmp_path, f"{'x' * 1001}\n---\n\n# A\n").headings == (Heading(1007, 1, "A"),)


def test_html_without_text_is_refused(tmp_path: Path) -> None:
    (found,) = html.load(write(tmp_path, "a.html", "<html><script>x</script></html>"), id_prefix="a")
    assert isinstance(found, Unreadable)
