"""Pages gathered and scattered, and composites put together, by the formulas of layouts.md."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from . import form, wire
from .conversions import code_at, logical, pack, row_major
from .items import composite, dense, group, item, nested, part, partition, tensor
from .samples import D, descriptor, per_tensor
from .sparse import Entries, entries, made


def slots(paged: D, lengths: list[int]) -> list[int]:
    """Where in the pool each token's first element is, sequence after sequence."""
    d = paged["tensor"]
    layout, inner = d["layout"], d["shape"][1] * d["shape"][2]
    kind = "<u4" if layout["block_table_index_type"] == "uint32" else "<u8"
    table, starts = (np.frombuffer(data, kind).tolist() for data in paged["data"][1:3])
    size = layout["page_size"]
    found = []
    for start, length in zip(starts, lengths, strict=False):
        found += [(table[start + token // size] * size + token % size) * inner for token in range(length)]
    return found


def of_pages(name: str, paged: D, lengths: list[int] | None, expected: D | str, rules: str = "") -> D:
    """A gathering."""
    request: D = {"op": "convert", "how": "gather", "item": form.given_item(paged)}
    if lengths is not None:
        request["seq_lengths"] = list(map(str, lengths))
    expect = {"status": expected} if isinstance(expected, str) else {"status": "OK", "item": form.read_item(expected)}
    return {"id": f"pages/gather-{name}", "rules": rules.split(), "request": request, "expect": expect}


def to_pages(name: str, flat: D, paged: D, lengths: list[int] | None, expected: D | str, rules: str = "") -> D:
    """A scattering."""
    found = of_pages(name, flat, lengths, expected, rules)
    return {
        **found,
        "id": f"pages/scatter-{name}",
        "request": {**found["request"], "how": "scatter", "paged": form.given_item(paged)},
    }


def gathered(paged: D, lengths: list[int]) -> D:
    """All tokens, row-major."""
    d = paged["tensor"]
    width, inner = wire.BITS[d["dtype"]], d["shape"][1] * d["shape"][2]
    codes = [code_at(paged["data"][0], width, 0, at + k) for at in slots(paged, lengths) for k in range(inner)]
    return row_major(d["dtype"], d["shape"], codes)


def scattered(flat: D, paged: D, lengths: list[int]) -> D:
    """The pool afterwards."""
    d = paged["tensor"]
    width, inner = wire.BITS[d["dtype"]], d["shape"][1] * d["shape"][2]
    pool = [code_at(paged["data"][0], width, 0, k) for k in range(len(paged["data"][0]) * 8 // width)]
    codes = iter(logical(flat))
    for at in slots(paged, lengths):
        for k in range(inner):
            pool[at + k] = next(codes)
    return item(d, [pack(pool, width), *paged["data"][1:]])


def wide(paged: D) -> D:
    """The same with table and pointers of 64 bits."""
    d = paged["tensor"]
    layout = {**d["layout"], "block_table_index_type": "uint64"}
    tables = [np.frombuffer(data, "<u4").astype("<u8").tobytes() for data in paged["data"][1:3]]
    return item({**d, "layout": layout}, [paged["data"][0], *tables])


def pages() -> list[D]:
    """Token counts that fit and that do not."""
    cases = []
    for dtype in ("float32", "uint8", "int4", "complex128"):
        paged = tensor("block_paged", dtype)
        flat = dense(dtype, [11, 2, 3], seed="tokens")
        for lengths in ([5, 6], [9, 2]):
            name = f"{dtype}-{lengths[0]}-{lengths[1]}"
            cases.append(of_pages(name, paged, lengths, gathered(paged, lengths)))
            cases.append(to_pages(name, flat, paged, lengths, scattered(flat, paged, lengths)))
    paged, flat = tensor("block_paged"), dense("float32", [11, 2, 3], seed="tokens")
    cases.append(of_pages("wide-tables", wide(paged), [5, 6], gathered(paged, [5, 6])))
    cases.append(to_pages("wide-tables", flat, wide(paged), [5, 6], scattered(flat, wide(paged), [5, 6])))
    one = {**paged["tensor"]["layout"], "num_seqs": 1}
    tables = [np.array(some, "<u4").tobytes() for some in ([4, 1, 0, 2], [0, 4])]
    single = item(descriptor("float32", [11, 2, 3], one, buffers=[]), [paged["data"][0], *tables])
    cases.append(of_pages("one-sequence", single, None, gathered(single, [11])))
    full = item(descriptor("float32", [15, 2, 3], paged["tensor"]["layout"], buffers=[]), paged["data"])
    cases.append(of_pages("full-pages", full, None, gathered(full, [9, 6])))
    wrong: list[tuple[str, list[int] | None, str, str]] = [
        ("unknown-lengths", None, "INVALID_ARGUMENT", ""),
        ("few-tokens", [5, 5], "INVALID_ARGUMENT", ""),
        ("few-lengths", [11], "INVALID_ARGUMENT", ""),
        ("beyond-pages", [4, 7], "INDEX_OUT_OF_BOUNDS", "L-041"),
    ]
    for name, counts, status, rules in wrong:
        cases.append(of_pages(name, paged, counts, f"ERR_{status}", rules))
        cases.append(to_pages(name, flat, paged, counts, f"ERR_{status}", rules))
    cases.append(of_pages("dense", flat, [11], "ERR_INVALID_ARGUMENT"))
    other = dense("int32", [11, 2, 3])
    cases.append(to_pages("other-type", other, paged, [5, 6], "ERR_INVALID_ARGUMENT"))
    broken = item(paged["tensor"], [*paged["data"][:1], np.array([4, 1, 0, 9, 2], "<u4").tobytes(), paged["data"][2]])
    cases.append(of_pages("no-such-page", broken, [5, 6], "ERR_INVALID_LAYOUT", "L-039"))
    cases.append(to_pages("no-such-page", flat, broken, [5, 6], "ERR_INVALID_LAYOUT", "L-039"))
    return cases


def assembled(name: str, found: D, expected: D | str, rules: str = "") -> D:
    """One tensor of a composite."""
    request = {"op": "convert", "how": "assemble", "item": form.given_item(found)}
    expect = {"status": expected} if isinstance(expected, str) else {"status": "OK", "item": form.read_item(expected)}
    return {"id": f"composites/{name}", "rules": rules.split(), "request": request, "expect": expect}


def boxed(member: D) -> list[tuple[tuple[int, ...], int]]:
    """The elements of a dense member at their places in the whole."""
    d = member["tensor"]
    places = itertools.product(*map(range, d["shape"]))
    offset = d["shard"]["offset"]
    return [
        (tuple(map(sum, zip(i, offset, strict=True))), code) for i, code in zip(places, logical(member), strict=True)
    ]


def joined(dtype: str, shape: list[int], members: list[D]) -> D:
    """All members at their places, later ones over earlier ones."""
    codes = dict(itertools.chain.from_iterable(map(boxed, members)))
    return row_major(dtype, shape, [codes[index] for index in itertools.product(*map(range, shape))])


def ints(shape: list[int], first: int, offset: list[int], role: str, layout: str = "row_major") -> D:
    """A member of [4, 4] of ascending numbers."""
    shard = {"parent_shape": [4, 4], "offset": offset}
    count = shape[0] * shape[1]
    data = np.arange(first, first + count, dtype=np.uint16).tobytes()
    return item(descriptor("uint16", shape, layout, shard=shard, member_role=role), [data])


def composites() -> list[D]:
    """Partitions, overlays with both ops, and what cannot be one tensor."""
    four = partition()
    cases = [assembled("partition", four, joined("float32", [6, 6], four["members"]))]
    halves = [part([2, 5], [4, 5], [at, 0], "int4") for at in (0, 2)]
    packed = composite("partition", halves, [4, 5], "int4")
    cases.append(assembled("partition-int4", packed, joined("int4", [4, 5], halves)))
    shard: Any = {"parent_shape": [4, 6], "offset": [0, 0]}
    csr = tensor("csr", "int16", shard=shard)
    whole = [dict(entries(csr)).get(index, 0) for index in itertools.product(range(4), range(6))]
    found = composite("partition", [csr], [4, 6], "int16")
    cases.append(assembled("partition-csr", found, row_major("int16", [4, 6], whole)))
    base, one = ints([4, 4], 1000, [0, 0], "base"), ints([2, 3], 2000, [0, 1], "correction")
    two = ints([3, 2], 65000, [1, 1], "correction", "column_major")
    members = [base, one, two]
    cases.append(
        assembled(
            "overlay-replace",
            composite("overlay", members, [4, 4], "uint16", "replace"),
            joined("uint16", [4, 4], members),
        )
    )
    sums = dict(boxed(base))
    for index, code in [*boxed(one), *boxed(two)]:
        sums[index] = (sums[index] + code) & 0xFFFF
    added = row_major("uint16", [4, 4], [sums[index] for index in itertools.product(range(4), range(4))])
    cases.append(assembled("overlay-add", composite("overlay", members, [4, 4], "uint16", "add"), added))
    # A sparse correction covers what it stores, a stored zero too.
    stored: Entries = [((0, 0), 0), ((3, 3), 7)]
    coo: D = {"tag": "coo", "nnz": 2, "is_sorted": True}
    where = {"parent_shape": [4, 4], "offset": [0, 0]}
    sparse = made(coo, "uint16", [4, 4], stored, shard=where, member_role="correction")
    codes = dict(boxed(base)) | dict(stored)
    over = row_major("uint16", [4, 4], [codes[index] for index in itertools.product(range(4), range(4))])
    cases.append(assembled("overlay-coo", composite("overlay", [base, sparse], [4, 4], "uint16", "replace"), over))
    half = {"parent_shape": [2, 2], "offset": [0, 0]}
    scheme = descriptor("int8", [1, 2], quantization=per_tensor(0.5, 1), shard=half)
    codes8 = item(scheme, [np.array([3, -4], np.int8).tobytes()])
    rest = item(
        descriptor("float32", [1, 2], shard={**half, "offset": [1, 0]}), [np.array([7, 8], np.float32).tobytes()]
    )
    mixed = np.array([1, -2.5, 7, 8], np.float32).tobytes()
    cases.append(
        assembled(
            "quantized-member",
            composite("partition", [codes8, rest], [2, 2]),
            item(descriptor("float32", [2, 2]), [mixed]),
        )
    )
    cases.append(assembled("group", group(), "ERR_UNSUPPORTED"))
    cases.append(assembled("group-nested", nested(), "ERR_UNSUPPORTED"))
    lies = made(coo, "uint16", [2, 2], [((0, 1), 1), ((1, 0), 2)], shard=half)
    lies["data"][1] = np.array([0, 1, 0, 1], "<u8").tobytes()
    cases.append(assembled("twice", composite("partition", [lies], [2, 2], "uint16"), "ERR_INVALID_LAYOUT", "L-034"))
    return cases
