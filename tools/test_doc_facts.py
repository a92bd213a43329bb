"""What the documents state as a fact is held against the tree: statuses, versions, links, commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_doc_examples import PAGES, ROOT

HEADER = (ROOT / "hurray-ffi" / "include" / "hurray.h").read_text()
STATUS = re.compile(r"^#define (HURRAY_(?:OK|NEED_MORE|END|ERR_\w+)) +\(?(-?\d+)\)?", re.MULTILINE)


def test_errors_page_lists_every_status() -> None:
    """The table has each status of the header with its number, and no other."""
    page = (ROOT / "docs" / "errors.md").read_text()
    listed = re.findall(r"^\| `(HURRAY_\w+)` (-?\d+)", page, re.MULTILINE)
    assert sorted(listed) == sorted(STATUS.findall(HEADER))


def test_abi_page_has_the_header_s_version() -> None:
    """History and matrix end with the version of the header."""
    found = re.search(r"^#define HURRAY_C_ABI_VERSION +(\d+)\b", HEADER, re.MULTILINE)
    assert found is not None
    page = (ROOT / "docs" / "abi.md").read_text()
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE)[-1] == found[1]
    assert set(re.findall(r"^\| .* \| 0\.\d+ \| (\d+) \|$", page, re.MULTILINE)) == {found[1]}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Each relative link names a file of the tree, and each anchor a heading of its page."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f"{page.name} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(), re.MULTILINE)
            assert anchor in {heading.lower().replace(" ", "-") for heading in headings}, target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_make_targets_exist(page: Path) -> None:
    """Each `make target` that a page names is in the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = page.read_text()
    named = set(re.findall(r"`make ([a-z-]+)", text)) | set(re.findall(r"^make ([a-z-]+)", text, re.MULTILINE))
    assert named <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_of_the_header_exist(page: Path) -> None:
    """Each function and constant that a page writes as code is in the header."""
    named = set(re.findall(r"`(hurray_[a-z0-9_]+|HURRAY_[A-Z0-9_]+)`", page.read_text()))
    capsule_names = {"hurray_tensor", "hurray_tensor_handle", "used_hurray_tensor_handle"}
    readers = ("bindings/rust/build.rs", "bindings/julia/julia")
    environment = {name for file in readers for name in re.findall(r"HURRAY_[A-Z_]+", (ROOT / file).read_text())}
    known = capsule_names | environment | {"HURRAY_ERR_UNKNOWN"}
    assert {name for name in named - known if not re.search(rf"\b{name}\b", HEADER)} == set()


def test_book_lists_every_page() -> None:
    """The index of the book links to each page."""
    index = (ROOT / "docs" / "README.md").read_text()
    pages = [page for page in PAGES if ROOT / "docs" in page.parents and page.name != "README.md"]
    assert [page for page in pages if f"({page.relative_to(ROOT / 'docs')})" not in index] == []


def test_each_noun_is_in_the_file_that_the_table_names() -> None:
    """The table of nouns in `bindings/README.md`: every file is in a folder of its column."""
    page = (ROOT / "bindings" / "README.md").read_text()
    _, table = page.split("## Nouns and their files")
    rows = [
        [re.findall(r"`([^`]+)`", cell) for cell in line.split("|")[2:-1]]
        for line in table.splitlines()
        if line.startswith("| ")
    ]
    folders = [[ROOT / name if "/src/" in name else ROOT / "bindings" / name for name in cell] for cell in rows[1]]
    absent = [
        name
        for row in rows[2:]
        for cell, places in zip(row, folders, strict=True)
        for name in cell
        if not any((place / name).exists() for place in places)
    ]
    assert len(rows) > 15
    assert absent == []
