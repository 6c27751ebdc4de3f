"""Checks JSON against the part of JSON Schema that docs/schemas uses, without any library."""
import functools
import json
from pathlib import Path

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_kind(value, kind):
    if kind in ("integer", "number"):
        return isinstance(value, (int,) if kind == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


@functools.lru_cache(maxsize=None)
def schema_of(name):
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))


def problems(value, schema, root=None, place="$"):
    """What is wrong with a value, as texts; nothing when it fits."""
    root = schema if root is None else root
    if "$ref" in schema:
        file, _, pointer = schema["$ref"].partition("#")
        root = schema_of(file) if file else root
        target = root
        for part in filter(None, pointer.split("/")):
            target = target[part]
        return problems(value, target, root, place)
    if "oneOf" in schema:
        tried = [problems(value, each, root, place) for each in schema["oneOf"]]
        return [] if [] in tried else min(tried, key=len)
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_kind(value, kind) for kind in kinds):
        return [f"{place}: {value!r:.60} is not of type {' or '.join(kinds)}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{place}: {value!r} is none of {schema['enum']}"]
    found = []
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        found += [f"{place}: {key} is missing" for key in schema.get("required", []) if key not in value]
        for key, item in value.items():
            if key in known:
                found += problems(item, known[key], root, f"{place}.{key}")
            elif more is False:
                found.append(f"{place}: {key} is not expected")
            elif isinstance(more, dict):
                found += problems(item, more, root, f"{place}.{key}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            found += problems(item, schema["items"], root, f"{place}[{i}]")
    return found
