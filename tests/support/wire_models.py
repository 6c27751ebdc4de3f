"""Writes models byte by byte, without any library and without a check: what tests of bad input, of very many nodes and of weights need.

Messages are bytes; a function per message takes what the tests vary. Numbers are those of the .proto files."""
import struct

FLOAT, INT32, INT64 = 1, 6, 7  # TensorProto.DataType of ONNX
DT_FLOAT, DT_INT32, DT_INT64 = 1, 3, 9  # of TensorFlow


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def head(field, size):
    """Tag and length of a chunk whose content follows."""
    return varint(field << 3 | 2) + varint(size)


def chunk(field, content):
    content = content.encode() if isinstance(content, str) else bytes(content)
    return head(field, len(content)) + content


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def chunks(field, contents):
    return b"".join(chunk(field, content) for content in contents)


def put(field, value):
    """A field of whatever kind the value is: an integer, a real number, a text or a message."""
    if isinstance(value, int):
        return number(field, int(value))
    return real(field, value) if isinstance(value, float) else chunk(field, value)


def puts(field, values):
    return b"".join(put(field, value) for value in values)


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def int64s(*values):
    return struct.pack(f"<{len(values)}q", *values)


class Onnx:
    """Messages of onnx.proto."""

    @staticmethod
    def dim(value):
        return b"" if value is None else chunk(2, value) if isinstance(value, str) else number(1, value)

    @classmethod
    def value(cls, name, shape=(2,), element=FLOAT):
        dims = b"" if shape is None else chunk(2, chunks(1, (cls.dim(d) for d in shape)))
        return chunk(1, name) + chunk(2, chunk(1, number(1, element) + dims))

    @staticmethod
    def output(name):
        """An output whose type the model does not say."""
        return chunk(1, name)

    @staticmethod
    def tensor(name, dims, raw=None, element=FLOAT, more=b""):
        return b"".join(number(1, d) for d in dims) + number(2, element) + chunk(8, name) + (b"" if raw is None else chunk(9, raw)) + more

    @staticmethod
    def external(**entries):
        return b"".join(chunk(13, chunk(1, key) + chunk(2, value)) for key, value in entries.items()) + number(14, 1)

    @staticmethod
    def attribute(name, value):
        head = chunk(1, name)
        if isinstance(value, int):
            return head + number(3, value) + number(20, 2)
        if isinstance(value, float):
            return head + real(2, value) + number(20, 1)
        if isinstance(value, str):
            return head + chunk(4, value) + number(20, 3)
        if isinstance(value, (list, tuple)):
            return head + chunk(8, b"".join(map(varint, value))) + number(20, 7)
        kind, content = value.popitem()
        return head + {"tensor": chunk(5, content) + number(20, 4), "graph": chunk(6, content) + number(20, 5), "raw": content}[kind]

    @classmethod
    def node(cls, op, inputs, outputs, name="", domain="", **attributes):
        return (chunks(1, inputs) + chunks(2, outputs) + (chunk(3, name) if name else b"") + chunk(4, op) +
                b"".join(chunk(5, cls.attribute(key, value)) for key, value in attributes.items()) + (chunk(7, domain) if domain else b""))

    @staticmethod
    def graph(nodes, inputs=(), outputs=(), tensors=(), name="g", more=b""):
        return chunks(1, nodes) + chunk(2, name) + chunks(5, tensors) + chunks(11, inputs) + chunks(12, outputs) + more

    @staticmethod
    def function(name, inputs, outputs, nodes, opset=13):
        imports = chunk(9, chunk(1, "") + number(2, opset)) + chunk(9, chunk(1, "local") + number(2, 1))
        return chunk(1, name) + chunks(4, inputs) + chunks(5, outputs) + chunks(7, nodes) + imports + chunk(10, "local")

    @staticmethod
    def model(graph, opset=13, ir=8, functions=(), imports=None):
        imports = [("", opset), ("local", 1)] if imports is None else imports
        return (number(1, ir) + chunk(7, graph) + chunks(8, (chunk(1, domain) + number(2, version) for domain, version in imports)) +
                chunks(25, functions))

    @classmethod
    def one(cls, op, shape=(1, 3, 8, 8), tensors=(), opset=13, outputs=("y",), element=FLOAT, inputs=None, **attributes):
        """A model of one operator, which reads x and the tensors."""
        read = ["x"] + [name for name, _ in tensors] if inputs is None else inputs
        return cls.model(cls.graph([cls.node(op, read, outputs, "n", **attributes)], [cls.value("x", shape, element)],
                                   [cls.value(outputs[0], None)], [content for _, content in tensors]), opset)


