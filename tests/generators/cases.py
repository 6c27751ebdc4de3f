"""Reads `.test` files: the graph of each case as plain nodes, and the numbers of its `--- evaluate` sections.

Knows the parts of the text form, of GraphDefs and of prototxts that cases with numbers are made of; a case with anything else (bodies, random weights)
is not read.
"""
import re

import numpy as np

TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
         "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "boolean": np.bool_}
TF_TYPES = {"DT_FLOAT": ("float_val", np.float32), "DT_DOUBLE": ("double_val", np.float64), "DT_INT32": ("int_val", np.int32), "DT_INT64": ("int64_val", np.int64),
            "DT_BOOL": ("bool_val", np.bool_), "DT_HALF": ("half_val", np.float16), "DT_UINT8": ("int_val", np.uint8), "DT_INT8": ("int_val", np.int8),
            "DT_INT16": ("int_val", np.int16), "DT_COMPLEX64": ("scomplex_val", np.float32), "DT_QUINT8": ("int_val", np.uint8),
            "DT_QINT8": ("int_val", np.int8), "DT_QINT32": ("int_val", np.int32)}


class Unread(Exception):
    """The case has something that this reader does not know."""


class Node:
    def __init__(self, op, inputs, attributes, outputs):
        self.op, self.inputs, self.attributes, self.outputs = op, inputs, attributes, outputs

    def get(self, name, default=None):
        return self.attributes.get(name, default)


class Graph:
    def __init__(self):
        self.inputs, self.nodes, self.results = [], [], []  # inputs: (name of the tensor, name that feeds use)
        self.types = {}  # of inputs in text form: (element type, sizes as they are written, or None for an unknown rank)


TOKEN = re.compile(r"""\s*(?:\#[^\n]*\n\s*)*(?:(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<value>%[\w.]+)|(?P<number>[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf\b|nan\b))|(?P<word>[A-Za-z_@][\w@-]*)|(?P<symbol>\S))""")


class Tokens:
    def __init__(self, text):
        self.items, at = [], 0
        text = text.rstrip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if match is None or match.end() == at:
                break
            kind = match.lastgroup
            self.items.append((kind, match[kind]))
            at = match.end()
        self.items.append(("end", ""))
        self.at = 0

    def peek(self, ahead=0):
        return self.items[min(self.at + ahead, len(self.items) - 1)]

    def take(self):
        self.at += 1
        return self.items[self.at - 1]

    def take_if(self, text):
        if self.peek()[1] == text and self.peek()[0] != "string":
            self.at += 1
            return True
        return False

    def expect(self, text):
        if not self.take_if(text):
            raise Unread(f"{text!r} expected, not {self.peek()[1]!r}")


def number(text):
    return float(text) if re.search(r"[.eEnf]", text) else int(text)


def nested(tokens):
    """A list of lists of numbers, or a number."""
    if tokens.take_if("["):
        items = []
        while not tokens.take_if("]"):
            items.append(nested(tokens))
            tokens.take_if(",")
        return items
    kind, text = tokens.take()
    if kind == "number":
        return number(text)
    if text in ("true", "false"):
        return text == "true"
    if text in ("inf", "nan"):
        return float(text)
    if kind == "string":
        return text[1:-1]
    raise Unread(f"literal {text!r}")


def splat(tokens):
    """splat(NUMBER):TYPE[SHAPE]: a tensor of one number."""
    tokens.expect("splat")
    tokens.expect("(")
    value = nested(tokens)
    tokens.expect(")")
    tokens.expect(":")
    name = tokens.take()[1]
    if name not in TYPES:
        raise Unread(f"type {name}")
    return np.full(nested(tokens), value, dtype=TYPES[name])


def literal(tokens, fallback="f32"):
    if tokens.peek()[1] == "splat":
        return splat(tokens)
    if tokens.peek()[1] in ("random", "strings", "elided"):
        raise Unread("a literal that is made up")
    value = nested(tokens)
    name = None
    if tokens.peek()[1] == ":" and tokens.peek(1)[0] == "word" and tokens.peek(1)[1] not in TYPES:
        raise Unread(f"type {tokens.peek(1)[1]}")
    if tokens.peek()[1] == ":" and tokens.peek(1)[1] in TYPES:
        tokens.take()
        name = tokens.take()[1]
    elif isinstance(value, bool):
        name = "boolean"
    try:
        return np.array(value, dtype=TYPES[name or fallback])
    except (ValueError, OverflowError, TypeError) as bad:
        raise Unread(str(bad)) from bad


