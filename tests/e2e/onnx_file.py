"""Reads small ONNX files without any library: what a test needs to compute a model by itself."""
import struct
from types import SimpleNamespace

import numpy as np

TYPES = {1: np.float32, 2: np.uint8, 3: np.int8, 4: np.uint16, 5: np.int16, 6: np.int32, 7: np.int64, 9: np.bool_, 10: np.float16, 11: np.float64}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


def fields(data):
    """Number of the field -> its values: integers, or bytes."""
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], at)
            value, at = data[at:at + size], at + size
        found.setdefault(key >> 3, []).append(value)
    return found


def integers(values):
    """Repeated integers, packed or one by one."""
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(signed(value))
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            found.append(signed(number))
    return found


def reals(values):
    return list(np.frombuffer(b"".join(values), np.float32))


def text(values):
    return values[0].decode() if values else ""


def tensor(data):
    """TensorProto: name, array."""
    f = fields(data)
    shape, kind = integers(f.get(1, [])), TYPES[f[2][0]]
    if 9 in f:
        array = np.frombuffer(f[9][0], kind)
    elif 4 in f:
        array = np.array(reals(f[4]), kind)
    else:
        array = np.array(integers(f.get(5, []) + f.get(7, [])), kind)
    return text(f.get(8)), array.reshape(shape)


def attribute(data):
    """AttributeProto: name, value."""
    f = fields(data)
    kind = f[20][0]
    value = {1: lambda: struct.unpack("<f", f[2][0])[0], 2: lambda: signed(f[3][0]), 3: lambda: f[4][0].decode(), 4: lambda: tensor(f[5][0])[1],
             5: lambda: graph(f[6][0]), 6: lambda: reals(f.get(7, [])), 7: lambda: integers(f.get(8, [])), 8: lambda: [s.decode() for s in f.get(9, [])]}[kind]()
    return text(f[1]), value


def value_info(data):
    """ValueInfoProto: name, element type, shape with None for what is not a number."""
    f = fields(data)
    found = fields(fields(f[2][0])[1][0]) if 2 in f else {}
    dims = [fields(d) for d in fields(found[2][0]).get(1, [])] if 2 in found else []
    return SimpleNamespace(name=text(f[1]), type=TYPES.get(found.get(1, [0])[0]), shape=[signed(d[1][0]) if 1 in d else None for d in dims])


def node(data):
    f = fields(data)
    return SimpleNamespace(inputs=[i.decode() for i in f.get(1, [])], outputs=[o.decode() for o in f.get(2, [])], op=text(f[4]), domain=text(f.get(7)),
                           attributes=dict(attribute(a) for a in f.get(5, [])))


def graph(data):
    f = fields(data)
    made = SimpleNamespace(nodes=[node(n) for n in f.get(1, [])], constants=dict(tensor(t) for t in f.get(5, [])),
                           inputs=[value_info(v) for v in f.get(11, [])], outputs=[value_info(v) for v in f.get(12, [])])
    made.inputs = [i for i in made.inputs if i.name not in made.constants]
    return made


def read(path):
    """The graph, and the versions of the domains."""
    f = fields(path.read_bytes())
    imports = {text(i.get(1)): i[2][0] for i in map(fields, f.get(8, []))}
    return graph(f[7][0]), imports


def input_names(path):
    """Names of the inputs that are not constants, whatever their types are."""
    f = fields(fields(path.read_bytes())[7][0])
    constants = {text(fields(t).get(8)) for t in f.get(5, [])}
    return [name for name in (text(fields(v)[1]) for v in f.get(11, [])) if name not in constants]


def output_names(path):
    return [text(fields(v)[1]) for v in fields(fields(path.read_bytes())[7][0]).get(12, [])]
