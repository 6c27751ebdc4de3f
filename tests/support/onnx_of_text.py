"""ONNX models of the graphs with which the text tests of the ONNX front end begin: all operators that it reads, as a file says them.

Graphs with inner graphs, or with something that a file has no place for, are left out.
"""
import re
import struct

from wire_models import Onnx, chunk, chunks, number

# Of each element type: its name in TensorProto.DataType and how struct packs an element; 4-bit numbers and those of f16 are left out.
TYPES = {"f32": (1, "f"), "u8": (2, "B"), "i8": (3, "b"), "u16": (4, "H"), "i16": (5, "h"), "i32": (6, "i"), "i64": (7, "q"), "boolean": (9, "?"), "f64": (11, "d"), "u32": (12, "I"),
         "u64": (13, "Q")}
TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|%\w+|@?[A-Za-z_]\w*|-?\d[\w.+-]*|.)')
DOMAINS = {"onnx": ""}


class NotAFile(Exception):
    """What has no counterpart here."""


class Tokens:
    def __init__(self, text):
        self.all, self.at = TOKEN.findall(text), 0

    def next(self):
        self.at += 1
        return self.all[self.at - 1] if self.at <= len(self.all) else ""

    def skip(self, *words):
        """Whether one of the words is next, which is read then."""
        found = self.at < len(self.all) and self.all[self.at] in words
        self.at += found
        return found

    def expect(self, word):
        if not self.skip(word):
            raise NotAFile(word)


def plain(token):
    """The value that a token stands for."""
    if token.startswith('"'):
        return token[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if token in ("true", "false"):
        return int(token == "true")
    try:
        return float(token) if re.search(r"[.en]", token) else int(token)  # nan, inf, 1e-05
    except ValueError:
        raise NotAFile(token) from None


def literal(tokens):
    """A number, a text, or nested lists of them."""
    if not tokens.skip("["):
        return plain(tokens.next())
    items = []
    while not tokens.skip("]"):
        items.append(literal(tokens))
        tokens.skip(",")
    return items


def shape_of(value):
    return [] if not isinstance(value, list) else [len(value)] + (shape_of(value[0]) if value else [])


def flat(value):
    return [x for item in value for x in flat(item)] if isinstance(value, list) else [value]


def tensor(name, value, element):
    if element not in TYPES:
        raise NotAFile(element)
    kind_of_file, code = TYPES[element]
    kind = float if code in "fd" else bool if code == "?" else int
    try:
        return Onnx.tensor(name, shape_of(value), struct.pack(f"<{len(flat(value))}{code}", *map(kind, flat(value))), kind_of_file)
    except (struct.error, TypeError, ValueError, OverflowError) as error:
        raise NotAFile(str(error)) from None


def attribute(tokens):
    value = literal(tokens)
    if tokens.skip(":"):
        return {"tensor": tensor("", value, tokens.next())}
    if isinstance(value, list) and value and not isinstance(value[0], int):
        if any(isinstance(item, list) for item in value):
            raise NotAFile("nested lists")
        texts = isinstance(value[0], str)
        return {"raw": chunks(9, value) + number(20, 8) if texts else chunk(7, struct.pack(f"<{len(value)}f", *map(float, value))) + number(20, 6)}
    return value


def node(line, constants, op_sets):
    tokens = Tokens(line)
    outputs = []
    while not tokens.skip("="):
        outputs.append(tokens.next().lstrip("%"))
        tokens.skip(",")
    domain, _, op = plain(tokens.next()).partition("::")
    if not op:
        raise NotAFile("an op of the text form")
    tokens.expect("(")
    inputs = []
    while not tokens.skip(")"):
        if tokens.skip("_"):
            inputs.append("")
        elif tokens.all[tokens.at].startswith("%"):
            inputs.append(tokens.next()[1:])
        else:
            value = literal(tokens)
            tokens.expect(":")
            inputs.append(f"constant_{len(constants)}")
            constants.append(tensor(inputs[-1], value, tokens.next()))
        tokens.skip(",")
    attributes = {}
    if tokens.skip("{"):
        while not tokens.skip("}"):
            name = tokens.next()
            tokens.expect("=")
            attributes[name] = attribute(tokens)
            tokens.skip(",")
    domain = DOMAINS.get(domain, domain)
    op_sets[domain] = max(op_sets.get(domain, 1), attributes.get("@opset", 1))
    return Onnx.node(op, inputs, outputs, domain=domain, **{name: value for name, value in attributes.items() if not name.startswith("@")})


def parameter(text):
    name, element, sizes = re.fullmatch(r'%(\w+): (\w+)(?:\[(.*)\])?(?: "[^"]*")?', text).groups()
    if element not in TYPES:
        raise NotAFile(element)
    shape = None if sizes == "..." else [int(size) if size.isdigit() else None for size in sizes.split(",") if size] if sizes is not None else []
    return Onnx.value(name, shape, TYPES[element][0])


def model(graph):
    """The ModelProto of a graph in text form. Errors: NotAFile."""
    head, *lines, end = graph.rstrip("\n").split("\n")
    found = re.fullmatch(r"graph\((.*)\) \{", head)
    results = re.findall(r"  return (.*)", lines.pop()) if lines and end == "}" else []
    if not found or not results:
        raise NotAFile("graph")
    constants, op_sets = [], {}
    try:
        nodes = [node(line, constants, op_sets) for line in lines]
        inputs = [parameter(text) for text in re.findall(r"%\w+: \w+(?:\[[^\]]*\])?", found[1])]
    except (AttributeError, IndexError, TypeError):
        raise NotAFile(graph) from None
    outputs = [Onnx.value(name, None) for name in re.findall(r"%(\w+)", results[0])]
    return Onnx.model(Onnx.graph(nodes, inputs, outputs, constants), imports={"": 13, **op_sets}.items())
