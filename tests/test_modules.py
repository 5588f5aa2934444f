"""Modules are found by their names only while their compiled files are those of the sources."""

from __future__ import annotations

import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

import headwater
from headwater.cli.modules import AtHand, ByName

NUMBER = Path(str(headwater.__spec__.cached)).name.removeprefix("__init__")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a module and a package, compiled."""
    (tmp_path / "part").mkdir()
    for source in (tmp_path / "one.py", tmp_path / "part" / "__init__.py"):
        source.write_text("answer = 1\n")
        py_compile.compile(str(source), doraise=True)
    return tmp_path


def finder(package: Path) -> ByName:
    compiled = package / "__pycache__" / f"one{NUMBER}"
    return ByName(NUMBER, compiled.read_bytes()[:4])


def found(package: Path, name: str = "headwater.one") -> object:
    """What the code of a module says, if it is found by its name."""
    spec = finder(package).find_spec(name, [str(package)])
    if spec is None:
        return None
    assert isinstance(spec.loader, AtHand)
    names: dict[str, object] = {}
    code = spec.loader.get_code(name)
    assert code is not None
    assert code.co_filename == spec.origin
    exec(code, names)  # noqa: S102 - what the test itself wrote
    return names["answer"]


def test_a_module_and_a_package_are_found(package: Path) -> None:
    assert found(package) == 1
    assert found(package, "headwater.part") == 1
    spec = finder(package).find_spec("headwater.part", [str(package)])
    assert spec is not None
    assert spec.submodule_search_locations == [str(package / "part")]


def test_code_that_was_compiled_under_another_name_gets_its_own_and_is_not_read_again(
    package: Path,
) -> None:
    source = package / "one.py"
    py_compile.compile(str(source), dfile="elsewhere/one.py", doraise=True)
    spec = finder(package).find_spec("headwater.one", [str(package)])
    assert spec is not None
    assert isinstance(spec.loader, AtHand)
    (package / "__pycache__" / f"one{NUMBER}").unlink()
    source.unlink()
    code = spec.loader.get_code("headwater.one")
    assert code is not None
    assert code.co_filename == str(source)


def test_others_and_what_is_not_compiled_are_left_to_python(package: Path) -> None:
    assert found(package, "elsewhere.one") is None
    assert found(package, "headwater.two") is None
    (package / "two.py").write_text("answer = 2\n")
    assert found(package, "headwater.two") is None


def test_a_source_that_changed_is_left_to_python(package: Path) -> None:
    source = package / "one.py"
    about = source.stat()
    os.utime(source, (about.st_atime, about.st_mtime + 2))
    assert found(package) is None
    source.write_text("answer = 12\n")
    os.utime(source, (about.st_atime, about.st_mtime))
    assert found(package) is None


def test_what_another_python_compiled_is_left_to_python(package: Path) -> None:
    spec = ByName(NUMBER, b"\0\0\0\0").find_spec("headwater.one", [str(package)])
    assert spec is None


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="another form of code")
def test_of_a_damaged_file_python_says_what_it_always_says(package: Path) -> None:
    compiled = package / "__pycache__" / f"one{NUMBER}"
    compiled.write_bytes(compiled.read_bytes()[:20])
    with pytest.raises(EOFError):  # so Python itself says of such a file
        found(package)


def test_a_program_that_was_never_compiled_starts(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPYCACHEPREFIX": str(tmp_path),
    }
    program = "import sys; from headwater.cli.modules import find_by_name; find_by_name()"
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
