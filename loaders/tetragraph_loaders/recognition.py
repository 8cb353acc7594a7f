"""Text of pictures, recognised on this machine by the models that the package rapidocr carries.

Nothing is fetched: the files of the models are named, so that the package looks for no others, and the language of a
page need not be known. Pages are expected upright. Needs the extra ``ocr``.
"""

from __future__ import annotations

import hashlib
import io
import struct
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from tetragraph.errors import UnreadableDocument
from tetragraph.host.optional_imports import install_command
from tetragraph.host.processors import count_processors
from tetragraph.host.recent_values import RecentValues
from tetragraph_loaders.reading_order import Box, compose

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

WAY_OUT = f"text recognition first: {install_command('ocr')}"
"""Step before the reading of a file without text, where the extra is not installed."""
MAX_PAGES = 1_000
"""Largest number of pages of a file that are recognised."""
MAX_SIDE = 2_000
"""Longest side in pixels in which a picture is recognised: that of a sheet of A4 with 171 dots an inch."""
_AT_ONCE = 4
"""Largest number of pages that are recognised at the same time."""
_MAX_PIXELS = 80_000_000
"""Largest picture that is decoded, by its header: 240 MB."""
_MIN_PIXELS = 64 * 64
"""Smallest picture that is recognised; smaller ones are icons."""
_FORMATS = ("BMP", "JPEG", "PNG", "TIFF", "WEBP")
_FAULTS = (
    OSError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    RuntimeError,
    EOFError,
    SyntaxError,
    struct.error,
)
"""Errors of Pillow for files that are damaged."""
_MODELS = {"Det.model_path": "PP-OCRv6_det_small.onnx", "Rec.model_path": "PP-OCRv6_rec_small.onnx"}
_OPTIONS = {
    "Global.log_level": "critical",
    "Global.use_cls": False,  # it turns long lines upside down that are not
    "Det.limit_type": "max",  # otherwise a narrow picture is enlarged without limit
    "Det.limit_side_len": MAX_SIDE,
    "Rec.rec_batch_num": 1,  # so that a line does not depend on others
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,  # several pages at once, not several threads for one
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}
_ENGINE_FAULTS = (
    ("cv2", "error"),
    ("rapidocr.inference_engine.onnxruntime.main", "ONNXRuntimeError"),
    ("rapidocr.utils.process_img", "ResizeImgError"),
)
_WHITE = 255
_LIGHT = 192
"""Mean brightness above which writing is light."""
_recent: RecentValues[bytes, str] = RecentValues(1_000)
"""Text of pictures by their hash, as a file may be read twice by one command."""
_loading = Lock()


