"""A model's file is put together from wheels that pip fetches, here from a folder."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput, LocalModelError, MissingDependency
from tetragraph.llm.local import MODELS, Model, fetch, find_model
from tetragraph.llm.local.models import Part
from tetragraph.settings import Settings

CONTENT = (b"the first half, " * 40, b"and the second. " * 50)
WHOLE = b"".join(CONTENT)
PARTS = tuple(Part(f"part-of-nothing{n}", "1.0", f"part_of_nothing{n}/data/part.bin") for n in (1, 2))
MODEL = Model("tiny", "nothing at all", len(WHOLE), hashlib.sha256(WHOLE).hexdigest(), PARTS)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of pip's index."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def publish(index: Path) -> Callable[[int], Path]:
    """Puts the wheel of a part into the index."""

    def publish(place: int, content: bytes | None = None) -> Path:
        part = PARTS[place]
        name = part.package.replace("-", "_")
        about = f"{name}-{part.version}.dist-info"
        wheel = index / f"{name}-{part.version}-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as written:
            written.writestr(part.member, CONTENT[place] if content is None else content)
            written.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {part.package}\nVersion: 1.0\n")
            written.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            written.writestr(f"{about}/RECORD", "")
        return wheel

    return publish


def test_the_parts_are_put_together_in_order_and_nothing_else_stays(
    settings: Settings, publish: Callable[[int], Path]
) -> None:
    publish(0), publish(1)
    file = fetch(settings, MODEL)
    assert file.read_bytes() == WHOLE
    assert sorted(found.name for found in file.parent.iterdir()) == ["tiny.gguf", "tiny.lock"]


def test_a_fetch_that_was_broken_off_goes_on_with_the_parts_it_has(
    settings: Settings, publish: Callable[[int], Path]
) -> None:
    first = publish(0)
    with pytest.raises(LocalModelError, match=r"pip must fetch part-of-nothing2==1\.0.*parts that came are kept"):
        fetch(settings, MODEL)
    first.unlink()  # it cannot be fetched a second time
    publish(1)
    models = settings.cache / "models"
    (models / "tiny.parts" / "arriving").mkdir(exist_ok=True)
    (models / "tiny.parts" / "arriving" / "half.whl").write_bytes(b"half")
    (models / "tiny.gguf.part").write_bytes(WHOLE[:7])
    assert fetch(settings, MODEL).read_bytes() == WHOLE


def test_other_bytes_are_not_taken_for_the_model(settings: Settings, publish: Callable[..., Path]) -> None:
    publish(0), publish(1, b"and something else")
    with pytest.raises(LocalModelError, match=rf"SHA-256 {MODEL.sha256[:12]}….*fetch again"):
        fetch(settings, MODEL)
    assert [found.name for found in (settings.cache / "models").iterdir()] == ["tiny.lock"]
    publish(1)
    assert fetch(settings, MODEL).read_bytes() == WHOLE


def test_a_wheel_without_the_part_is_removed_and_the_others_stay(
    settings: Settings, publish: Callable[[int], Path]
) -> None:
    publish(0), publish(1)
    parts = (PARTS[0], replace(PARTS[1], member="elsewhere.bin"))
    with pytest.raises(LocalModelError, match=r"must hold elsewhere\.bin"):
        fetch(settings, replace(MODEL, parts=parts))
    assert [found.name for found in (settings.cache / "models" / "tiny.parts").iterdir()] == [
        "part-of-nothing1-1.0.whl"
    ]


def test_a_complete_file_is_verified_again_and_made_anew_where_it_was_changed(
    settings: Settings, publish: Callable[[int], Path]
) -> None:
    wheels = [publish(0), publish(1)]
    file = fetch(settings, MODEL)
    for wheel in wheels:
        wheel.unlink()
    assert fetch(settings, MODEL) == file
    file.write_bytes(WHOLE[::-1])
    publish(0), publish(1)
    assert fetch(settings, MODEL).read_bytes() == WHOLE


def test_nothing_is_fetched_that_the_disk_has_no_room_for(settings: Settings, index: Path) -> None:
    with pytest.raises(LocalModelError, match=r"needs \d+ MB of free disk, .* has \d+ MB"):
        fetch(settings, replace(MODEL, size=10**15))


def test_a_cache_that_cannot_be_made_is_told_with_what_to_set(settings: Settings, tmp_path: Path) -> None:
    settings.cache.write_text("a file where the folder should be")
    with pytest.raises(LocalModelError, match="set TETRAGRAPH_CACHE to another place"):
        fetch(settings, MODEL)


def test_a_python_without_pip_is_told_how_to_get_it(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pip", None)
    with pytest.raises(MissingDependency, match="-m ensurepip"):
        fetch(settings, MODEL)


def test_every_model_that_is_offered_names_parts_and_a_full_hash() -> None:
    for name, model in MODELS.items():
        assert find_model(name) is model
        assert len(model.sha256) == 64
        assert len({part.package for part in model.parts}) == len(model.parts)
        assert len({part.member for part in model.parts}) == len(model.parts)


def test_an_unknown_model_is_refused_with_the_list() -> None:
    with pytest.raises(InvalidInput, match=r"must be one of smollm2-135m, .*, got 'gpt'"):
        find_model("gpt")