class Tf:
    """Messages of graph.proto and those below."""

    @staticmethod
    def shape(dims):
        return chunks(2, (number(1, d) for d in dims))

    @classmethod
    def tensor(cls, dims, content=None, element=DT_FLOAT, more=b""):
        return number(1, element) + chunk(2, cls.shape(dims)) + (b"" if content is None else chunk(4, content)) + more

    @staticmethod
    def node(name, op, inputs=(), **attributes):
        return (chunk(1, name) + chunk(2, op) + chunks(3, inputs) +
                b"".join(chunk(5, chunk(1, key) + chunk(2, value)) for key, value in attributes.items()))

    @staticmethod
    def type(element=DT_FLOAT):
        return number(6, element)

    @classmethod
    def input(cls, name="x", dims=(2,), element=DT_FLOAT):
        return cls.node(name, "Placeholder", dtype=cls.type(element), shape=chunk(7, cls.shape(dims)))

    @classmethod
    def constant(cls, name, dims, content=None, element=DT_FLOAT, more=b""):
        return cls.node(name, "Const", dtype=cls.type(element), value=chunk(8, cls.tensor(dims, content, element, more)))

    @classmethod
    def op(cls, name, op, *inputs, **attributes):
        return cls.node(name, op, inputs, T=cls.type(), **attributes)

    @classmethod
    def function(cls, name, nodes, inputs=("a",), outputs=(("r", "y:z:0"),)):
        argument = [chunk(1, i) + number(3, DT_FLOAT) for i in inputs]
        result = [chunk(1, key) + number(3, DT_FLOAT) for key, _ in outputs]
        return (chunk(1, chunk(1, name) + chunks(2, argument) + chunks(3, result)) + chunks(3, nodes) +
                b"".join(chunk(4, chunk(1, key) + chunk(2, tensor)) for key, tensor in outputs))

    @staticmethod
    def graph(nodes, functions=()):
        library = chunk(2, chunks(1, functions)) if functions else b""
        return chunks(1, nodes) + library + chunk(4, number(1, 1000))

    @staticmethod
    def saved_model(graph, tags=("serve",)):
        return number(1, 1) + chunk(2, chunk(1, chunks(4, tags)) + chunk(2, graph))


class Caffe:
    """Messages of caffe.proto, for weights."""

    @staticmethod
    def blob(shape, content):
        return chunk(7, chunk(1, b"".join(map(varint, shape)))) + chunk(5, content)

    @staticmethod
    def layer(name, kind, blobs=()):
        """A field of the NetParameter."""
        return chunk(100, chunk(1, name) + chunk(2, kind) + chunks(7, blobs))


def ir(layers, edges, version=11):
    """An .xml: layers are (id, type, opset, attributes, input ports, output ports), a port is (id, dims); edges (layer, port, layer, port)."""
    def port(name, ports, precision):
        body = "".join(f'<port id="{i}"{precision}>' + "".join(f"<dim>{d}</dim>" for d in dims) + "</port>" for i, dims in ports)
        return f"<{name}>{body}</{name}>" if ports else ""

    parts = [f'<?xml version="1.0"?>\n<net name="n" version="{version}"><layers>']
    for i, kind, opset, attributes, inputs, outputs in layers:
        data = "".join(f' {key}="{value}"' for key, value in attributes.items())
        parts.append(f'<layer id="{i}" name="l{i}" type="{kind}" version="{opset}"><data{data}/>' + port("input", inputs, ' precision="FP32"') +
                     port("output", outputs, ' precision="FP32"') + "</layer>")
    parts.append("</layers><edges>")
    parts += [f'<edge from-layer="{a}" from-port="{p}" to-layer="{b}" to-port="{q}"/>' for a, p, b, q in edges]
    return "".join(parts) + "</edges></net>"
