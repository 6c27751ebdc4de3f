"""What must be changed in an ONNX model to see inside of it, on the bytes of its protobuf messages: no package of ONNX is needed.

Messages that follow each other are merged, so a second graph with nothing but outputs, behind the bytes of the model, adds them to the first one.
"""
MODEL_GRAPH = 7
GRAPH_NODE, GRAPH_INPUT, GRAPH_OUTPUT = 1, 11, 12
NODE_INPUT, NODE_OUTPUT, NODE_ATTRIBUTE = 1, 2, 5
ATTRIBUTE_GRAPHS = (6, 11)
VALUE_NAME, VALUE_TYPE, TYPE_TENSOR, TENSOR_ELEMENT = 1, 2, 1, 1
ELEMENT_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11,
                 "uint32": 12, "uint64": 13}


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def as_varint(value):
    made = b""
    while value > 127:
        made, value = made + bytes([value & 127 | 128]), value >> 7
    return made + bytes([value])


def encoded(number, payload):
    """A field that holds bytes."""
    return as_varint(number << 3 | 2) + as_varint(len(payload)) + payload


def parts(data):
    """(number of the field, its bytes with the header, what it holds or None) for each field."""
    at = 0
    while at < len(data):
        begin, held = at, None
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            _, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            held, at = data[at:at + size], at + size
        else:
            at += {1: 8, 5: 4}[kind]
        yield key >> 3, data[begin:at], held


def held_by(data, *numbers):
    return (held for number, _, held in parts(data) if number in numbers and held is not None)


def texts(data, number):
    return [bytes(text).decode() for text in held_by(data, number)]


def tensors_of(model):
    """Names of the tensors that nodes of the main graph compute."""
    return [name for graph in held_by(model, MODEL_GRAPH) for node in held_by(graph, GRAPH_NODE) for name in texts(node, NODE_OUTPUT)]


def inputs_of(model):
    return [name for graph in held_by(model, MODEL_GRAPH) for value in held_by(graph, GRAPH_INPUT) for name in texts(value, VALUE_NAME)]


def outputs(names):
    return b"".join(encoded(GRAPH_OUTPUT, encoded(VALUE_NAME, name.encode())) for name in names)


def with_outputs(model, names):
    return bytes(model) + encoded(MODEL_GRAPH, outputs(names))


def read_by(node):
    """Names that a node reads, in the graphs of its attributes as well."""
    names = texts(node, NODE_INPUT)
    for attribute in held_by(node, NODE_ATTRIBUTE):
        for graph in held_by(attribute, *ATTRIBUTE_GRAPHS):
            for inner in held_by(graph, GRAPH_NODE):
                names += read_by(inner)
    return names


def cut(model, types, wanted):
    """The part of the model between the tensors of `types` ({name: numpy type}), which become inputs, and those of `wanted`, which become its outputs."""
    graph = b"".join(bytes(held) for held in held_by(model, MODEL_GRAPH))
    nodes = list(held_by(graph, GRAPH_NODE))
    makers = {name: node for node in nodes for name in texts(node, NODE_OUTPUT) if name}
    live, read, open_names = set(), set(), [name for name in wanted if name in makers]
    while open_names:
        name = open_names.pop()
        read.add(name)
        if name in makers and name not in types and id(makers[name]) not in live:
            live.add(id(makers[name]))
            open_names += read_by(makers[name])
    kept = b""
    alive = iter([id(node) in live for node in nodes])
    for number, field, held in parts(graph):
        if number == GRAPH_NODE and not next(alive) or number == GRAPH_OUTPUT:
            continue
        if number == GRAPH_INPUT and (texts(held, VALUE_NAME)[0] in types or texts(held, VALUE_NAME)[0] not in read):
            continue
        kept += bytes(field)
    for name, kind in types.items():
        tensor = encoded(TYPE_TENSOR, as_varint(TENSOR_ELEMENT << 3) + as_varint(ELEMENT_TYPES[str(kind)]))
        kept += encoded(GRAPH_INPUT, encoded(VALUE_NAME, name.encode()) + encoded(VALUE_TYPE, tensor))
    rest = b"".join(bytes(field) for number, field, _ in parts(model) if number != MODEL_GRAPH)
    return rest + encoded(MODEL_GRAPH, kept + outputs([name for name in wanted if name in makers]))
