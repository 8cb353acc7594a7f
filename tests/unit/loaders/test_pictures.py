"""Pictures: their text by the real models, or the reason why they have none."""

from __future__ import annotations

import importlib.util
import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest

import watched_network
from scans import draw, need_ocr
from tetragraph.errors import InvalidInput
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import ReadingOptions
from tetragraph_loaders import archive, picture, recognition

FEES = ("Harbour fees rise", "next May 2031.")
NOTE = "the text of 1 page was recognised, and may have errors"
PROBE = """
import sys
from pathlib import Path
from tetragraph_loaders import picture
for path in sys.argv[1:]:
    for found in picture.load(Path(path), id_prefix="a.png"):
        print(getattr(found, "text", "refused"))
"""


def only(path: Path, options: ReadingOptions | None = None) -> Document | Unreadable:
    (found,) = picture.load(path, id_prefix="d/a", **({"options": options} if options else {}))
    return found


def refusal(path: Path) -> str:
    found = only(path)
    assert isinstance(found, Unreadable)
    return found.reason


def text(path: Path) -> str:
    found = only(path)
    assert isinstance(found, Document), found
    return found.text


def forbid_recognition(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise AssertionError("the models are loaded")

    monkeypatch.setattr(recognition, "_load_engine", fail)


def png_header(width: int, height: int) -> bytes:
    """The beginning of a PNG, as far as its size."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header)) + b"\0\0\0\0IDAT"
    )


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp"])
def test_a_picture_is_a_document_with_the_text_that_is_recognised_in_it(tmp_path: Path, suffix: str) -> None:
    need_ocr()
    draw(*FEES).save(file := tmp_path / f"my_fees{suffix}")
    document = only(file)
    assert isinstance(document, Document)
    assert (document.id, document.title, document.source) == ("d/a", "my fees", "d/a")
    assert document.text.replace("\n\n", "\n") == "\n".join(FEES)
    assert (document.notes, document.pages, document.named_by_file) == ((NOTE,), (), True)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_the_colours_of_a_picture_do_not_matter(tmp_path: Path, mode: str) -> None:
    need_ocr()
    drawn = draw(*FEES)
    pixels = (
        drawn.convert("L").point(lambda value: 20_000 + value * 100, "I").convert("I;16") if mode == "I;16" else None
    )
    (pixels or drawn.convert(mode)).save(file := tmp_path / ("a.jpg" if mode == "CMYK" else "a.png"))
    assert text(file).split() == " ".join(FEES).split()


@pytest.mark.parametrize("colour", ["black", "white"])
def test_writing_on_a_transparent_ground_is_seen(tmp_path: Path, colour: str) -> None:
    need_ocr()
    from PIL import Image, ImageOps

    writing = ImageOps.invert(draw(*FEES).convert("L"))
    drawn = Image.new("RGBA", writing.size, colour)
    drawn.putalpha(writing)
    drawn.save(tmp_path / "a.png")
    assert text(tmp_path / "a.png").split() == " ".join(FEES).split()


def test_a_photo_is_read_the_way_its_camera_was_held(tmp_path: Path) -> None:
    need_ocr()
    drawn = draw(*FEES).rotate(90, expand=True)
    orientation = drawn.getexif()
    orientation[0x0112] = 6  # to be turned clockwise by 90 degrees
    drawn.save(tmp_path / "a.jpg", exif=orientation)
    assert text(tmp_path / "a.jpg").split() == " ".join(FEES).split()


def test_the_pages_of_a_tiff_are_pages(tmp_path: Path) -> None:
    need_ocr()
    pages = [draw("The first page"), draw(), draw("The third page")]
    pages[0].save(tmp_path / "a.tif", save_all=True, append_images=pages[1:])
    document = only(tmp_path / "a.tif")
    assert isinstance(document, Document)
    assert document.text == "The first page\n\nThe third page"
    assert [(page.start, page.number) for page in document.pages] == [(0, 1), (16, 3)]
    assert document.notes == ("the text of 2 pages was recognised, and may have errors",)


def test_of_an_animation_the_first_image_is_read(tmp_path: Path) -> None:
    need_ocr()
    draw(*FEES).save(tmp_path / "a.webp", save_all=True, append_images=[draw("Later"), draw("Last")])
    found = only(tmp_path / "a.webp")
    assert isinstance(found, Document)
    assert (found.text.split(), found.pages) == (" ".join(FEES).split(), ())


def test_a_tiff_without_its_pages_is_refused(tmp_path: Path) -> None:
    need_ocr()
    draw(*FEES).save(whole := tmp_path / "whole.tif", save_all=True, append_images=[draw("Two")])
    content = bytearray(whole.read_bytes())
    start = struct.unpack_from("<I", content, 4)[0]
    entries = struct.unpack_from("<H", content, start)[0]
    struct.pack_into("<I", content, start + 2 + 12 * entries, len(content) + 99)
    (tmp_path / "a.tif").write_bytes(content)
    assert refusal(tmp_path / "a.tif").startswith("the picture cannot be read: ")


def test_pages_beyond_the_largest_number_are_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_ocr()
    monkeypatch.setattr(recognition, "MAX_PAGES", 1)
    pages = [draw("The first page"), draw("The second"), draw("The third")]
    pages[0].save(tmp_path / "a.tif", save_all=True, append_images=pages[1:])
    document = only(tmp_path / "a.tif")
    assert isinstance(document, Document)
    assert document.text == "The first page"
    assert document.notes == (
        NOTE, "page 2 and 1 more could not be recognised: of a file 1 pages are recognised; split it",
    )  # fmt: skip


@pytest.mark.parametrize("size", [(1, 1), (16, 16), (64, 64), (600, 400)])
def test_icons_and_empty_pictures_cost_no_recognition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    need_ocr()
    forbid_recognition(monkeypatch)
    drawn = draw(size=size)
    if size[0] < 100:
        drawn.putpixel((0, 0), (0, 0, 0))
    drawn.save(tmp_path / "a.png")
    assert refusal(tmp_path / "a.png") == "no text was recognised in the picture"


def test_a_picture_without_words_has_no_text(tmp_path: Path) -> None:
    need_ocr()
    from PIL import ImageDraw

    drawn = draw()
    ImageDraw.Draw(drawn).rectangle((100, 100, 400, 200), "navy")
    drawn.save(tmp_path / "a.png")
    assert refusal(tmp_path / "a.png") == "no text was recognised in the picture"


@pytest.mark.parametrize("side", [9_000, 10_000, 60_000])
def test_a_picture_that_unpacks_to_many_pixels_is_refused_by_its_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: int
) -> None:
    need_ocr()
    forbid_recognition(monkeypatch)
    (tmp_path / "a.png").write_bytes(png_header(side, side))
    assert refusal(tmp_path / "a.png") == "a picture may have 80,000,000 pixels, this one has more; save a smaller copy"


def test_damaged_pictures_and_other_formats_are_refused(tmp_path: Path) -> None:
    need_ocr()
    draw(*FEES).save(whole := tmp_path / "whole.png")
    draw(*FEES).save(other := tmp_path / "other.gif")
    for name, content in (
        ("cut.png", whole.read_bytes()[:900]),
        ("header.png", png_header(700, 700)),
        ("gif.png", other.read_bytes()),
        ("script.png", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 400 400\n"),
        ("empty.png", b""),
    ):
        (tmp_path / name).write_bytes(content)
        reason = refusal(tmp_path / name)
        assert reason.startswith("the picture cannot be read: "), (name, reason)
        assert reason.endswith("; open and save it again, or leave it out")
        assert "0x" not in reason
        assert str(tmp_path) not in reason


def test_a_fault_of_the_models_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_ocr()

    def fail(pixels: object) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr(recognition, "_load_engine", lambda: fail)
    draw("A page that no other test has").save(tmp_path / "a.png")
    assert refusal(tmp_path / "a.png") == "text recognition failed: no memory"


def test_a_package_without_its_models_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_ocr()
    recognition._load_engine.cache_clear()
    monkeypatch.setattr(recognition, "_models_folder", lambda: tmp_path)
    draw("Another page that no other test has").save(tmp_path / "a.png")
    assert refusal(tmp_path / "a.png").startswith("text recognition needs the model PP-OCRv6_det_small.onnx: pip ins")


def test_a_picture_that_is_read_again_is_recognised_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_ocr()
    draw(*FEES).save(tmp_path / "a.png")
    first = text(tmp_path / "a.png")
    forbid_recognition(monkeypatch)
    assert text(tmp_path / "a.png") == first


@pytest.mark.parametrize("hidden", ["rapidocr", "onnxruntime"])
def test_without_the_extra_a_picture_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    monkeypatch.setitem(sys.modules, hidden, None)
    (tmp_path / "a.PNG").write_bytes(png_header(600, 400))
    assert refusal(tmp_path / "a.PNG") == (
        "files that end in .png have no text; read the words of a picture by text recognition first: "
        "pip install 'tetragraph[ocr]', or in a checkout pip install '.[ocr]'"
    )


def test_pictures_are_not_read_where_recognition_is_off(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png_header(600, 400))
    found = only(tmp_path / "a.png", ReadingOptions(ocr="off"))
    assert found == Unreadable("d/a", "pictures are not read with --ocr off")


def test_pictures_of_an_archive_that_are_refused_alike_are_one_entry(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        for name in ("a.png", "b/c.png", "note.txt"):
            packed.writestr(name, "Ferries")
    note, pictures = archive.load(tmp_path / "a.zip", id_prefix="d/a.zip", options=ReadingOptions(ocr="off"))
    assert isinstance(note, Document)
    assert pictures == Unreadable("d/a.zip/a.png and 1 more", "pictures are not read with --ocr off")


def test_recognition_is_automatic_or_off() -> None:
    with pytest.raises(InvalidInput, match="ocr must be auto or off, got 'on'"):
        ReadingOptions(ocr="on")  # type: ignore[arg-type]  # what is refused


def test_recognition_prints_nothing_and_leaves_no_file(tmp_path: Path) -> None:
    need_ocr()
    draw(*FEES).save(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes(png_header(10_000, 10_000))
    (home := tmp_path / "home").mkdir()
    kept = _models()
    variables = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home), "TMPDIR": str(home)}
    ended = subprocess.run(
        [sys.executable, "-c", PROBE, str(tmp_path / "a.png"), str(tmp_path / "b.png")],
        cwd=home, env=variables, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ended.stdout.split() == [*" ".join(FEES).split(), "refused"]
    assert ended.stderr == ""
    assert list(home.iterdir()) == []
    assert _models() == kept


def test_recognition_looks_up_no_name_and_sends_nothing(tmp_path: Path) -> None:
    need_ocr()
    if not watched_network.has_namespaces():
        pytest.skip("needs Linux with namespaces of users and the command ip")
    draw(*FEES).save(tmp_path / "a.png")
    record = tmp_path / "record.json"
    commands = json.dumps([[sys.executable, "-c", PROBE, str(tmp_path / "a.png")]])
    watch = [*watched_network.NAMESPACE, sys.executable, watched_network.__file__, str(record), commands]
    subprocess.run(watch, check=True)
    found = json.loads(record.read_text(encoding="utf-8"))
    assert found["outputs"][0].split() == " ".join(FEES).split()
    assert (found["names"], found["addresses"]) == ([], [])


def _models() -> list[tuple[str, int]]:
    spec = importlib.util.find_spec("rapidocr")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    return sorted((str(file), file.stat().st_mtime_ns) for file in folder.rglob("*") if "__pycache__" not in file.parts)


def test_neither_the_package_nor_the_loaders_load_the_models(tmp_path: Path) -> None:
    heavy = ("rapidocr", "cv2", "PIL", "onnxruntime", "omegaconf")
    imports = "import sys, tetragraph, tetragraph_loaders.picture, tetragraph_loaders.office"
    code = f"{imports}\nprint([name for name in {heavy} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert ended.stdout.strip() == "[]"
