#!/usr/bin/env python3
"""Computes ONNX models with the ONNX Runtime of this interpreter, on the CPU, without optimisations. The protocol is that of serving.py.

Optimisations are off because some change numbers (quantised transformers by 15 %): what is asked is what the model means.

Tensors inside of the model become outputs of a copy in memory. No package of ONNX is needed for it: protobuf merges messages that follow each other, so a second
graph with nothing but outputs, behind the bytes of the model, adds them to the first one.
"""
import os
import re
import sys

from serving import np, serve

MODEL_GRAPH, GRAPH_NODE, GRAPH_OUTPUT, NODE_OUTPUT, VALUE_NAME = 7, 1, 12, 2, 1  # fields of ModelProto, GraphProto, NodeProto, ValueInfoProto
EXTERNAL_FOLDER = "session.model_external_initializers_file_folder_path"  # where a model in memory has its external data

NUMPY_TYPES = {"float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_, "string": np.str_,
               **{name: getattr(np, name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")}}


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def encoded(number, payload):
    """A field of protobuf that holds bytes."""
    header = b""
    for value in (number << 3 | 2, len(payload)):
        while value > 127:
            header, value = header + bytes([value & 127 | 128]), value >> 7
        header += bytes([value])
    return header + payload


def fields(data, wanted):
    """The contents of all fields of that number that hold bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            _, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            if key >> 3 == wanted:
                yield data[at:at + size]
            at += size
        else:
            at += {1: 8, 5: 4}[kind]


def tensors_of(model):
    """Names of the tensors that nodes of the main graph compute."""
    return [bytes(name).decode() for graph in fields(model, MODEL_GRAPH) for node in fields(graph, GRAPH_NODE) for name in fields(node, NODE_OUTPUT)]


def with_outputs(model, names):
    return bytes(model) + encoded(MODEL_GRAPH, b"".join(encoded(GRAPH_OUTPUT, encoded(VALUE_NAME, name.encode())) for name in names))


class Engine:
    name = "onnxruntime"

    def __init__(self):
        global onnxruntime
        import onnxruntime
        self.version = onnxruntime.__version__
        self.options = onnxruntime.SessionOptions()
        self.options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self.options.log_severity_level = 4
        self.options.intra_op_num_threads = 1
        self.forget()

    def forget(self):
        self.path = self.session = None
        self.wanted, self.shown = [], []

    def read(self, job):
        self.path = job["model"]

    def expose(self, names):
        with open(self.path, "rb") as file:
            self.wanted = [name for name in tensors_of(memoryview(file.read())) if name in names]

    def compile(self):
        self.session = self.session_of(self.path)
        own = {port.name for port in self.session.get_outputs()}
        self.wanted = [name for name in self.wanted if name and name not in own]
        if not self.wanted:
            return
        with open(self.path, "rb") as file:
            model = with_outputs(file.read(), self.wanted)
        try:
            self.options.add_session_config_entry(EXTERNAL_FOLDER, os.path.dirname(os.path.abspath(self.path)))
            self.session = self.session_of(model)
        except Exception as error:  # noqa: BLE001 - the outputs are right without what is inside
            print("tensors inside of the model cannot be shown: {}".format(error), file=sys.stderr)
            self.wanted = []

    def session_of(self, model):
        return onnxruntime.InferenceSession(model, self.options, providers=["CPUExecutionProvider"])

    def inputs(self):
        return [[port.name] for port in self.session.get_inputs()]

    def infer(self, feed):
        ports = self.session.get_inputs()
        results = self.session.run(None, {ports[at].name: self.value(ports[at], array) for at, array in feed.items()})
        both = list(zip(self.session.get_outputs(), results))
        count = len(both) - len(self.wanted)
        self.shown = [([port.name], port.type, self.array(value)) for port, value in both[count:] if isinstance(value, (np.ndarray, np.generic))]
        return [([port.name], port.type, self.array(value)) for port, value in both[:count]]

    def exposed(self):
        return self.shown

    def value(self, port, array):
        kind = re.fullmatch(r"tensor\((\w+)\)", port.type)
        if not kind or kind.group(1) not in NUMPY_TYPES:
            raise ValueError("an input of type {} cannot be given".format(port.type))
        return array.astype(NUMPY_TYPES[kind.group(1)])

    def array(self, value):
        if not isinstance(value, (np.ndarray, np.generic)):
            raise ValueError("a result of type {} cannot be read".format(type(value).__name__))
        array = np.array(value)
        return array.astype(str) if array.dtype == object else array.astype(np.float32) if array.dtype.name == "bfloat16" else array

    def nodes(self):
        return 0


if __name__ == "__main__":
    sys.exit(serve(Engine))
