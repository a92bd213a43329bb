"""Writes the fixtures: `python -m generate` in `conformance/`, or `make generate`. The same bytes every time.

python -m generate [FOLDER]    FOLDER is `fixtures` unless given
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import (
    contents,
    conversions,
    describe,
    descriptors,
    dlpack,
    fields,
    files,
    invalid,
    quantize,
    reasons,
    schema,
    slices,
    sparse,
    streams,
    tensors,
    whole,
)

KINDS: dict[str, Callable[[], dict[str, Any]]] = {
    "descriptors": descriptors.cases,
    "invalid-descriptors": invalid.cases,
    "fields": fields.cases,
    "tensors": tensors.cases,
    "files": files.cases,
    "streams": streams.cases,
    "conversions": conversions.cases,
    "sparse": sparse.cases,
    "quantize": quantize.cases,
    "slices": lambda: {"boxes": slices.slices()},
    "offsets": lambda: {"elements": slices.offsets()},
    "statistics": lambda: {"sections": slices.statistics()},
    "contents": contents.cases,
    "pages": lambda: {"tokens": whole.pages()},
    "composites": lambda: {"assembled": whole.composites()},
    "dlpack": dlpack.cases,
    "describe": describe.cases,
}
MOST_BYTES = 8 << 20


def text(kind: str, cases: list[dict[str, Any]]) -> str:
    """A file of cases: one a line."""
    for case in cases:
        if not case.get("rules"):
            case.pop("rules", None)
    told = map(reasons.told, cases)
    lines = ",\n".join(json.dumps(case, ensure_ascii=True, separators=(",", ":")) for case in told)
    return f'{{"kind":"{kind}","cases":[\n{lines}\n]}}\n'


def main() -> None:
    """Writes everything anew."""
    here = Path(__file__).resolve().parent.parent
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else here / "fixtures"
    rules = json.loads((here / "schema" / "case.json").read_text())
    written: dict[str, bytes] = {}
    seen: set[str] = set()
    count = 0
    for kind, make in KINDS.items():
        for name, cases in make().items():
            for case in cases:
                if case["id"] in seen:
                    sys.exit(f"two cases are named {case['id']}")
                seen.add(case["id"])
            count += len(cases)
            written[f"{kind}/{name}.json"] = text(kind, cases).encode()
            wrong = schema.check(json.loads(written[f"{kind}/{name}.json"]), rules, rules, f"{kind}/{name}")
            if wrong:
                sys.exit("\n".join(["against conformance/schema/case.json:", *wrong]))
    written.update(files.BINARIES)
    total = sum(map(len, written.values()))
    if total > MOST_BYTES:
        sys.exit(f"the fixtures have {total} bytes; the limit is {MOST_BYTES}")
    shutil.rmtree(folder, ignore_errors=True)
    for path, data in written.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(written.items()))
    (folder / "SHA256SUMS").write_text(sums)
    print(f"{count} cases in {len(written)} files, {total} bytes")


main()
