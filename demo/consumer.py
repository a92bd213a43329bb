"""Builds the C++ consumer against the installed wheel, and nothing else of this tree."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sysconfig
from pathlib import Path
from types import ModuleType

import hurray

SOURCE = Path(__file__).resolve().parent / "consumer.cpp"


def build(folder: Path) -> Path:
    """Compiles the module into ``folder``, unless it is newer than source, headers and library."""
    folder.mkdir(parents=True, exist_ok=True)
    module = folder / f"demo_consumer{sysconfig.get_config_var('EXT_SUFFIX')}"
    include, library = Path(hurray.get_include()), Path(hurray.get_library())
    inputs = [SOURCE, library, *SOURCE.parent.glob("*.hpp"), *include.rglob("*.h*")]
    if module.is_file() and all(one.stat().st_mtime < module.stat().st_mtime for one in inputs):
        return module
    beside = module.with_suffix(".new")
    command = [os.environ.get("CXX", "g++"), "-std=c++17", "-O2", "-shared", "-fPIC", str(SOURCE)]
    command += [f"-I{sysconfig.get_paths()['include']}", f"-I{include}"]
    command += [str(library), f"-Wl,-rpath,{library.parent}", "-o", str(beside)]
    subprocess.run(command, check=True)
    os.replace(beside, module)
    return module


def load(folder: Path) -> ModuleType:
    """The module, built if need be."""
    spec = importlib.util.spec_from_file_location("demo_consumer", build(folder))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
