#!/usr/bin/env python3
"""Computes ONNX models with the ONNX Runtime of this interpreter, on the CPU, without optimisations. The protocol is that of serving.py.

Optimisations are off because some change numbers (quantised transformers by 15 %): what is asked is what the model means.
"""
import re
import sys

import numpy as np
import onnxruntime
from serving import serve

NUMPY_TYPES = {"float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_, "string": np.str_,
               **{name: getattr(np, name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")}}


class Engine:
    name = "onnxruntime"

    def __init__(self):
        self.version = onnxruntime.__version__
        self.options = onnxruntime.SessionOptions()
        self.options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        self.options.log_severity_level = 4
        self.options.intra_op_num_threads = 1
        self.forget()

    def forget(self):
        self.path = self.session = None

    def read(self, path):
        self.path = path

    def compile(self):
        self.session = onnxruntime.InferenceSession(self.path, self.options, providers=["CPUExecutionProvider"])

    def inputs(self):
        return [[port.name] for port in self.session.get_inputs()]

    def infer(self, feed):
        ports = self.session.get_inputs()
        results = self.session.run(None, {ports[at].name: self.value(ports[at], array) for at, array in feed.items()})
        return [([port.name], port.type, self.array(value)) for port, value in zip(self.session.get_outputs(), results)]

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
