"""ONNX models of graphs of ONNX operators in text form, which `cases` reads: what the text tests of the front end begin with, as a file says it."""
import cases
import numpy as np
from wire_models import Onnx, chunk, chunks, number

DATA_TYPES = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "boolean": 9, "f16": 10, "f64": 11, "u32": 12, "u64": 13}  # TensorProto.DataType
ELEMENTS = {np.dtype(kind): name for name, kind in cases.TYPES.items()}


def tensor(name, array):
    return Onnx.tensor(name, array.shape, array.tobytes(), DATA_TYPES[ELEMENTS[array.dtype]])


def attribute(value):
    if isinstance(value, np.ndarray):
        return {"tensor": tensor("", value)}
    if isinstance(value, list) and value and not isinstance(value[0], int):
        if isinstance(value[0], str):
            return {"raw": chunks(9, value) + number(20, 8)}
        return {"raw": chunk(7, np.array(value, np.float32).tobytes()) + number(20, 6)}
    return int(value) if isinstance(value, bool) else value


def node(source, constants, op_sets):
    domain, _, op = source.op.partition("::")
    if not op:
        raise cases.Unread(f"an op of the text form, {domain}")
    domain = "" if domain == "onnx" else domain
    version = source.get("@opset", 1)
    if op_sets.setdefault(domain, version) != version:
        raise cases.Unread("operators of two op sets")
    inputs = []
    for value in source.inputs:
        if isinstance(value, np.ndarray):
            constants.append(tensor(f"constant_{len(constants)}", value))
            value = f"constant_{len(constants) - 1}"
        inputs.append(value or "")
    return Onnx.node(op, inputs, source.outputs, domain=domain, **{name: attribute(value) for name, value in source.attributes.items() if not name.startswith("@")})


def parameter(name, kind, sizes):
    if kind not in DATA_TYPES:
        raise cases.Unread(f"type {kind}")
    return Onnx.value(name, None if sizes is None else [int(size) if size.isdigit() else None for size in sizes], DATA_TYPES[kind])


def model(graph, results=()):
    """The ModelProto of a graph; `results`: arrays of the types of its outputs. Errors: cases.Unread where a file has no place for something."""
    constants, op_sets = [], {}
    nodes = [node(source, constants, op_sets) for source in graph.nodes]
    inputs = [parameter(name, *graph.types[name]) for name, _ in graph.inputs]
    types = [DATA_TYPES[ELEMENTS[array.dtype]] for array in results]
    outputs = [Onnx.value(name, None, kind) for name, kind in zip(graph.results, types)] or [Onnx.output(name) for name in graph.results]
    return Onnx.model(Onnx.graph(nodes, inputs, outputs, constants), imports={"": 13, **op_sets}.items())


def models(path):
    """(title, graph, model, sections) of each case of a `.test` file whose graph a file of ONNX can hold."""
    for _, title, head, sections in cases.parts(path):
        try:
            graph = cases.read_text_form(head)
            yield title, graph, model(graph), sections
        except (cases.Unread, AttributeError, IndexError, KeyError, TypeError, ValueError):
            continue
