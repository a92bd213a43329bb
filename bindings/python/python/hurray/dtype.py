"""Element types: one :class:`Dtype` for each type of the format.

>>> import hurray
>>> hurray.float32.bit_width
32
>>> hurray.dtype.int4.is_sub_byte
True
"""

from __future__ import annotations

from ._dtype import Dtype

__all__ = [
    "Dtype",
    "bfloat16",
    "bool",
    "complex64",
    "complex128",
    "float4_e2m1",
    "float6_e2m3",
    "float6_e3m2",
    "float8_e4m3",
    "float8_e5m2",
    "float8_e8m0",
    "float16",
    "float32",
    "float64",
    "float128",
    "int2",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint2",
    "uint4",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

float16 = Dtype.from_name("float16")
bfloat16 = Dtype.from_name("bfloat16")
float32 = Dtype.from_name("float32")
float64 = Dtype.from_name("float64")
int8 = Dtype.from_name("int8")
uint8 = Dtype.from_name("uint8")
int16 = Dtype.from_name("int16")
uint16 = Dtype.from_name("uint16")
int32 = Dtype.from_name("int32")
uint32 = Dtype.from_name("uint32")
int64 = Dtype.from_name("int64")
uint64 = Dtype.from_name("uint64")
bool = Dtype.from_name("bool")
float8_e4m3 = Dtype.from_name("float8_e4m3")
float8_e5m2 = Dtype.from_name("float8_e5m2")
float8_e8m0 = Dtype.from_name("float8_e8m0")
float4_e2m1 = Dtype.from_name("float4_e2m1")
float6_e2m3 = Dtype.from_name("float6_e2m3")
float6_e3m2 = Dtype.from_name("float6_e3m2")
float128 = Dtype.from_name("float128")
int4 = Dtype.from_name("int4")
uint4 = Dtype.from_name("uint4")
int2 = Dtype.from_name("int2")
uint2 = Dtype.from_name("uint2")
complex64 = Dtype.from_name("complex64")
complex128 = Dtype.from_name("complex128")