def attribute(tokens):
    kind, text = tokens.peek()
    if kind == "string":
        tokens.take()
        return text[1:-1]
    if text in ("{", "graph", "splat", "random", "shape"):
        raise Unread(f"attribute {text}")
    if kind == "word" and text in TYPES:
        tokens.take()
        return text
    value = nested(tokens)
    if tokens.peek()[1] == ":" and tokens.peek(1)[1] in TYPES:
        tokens.take()
        return np.array(value, dtype=TYPES[tokens.take()[1]])
    return value


def decorations(tokens):
    if tokens.peek()[0] == "string":
        tokens.take()
    while tokens.take_if("@"):
        while tokens.take()[1] != "]":
            pass
    if tokens.take_if(":"):
        read_type(tokens)
        while tokens.take_if(","):
            read_type(tokens)


def read_type(tokens):
    """(element type, sizes as they are written, or None for an unknown rank)"""
    name = tokens.take()[1]
    tokens.expect("[")
    inside = "".join(iter(lambda: tokens.take()[1], "]"))
    return name, None if inside == "..." else [size for size in inside.split(",") if size]


def read_text_form(text):
    tokens, graph = Tokens(text), Graph()
    tokens.expect("graph")
    if tokens.peek()[0] == "string":
        tokens.take()
    tokens.expect("(")
    while not tokens.take_if(")"):
        name = tokens.take()[1][1:]
        tokens.expect(":")
        graph.types[name] = read_type(tokens)
        graph.inputs.append((name, name))
        decorations(tokens)
        tokens.take_if(",")
    tokens.expect("{")
    while not tokens.take_if("return"):
        outputs = []
        while tokens.peek()[0] == "value":
            outputs.append(tokens.take()[1][1:])
            tokens.take_if(",")
        tokens.expect("=")
        kind, op = tokens.take()
        op = op[1:-1] if kind == "string" else op
        if tokens.take_if("."):
            op += "." + tokens.take()[1]
        tokens.expect("(")
        inputs, fallback = [], "f32"
        while not tokens.take_if(")"):
            if tokens.peek()[0] == "value":
                inputs.append(tokens.take()[1][1:])
                fallback = graph.types.get(inputs[-1], (fallback, None))[0]
            elif tokens.take_if("_"):
                inputs.append(None)
            else:
                inputs.append(literal(tokens, fallback if fallback in TYPES else "f32"))
            tokens.take_if(",")
        attributes = {}
        if tokens.take_if("{"):
            while not tokens.take_if("}"):
                name = tokens.take()[1]
                tokens.expect("=")
                attributes[name] = attribute(tokens)
                tokens.take_if(",")
        decorations(tokens)
        graph.nodes.append(Node(op, inputs, attributes, outputs))
    while tokens.peek()[0] == "value":
        graph.results.append(tokens.take()[1][1:])
        decorations(tokens)
        tokens.take_if(",")
    tokens.expect("}")
    return graph


def message(tokens, end):
    """Protobuf text: name -> list of values, which are messages, strings, numbers or words."""
    fields = {}
    while not tokens.take_if(end) and tokens.peek()[0] != "end":
        name = tokens.take()[1]
        tokens.take_if(":")
        if tokens.take_if("{"):
            value = message(tokens, "}")
        elif tokens.take_if("["):
            for item in iter(lambda: tokens.take()[1], "]"):
                if item != ",":
                    fields.setdefault(name, []).append(number(item))
            continue
        else:
            kind, text = tokens.take()
            value = text[1:-1] if kind == "string" else number(text) if kind == "number" else text
            while kind == "string" and tokens.peek()[0] == "string":
                value += tokens.take()[1][1:-1]
        fields.setdefault(name, []).append(value)
    return fields


def tf_attribute(value):
    (kind, items), = ((k, v) for k, v in value.items())
    item = items[0]
    if kind == "b":
        return item == "true" or item is True
    if kind == "tensor":
        field, dtype = TF_TYPES.get(item["dtype"][0], (None, None))
        if field is None or "tensor_content" in item:
            raise Unread("tensor")
        shape = [d["size"][0] for d in item.get("tensor_shape", [{}])[0].get("dim", [])]
        values = [v == "true" if isinstance(v, str) and dtype is np.bool_ else v for v in item.get(field, [0])]
        if dtype is np.float16:
            return np.array(values, np.uint16).view(np.float16).reshape(shape)
        if item["dtype"][0].startswith("DT_COMPLEX"):
            values = [complex(*pair) for pair in zip(values[::2], values[1::2])]
            dtype = np.complex128
        count = int(np.prod(shape))
        return np.array((values + [values[-1]] * count)[:count], dtype).reshape(shape)
    if kind == "list":
        return next(iter(item.values()), [])
    return item


