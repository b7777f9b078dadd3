"""The wheel works outside a checkout: a stranger installs it and builds a module."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.support.places import REPO


def quietly(*command: str | Path, folder: Path, **more: str) -> str:
    """What the command says; nothing of this checkout or environment is on its path."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL", "COVERAGE"))
    }
    said = subprocess.run(
        [str(c) for c in command],
        cwd=folder,
        env=kept | more,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")
    quietly(*pip, "--no-deps", "--wheel-dir", folder, REPO, folder=folder)
    (made,) = folder.glob("vassal_arbiter-*.whl")
    return made


def test_wheel_holds_packages_maps_and_schemas(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "vmod_tools", "service"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {n for n in tracked if (REPO / n).is_file()} <= names
    for folder in ("maps", "schemas"):
        files = {p.relative_to(REPO) for p in (REPO / folder).rglob("*") if p.is_file()}
        assert files
        assert {f"vmod_tools/_data/{f}" for f in files} <= names


def test_wheel_builds_a_module_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    venv, empty = tmp_path / "venv", tmp_path / "empty"
    empty.mkdir()
    quietly(sys.executable, "-m", "venv", "--without-pip", venv, folder=empty)
    python = venv / "bin" / "python"
    scheme = sysconfig.get_path("purelib", vars={"base": str(venv), "platbase": str(venv)})
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    quietly(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, folder=empty)
    # The libraries are this environment's, so that nothing is downloaded; a .pth file is not looked
    # into, so the checkout's own editable install stays out.
    libraries = [p for p in site.getsitepackages() if Path(p, "lxml").is_dir()]
    Path(scheme, "libraries.pth").write_text("\n".join(libraries) + "\n")

    where = quietly(
        python, "-c", "import vmod_tools, service; print(vmod_tools.__file__)", folder=empty
    )
    assert where.startswith(str(venv))
    vmod = venv / "bin" / "vmod"
    strict = {"PYTHONWARNINGS": "error"}
    quietly(vmod, "build", "weu-denmark", "-o", "weu.vmod", folder=empty, **strict)
    told = quietly(vmod, "info", "weu.vmod", folder=empty, **strict)
    assert told.startswith("weu.vmod: module\n  name: Denmark and the Skagerrak\n")
    quietly(vmod, "extract", "weu.vmod", "-o", "map.xml", folder=empty, **strict)
    assert (empty / "map.xml").read_bytes() == (REPO / "maps/weu-denmark/map.xml").read_bytes()
    assert quietly(vmod, "--version", folder=empty).startswith("vmod, version ")
