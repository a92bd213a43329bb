"""Builds the wheel: stages the library and the headers beside the package, then runs maturin.

    python bindings/python/build.py            the wheel in build/wheels
    python bindings/python/build.py --install  and installed into the environment of this Python

`make lib` comes first: the library is taken from build/lib, or from the folder that HURRAY_LIB_DIR names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGE = HERE / "python" / "hurray"


def stage(lib_dir: Path) -> None:
    """Puts the library under its SONAME, and all headers, into the package."""
    found = sorted(lib_dir.glob("libhurray.so.*"))
    if len(found) != 1:
        sys.exit(f"{lib_dir} has no single libhurray.so.N; run `make lib`")
    for old in PACKAGE.glob("libhurray.so.*"):
        old.unlink()
    shutil.copyfile(found[0].resolve(), PACKAGE / found[0].name)
    include = PACKAGE / "include"
    shutil.rmtree(include, ignore_errors=True)
    shutil.copytree(ROOT / "bindings" / "cpp" / "include", include)
    shutil.copyfile(ROOT / "hurray-ffi" / "include" / "hurray.h", include / "hurray.h")


def main() -> None:
    """Stages, builds, and installs if asked to."""
    lib_dir = Path(os.environ.get("HURRAY_LIB_DIR", ROOT / "build" / "lib")).resolve()
    stage(lib_dir)
    wheels = ROOT / "build" / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    maturin = [sys.executable, "-m", "maturin", "build", "--release", "--locked", "--quiet"]
    # The library inside is meant to be found by its SONAME, so nothing may rename it.
    maturin += ["--auditwheel", "skip", "--compatibility", "linux", "--out", str(wheels)]
    subprocess.run(maturin, cwd=HERE, check=True, env={**os.environ, "HURRAY_LIB_DIR": str(lib_dir)})
    (wheel,) = wheels.glob("*.whl")
    print(wheel.relative_to(ROOT))
    if "--install" in sys.argv[1:]:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--force-reinstall", "--no-deps", str(wheel)], check=True)


if __name__ == "__main__":
    main()
