"""Checks values against the part of JSON Schema that `schema/case.json` uses."""

from __future__ import annotations

import re
from typing import Any

TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}


def resolve(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """A schema, or the one it refers to."""
    while "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        schema = root["$defs"][name]
    return schema


def check(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "") -> list[str]:
    """What is wrong with a value; nothing if it is right."""
    schema = resolve(schema, root)
    for key, most in (("anyOf", 99), ("oneOf", 1)):
        if key in schema:
            fits = sum(not check(value, one, root, at) for one in schema[key])
            return [] if 1 <= fits <= most else [f"{at}: {fits} of the forms of {key} fit {str(value)[:80]}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{at}: {value!r} is none of {schema['enum']}"]
    kind = schema.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, bool))):
        return [f"{at}: {str(value)[:80]} is no {kind}"]
    wrong: list[str] = []
    if "pattern" in schema and not re.search(schema["pattern"], value):
        wrong.append(f"{at}: {value[:80]!r} does not match {schema['pattern']}")
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        wrong.append(f"{at}: {value} is out of range")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        wrong += [f"{at}: no {name}" for name in schema.get("required", []) if name not in value]
        for name, one in value.items():
            more = properties.get(name, schema.get("additionalProperties", True))
            if more is False:
                wrong.append(f"{at}: {name} is not a key of it")
            elif more is not True:
                wrong += check(one, more, root, f"{at}.{name}")
    if isinstance(value, list) and "items" in schema:
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            wrong.append(f"{at}: {len(value)} items")
        for k, one in enumerate(value):
            wrong += check(one, schema["items"], root, f"{at}[{k}]")
    return wrong
