"""Write hurray-ffi/tests/golden/numbers.txt: the values of all narrow floating-point codes, by numpy and ml_dtypes.

One line for each code of up to 8 bits: element type tag, code, the value as float32 bits. One line for each 16-bit
type: tag, `all`, the FNV-1a hash of all 65536 values as little-endian float32. NaNs are written `7FC00000` with their
sign, as what is left of a payload is the library's own rule.
"""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np

OUT = Path(__file__).resolve().parent.parent / "hurray-ffi" / "tests" / "golden" / "numbers.txt"
NARROW = {
    0x40: (ml_dtypes.float8_e4m3fn, 256),
    0x41: (ml_dtypes.float8_e5m2, 256),
    0x42: (ml_dtypes.float8_e8m0fnu, 256),
    0x43: (ml_dtypes.float4_e2m1fn, 16),
    0x44: (ml_dtypes.float6_e2m3fn, 64),
    0x45: (ml_dtypes.float6_e3m2fn, 64),
}
HALF = {0x01: np.float16, 0x02: ml_dtypes.bfloat16}


def bits(codes: np.ndarray) -> np.ndarray:
    """The float32 bits of values, NaNs in their plain form."""
    signs = np.signbit(codes)
    found = codes.astype(np.float32).view(np.uint32)
    nan = np.isnan(codes.astype(np.float32))
    return np.where(nan, np.uint32(0x7FC00000) | (signs.astype(np.uint32) << np.uint32(31)), found)


def fnv(data: bytes) -> int:
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return value


def main() -> None:
    """Write the file."""
    lines = []
    for tag, (dtype, count) in NARROW.items():
        for code, value in enumerate(bits(np.arange(count, dtype=np.uint8).view(dtype))):
            if (tag, code) != (0x42, 0):  # may not occur here; 2^-127 there
                lines.append(f"{tag:02X} {code:02X} {value:08X}")
    for tag, dtype in HALF.items():
        lines.append(f"{tag:02X} all {fnv(bits(np.arange(1 << 16, dtype=np.uint16).view(dtype)).tobytes()):016X}")
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
