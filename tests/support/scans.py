"""Pictures of pages with lines of text, and PDFs of text or of such pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE = (850, 300)
"""Width and height of a picture in pixels."""


def need_ocr() -> None:
    """Skip a test where text cannot be recognised."""
    pytest.importorskip("rapidocr")
    pytest.importorskip("onnxruntime")


def draw(*lines: str, size: tuple[int, int] = SIZE) -> Image:
    """A white picture with lines of black text."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", size, "white")
    for number, line in enumerate(lines):
        ImageDraw.Draw(picture).text((40, 40 + 40 * number), line, "black", ImageFont.load_default(24))
    return picture


def write_scan(path: Path, pages: Sequence[Image], *, after: bool = False) -> Path:
    """Write a PDF whose pages are pictures, or append these to a PDF that is there."""
    pages[0].save(path, "PDF", resolution=100, save_all=True, append_images=pages[1:], append=after)
    return path


def write_pdf(path: Path, *pages: str, title: str = "") -> Path:
    """Write a PDF of pages with lines, and with a title in its metadata."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, words in enumerate(pages):
        lines = " ".join(f"({line}) Tj 0 -16 Td" for line in words.split("\n"))
        stream = f"BT /F1 12 Tf 72 720 Td {lines} ET"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    objects.append(f"<< /Title ({title}) >>")
    text = "%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(text))
        text += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer << /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\nstartxref\n{len(text)}\n%%EOF"
    path.write_bytes(f"{text}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode())
    return path