def read_graph_def(text):
    graph, read = Graph(), set()
    fields = message(Tokens(text), None)
    if set(fields) - {"node"}:
        raise Unread("functions")
    for node in fields.get("node", []):
        name, op = node["name"][0], node["op"][0]
        attributes = {a["key"][0]: tf_attribute(a["value"][0]) for a in node.get("attr", []) if a["value"][0] and "shape" not in a["value"][0]}
        inputs = [i if ":" in i else i + ":0" for i in node.get("input", [])]
        if any(i.startswith("^") for i in inputs):
            raise Unread("control edges")
        if op == "Placeholder":
            graph.inputs.append((name + ":0", name))
        else:
            graph.nodes.append(Node("tf::" + op, inputs, attributes, [f"{name}:{i}" for i in range(8)]))
        read.update(i.split(":")[0] for i in inputs)
    graph.results = [node.outputs[0] for node in graph.nodes if node.outputs[0].split(":")[0] not in read]
    return graph


def read_net(text):
    graph, latest = Graph(), {}
    fields = message(Tokens(text), None)
    if "layers" in fields:
        raise Unread("old nets")
    unread = []
    for top in fields.get("input", []):
        graph.inputs.append((top + "/0", top))
        latest[top] = top + "/0"
    for layer in fields.get("layer", []):
        tops = layer.get("top", [])
        if layer["type"][0] == "Input":
            for top in tops:
                graph.inputs.append((top + "/0", top))
                latest[top] = top + "/0"
            continue
        blobs = []
        for blob in layer.get("blobs", []):
            values = blob.get("data", blob.get("double_data", []))
            shape = blob["shape"][0].get("dim", []) if "shape" in blob else [blob.get(k, [1])[0] for k in ("num", "channels", "height", "width")]
            if len(values) != np.prod(shape):
                raise Unread("blob")
            blobs.append(np.array(values, np.float32).reshape(shape))
        inputs = [latest.get(b) for b in layer.get("bottom", [])]
        unread = [u for u in unread if u not in inputs]
        outputs = [f"{top}/{len(graph.nodes) + 1}" for top in tops]
        latest.update(zip(tops, outputs))
        unread += outputs
        node = Node("caffe::" + layer["type"][0], inputs, {k: v[0] for k, v in layer.items() if k.endswith("_param")}, outputs)
        node.blobs = blobs
        graph.nodes.append(node)
    graph.results = unread
    return graph


def evaluations(body):
    """[(feeds by name, expected)] of one section."""
    feeds, wanted, target = {}, [], None
    for line in body.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("=>"):
            wanted.append(line[2:])
            target = None
        elif line.startswith("%") and "=" in line:
            target = line[1:line.index("=")].strip()
            feeds[target] = line[line.index("=") + 1:]
        elif target:
            feeds[target] += " " + line
        elif wanted:
            wanted[-1] += " " + line
    return ({name: literal(Tokens(text)) for name, text in feeds.items()}, [literal(Tokens(text)) for text in wanted])


def parts(path):
    """(line, title, text before the first section, [(kind, body)] of the sections) of each case of a file."""
    line = 1
    for part in re.split(r"^(?====)", path.read_text(encoding="utf-8"), flags=re.M):
        where, line = line, line + part.count("\n")
        if part.startswith("==="):
            pieces = re.split(r"^---[ ]*(.*)$", part, flags=re.M)
            title, head = pieces[0].split("\n", 1)
            yield where, title[3:].strip(), head, [(kind.strip(), body) for kind, body in zip(pieces[1::2], pieces[2::2])]


def read(path):
    """(line, graph or None, evaluations) of each case that has numbers."""
    found = []
    for where, _, head, sections in parts(path):
        bodies = [body for kind, body in sections if kind == "evaluate"]
        if not bodies:
            continue
        try:
            source = dict(reversed(sections))
            if "pbtxt" in source:
                graph = read_graph_def(source["pbtxt"])
            elif "prototxt" in source:
                graph = read_net(source["prototxt"])
            else:
                graph = read_text_form(head)
            found.append((where, graph, [evaluations(body) for body in bodies]))
        except (Unread, KeyError, IndexError, ValueError, TypeError, AttributeError) as why:
            found.append((where, None, f"{type(why).__name__}: {why}"))
    return found