def is_installed() -> bool:
    """Whether text can be recognised here."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def recognise_each(pictures: Iterable[Callable[[], Image]]) -> Iterator[str | UnreadableDocument]:
    """Yield the text of each picture, in lines from top to bottom, or the reason why there is none.

    Args:
        pictures: Functions that open a picture; of the pictures beyond ``MAX_PAGES`` none is opened.
    """
    begun: deque[Future[str]] = deque()
    for number, open_one in enumerate(pictures):
        begun.append(_begin(open_one if number < MAX_PAGES else _refuse))
        if len(begun) > _AT_ONCE:
            yield _result(begun.popleft())
    while begun:
        yield _result(begun.popleft())


def recognise_pages(pages: Mapping[int, Callable[[], Image]]) -> tuple[dict[int, str], dict[str, list[int]]]:
    """Recognise the text of the pages of a file.

    Args:
        pages: Functions that open a page as a picture, by its number, as for :func:`recognise_each`.

    Returns:
        The text of each page that could be recognised, which may be empty, and the numbers of the others by the reason.
    """
    texts: dict[int, str] = {}
    failed: dict[str, list[int]] = {}
    for number, text in zip(pages, recognise_each(pages.values()), strict=True):
        if isinstance(text, UnreadableDocument):
            failed.setdefault(str(text), []).append(number)
        else:
            texts[number] = text
    return texts, failed


def _refuse() -> Image:
    raise UnreadableDocument(f"of a file {MAX_PAGES:,} pages are recognised; split it")


def _begin(open_one: Callable[[], Image]) -> Future[str]:
    """Open a picture here, as pages of a file share its place, and have its text recognised by another thread."""
    try:
        pixels = _prepare(open_one())
    except UnreadableDocument as error:
        failed: Future[str] = Future()
        failed.set_exception(error)
        return failed
    return _pool().submit(_recognise, pixels)


def _result(future: Future[str]) -> str | UnreadableDocument:
    try:
        return future.result()
    except UnreadableDocument as error:
        return error


@cache
def _pool() -> ThreadPoolExecutor:
    """Threads that recognise, for the whole process, as each page takes about 1 GB."""
    return ThreadPoolExecutor(min(count_processors(), _AT_ONCE), thread_name_prefix="recognition")


def open_picture(source: Path | bytes) -> Image:
    """Open a picture without decoding it.

    Raises:
        UnreadableDocument: the file is no picture of a known format, or damaged.
    """
    from PIL import Image

    warnings.filterwarnings("ignore", module=r"PIL\.")  # about damage that it can read past, and sizes refused below
    try:
        return Image.open(io.BytesIO(source) if isinstance(source, bytes) else source, formats=_FORMATS)
    except Image.DecompressionBombError as error:
        raise UnreadableDocument(_describe_size()) from error
    except _FAULTS as error:
        raise UnreadableDocument(_describe(error)) from error


def count_pages(picture: Image) -> int:
    """Number of pages of a picture; the images of an animation are one.

    Raises:
        UnreadableDocument: the file is damaged.
    """
    try:
        return int(getattr(picture, "n_frames", 1)) if picture.format == "TIFF" else 1
    except _FAULTS as error:
        raise UnreadableDocument(_describe(error)) from error


def go_to_page(picture: Image, number: int) -> None:
    """Go to a page of a picture, from 0.

    Raises:
        UnreadableDocument: the file is damaged.
    """
    try:
        picture.seek(number)
    except _FAULTS as error:
        raise UnreadableDocument(_describe(error)) from error


def _prepare(picture: Image) -> NDArray[np.uint8] | None:
    """The pixels of a picture; None where it is too small for text.

    Raises:
        UnreadableDocument: the picture is too large or damaged.
    """
    width, height = picture.size
    if width * height <= _MIN_PIXELS:
        return None
    if width * height > _MAX_PIXELS:
        raise UnreadableDocument(_describe_size())
    try:
        return _decode(picture)
    except _FAULTS as error:
        raise UnreadableDocument(_describe(error)) from error


def _recognise(pixels: NDArray[np.uint8] | None) -> str:
    """The text of a picture; empty if it has none.

    Raises:
        UnreadableDocument: recognition failed.
    """
    if pixels is None or pixels.min() == pixels.max():
        return ""
    key = hashlib.sha256(str(pixels.shape).encode() + pixels.tobytes()).digest()
    if (known := _recent.get(key)) is None:
        known = _read(pixels)
        _recent.put(key, known)
    return known


def _read(pixels: NDArray[np.uint8]) -> str:
    with _loading:
        engine = _load_engine()
    faults = _engine_faults()
    try:
        found = engine(pixels)
    except faults as error:
        raise UnreadableDocument(f"text recognition failed: {error}"[:300]) from error
    if not found.txts:
        return ""
    corners = np.asarray(found.boxes, dtype=np.float64)
    edges = np.hstack([corners.min(axis=1), corners.max(axis=1)]).tolist()
    return compose([Box(text.strip(), *edge) for text, edge in zip(found.txts, edges, strict=True)])


@cache
def _load_engine() -> Any:
    """The engine, once for a process; threads may share it.

    Raises:
        UnreadableDocument: the package lacks the models.
    """
    from rapidocr import RapidOCR

    files = {key: _models_folder() / name for key, name in _MODELS.items()}
    if missing := [file.name for file in files.values() if not file.is_file()]:
        raise UnreadableDocument(f"text recognition needs the model {missing[0]}: {install_command('ocr')}")
    return RapidOCR(params={**_OPTIONS, **{key: str(file) for key, file in files.items()}})


def _models_folder() -> Path:
    spec = find_spec("rapidocr")
    return Path(spec.origin if spec and spec.origin else "").parent / "models"


def _engine_faults() -> tuple[type[Exception], ...]:
    """Errors of the engine for a picture; its own derive from `Exception` alone."""
    own = [getattr(sys.modules.get(module), name, RuntimeError) for module, name in _ENGINE_FAULTS]
    return (*own, RuntimeError, ValueError, ArithmeticError, LookupError)


def _decode(picture: Image) -> NDArray[np.uint8]:
    """``(height, width, 3)`` pixels in the order blue, green, red, upright, within the largest size."""
    from PIL import Image, ImageOps

    picture.draft("RGB", (MAX_SIDE, MAX_SIDE))
    upright = ImageOps.exif_transpose(picture)
    plain = _on_white(upright) if upright.has_transparency_data else _to_eight_bits(upright).convert("RGB")
    plain.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    return np.ascontiguousarray(np.asarray(plain)[:, :, ::-1])


def _to_eight_bits(picture: Image) -> Image:
    """The picture with 8 bits for each colour; Pillow cuts off what is brighter."""
    from PIL import Image

    if not picture.mode.startswith("I"):
        return picture
    values = np.asarray(picture)
    return Image.fromarray((values >> 8 if values.max() > _WHITE else values).astype(np.uint8))


def _on_white(picture: Image) -> Image:
    """The picture with its transparent parts filled by white, or by black where what is seen is light."""
    from PIL import Image, ImageStat

    layers = picture.convert("RGBA")
    seen = ImageStat.Stat(layers.convert("L"), mask=layers.getchannel("A").point([0] + [_WHITE] * _WHITE))
    is_light = bool(seen.count[0]) and seen.mean[0] > _LIGHT
    ground = Image.new("RGBA", layers.size, "black" if is_light else "white")
    return Image.alpha_composite(ground, layers).convert("RGB")


def _describe_size() -> str:
    return f"a picture may have {_MAX_PIXELS:,} pixels, this one has more; save a smaller copy"


def _describe(error: BaseException) -> str:
    from PIL import UnidentifiedImageError

    words = "its content is of another format" if isinstance(error, UnidentifiedImageError) else str(error)
    return f"the picture cannot be read: {words[:200]}; open and save it again, or leave it out"
