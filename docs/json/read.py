"""Reads a document of `bearings ... --json` from stdin by its schema alone: 0 and its verdict, or 1 and what is wrong."""
import json, pathlib, re, sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}

def wrong(schema, value, at="document"):
    if any(word in schema and value not in words for word, words in [("const", [schema.get("const")]), ("enum", schema.get("enum"))]):
        return f"{at}: {value!r} is none of its words"
    if "anyOf" in schema and all(wrong(each, value, at) for each in schema["anyOf"]):
        return f"{at}: {value!r} is nothing that it may be"
    kind = TYPES.get(schema.get("type"), object)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return f"{at}: {value!r} is no {schema['type']}"
    if kind is str and not re.search(schema.get("pattern", ""), value):
        return f"{at}: {value!r} is not written so"
    if kind is int and value < schema.get("minimum", value):
        return f"{at}: {value} is too small"
    if kind is list:
        return next(filter(None, (wrong(schema["items"], each, f"{at}[{n}]") for n, each in enumerate(value))), None)
    if kind is not dict:
        return None
    missing = [name for name in schema.get("required", []) if name not in value]
    known = schema.get("properties", {})
    rules = [(rule, name) for pattern, rule in schema.get("patternProperties", {}).items() for name in value if re.search(pattern, name)]
    checks = [(known[name], name) for name in known if name in value] + rules
    odd = [name for name in value if schema.get("additionalProperties") is False and name not in [each for _, each in checks]]
    if missing or odd:
        return f"{at}: lacks {missing}, has {odd}"
    return next(filter(None, (wrong(rule, value[name], f"{at}.{name}") for rule, name in checks)), None)

for line in sys.stdin:
    document = json.loads(line)
    name = re.fullmatch(r"bearings\.([a-z-]+)/\d+", document["schema"])[1]
    fault = wrong(json.loads((pathlib.Path(__file__).parent / f"{name}.json").read_text()), document)
    print(fault or f"{document['schema']}: {document['verdict']}")
    if fault:
        sys.exit(1)
