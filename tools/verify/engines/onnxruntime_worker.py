#!/usr/bin/env python3
"""Computes ONNX models with the ONNX Runtime of this interpreter, on the CPU, without optimisations. The protocol is that of serving.py.

Optimisations are off because some change numbers (quantised transformers by 15 %): what is asked is what the model means.

Tensors inside of the model become outputs, and where a conversion was told to begin inside, inputs of a copy in memory (onnx_wire.py).
"""
import ctypes
import mmap
import os
import re
import sys

import onnx_wire
from onnx_checks import LARGEST_MESSAGE, check
from serving import bfloat16_bits, from_bfloat16_bits, np, serve

EXTERNAL_FOLDER = "session.model_external_initializers_file_folder_path"  # where a model in memory has its external data

BFLOAT16, BFLOAT16_CODE = "tensor(bfloat16)", 16
NUMPY_TYPES = {"float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_, "string": np.str_,
               **{name: getattr(np, name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")}}


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
        self.wanted, self.shown, self.cuts, self.own_outputs = [], [], {}, 0

    def read(self, job):
        self.path = job["model"]
        if job.get("check"):
            check(self.path, needs_ranks=job["check"] != "form")
        if not job.get("strict"):
            return
        model = self.contents()
        inputs, inside = set(onnx_wire.inputs_of(model)), set(onnx_wire.tensors_of(model))
        given = {name: entry["file"] for entry in job["inputs"] if not inputs.intersection(entry["names"]) for name in entry["names"] if name in inside}
        if given:  # the conversion begins there
            self.cuts = {name: np.load(file, mmap_mode="r").dtype for name, file in given.items()}
            self.cuts.update((name, np.load(entry["file"], mmap_mode="r").dtype) for entry in job["inputs"] for name in entry["names"] if name in inputs)

    def expose(self, names):
        self.wanted = [name for name in onnx_wire.tensors_of(self.contents()) if name in names]

    def contents(self):
        with open(self.path, "rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    def compile(self):
        if self.cuts:
            self.session = self.session_of(onnx_wire.cut(self.contents(), self.cuts, self.wanted))
            return
        self.session = self.session_of(self.path)
        own = {port.name for port in self.session.get_outputs()}
        self.own_outputs = len(own)
        self.wanted = [name for name in self.wanted if name and name not in own]
        if not self.wanted:
            return
        try:
            self.session = self.session_of(onnx_wire.with_outputs(self.contents(), self.wanted))
        except Exception as error:  # noqa: BLE001 - the outputs are right without what is inside
            print("tensors inside of the model cannot be shown: {}".format(error), file=sys.stderr)

    def session_of(self, model):
        if not isinstance(model, str):
            self.options.add_session_config_entry(EXTERNAL_FOLDER, os.path.dirname(os.path.abspath(self.path)))
        return onnxruntime.InferenceSession(model, self.options, providers=["CPUExecutionProvider"])

    def inputs(self):
        return [[port.name] for port in self.session.get_inputs()]

    def infer(self, feed):
        ports = self.session.get_inputs()
        given = {ports[at].name: self.value(ports[at], array) for at, array in feed.items()}
        has_bfloat16 = any(port.type == BFLOAT16 for port in ports + self.session.get_outputs())
        results = self.run_with_bfloat16(given) if has_bfloat16 else self.session.run(None, given)
        both = list(zip(self.session.get_outputs(), results))
        count = self.own_outputs
        self.shown = [([port.name], port.type, self.array(value)) for port, value in both[count:] if isinstance(value, (np.ndarray, np.generic))]
        return [([port.name], port.type, self.array(value)) for port, value in both[:count]]

    def exposed(self):
        return self.shown

    def run_with_bfloat16(self, given):
        """numpy has no such type: the engine takes the bits, and gives the address of those of its results."""
        values = {name: value if isinstance(value, onnxruntime.OrtValue) else onnxruntime.OrtValue.ortvalue_from_numpy(value) for name, value in given.items()}
        results = []
        for value in self.session.run_with_ort_values(None, values):
            if not value.is_tensor() or value.data_type() != BFLOAT16:
                results.append(value.numpy())
                continue
            shape = value.shape()
            raw = ctypes.string_at(value._ortvalue.data_ptr(), 2 * int(np.prod(shape)))
            results.append(from_bfloat16_bits(np.frombuffer(raw, np.uint16)).reshape(shape))
        return results

    def value(self, port, array):
        if port.type == BFLOAT16:
            bits = bfloat16_bits(array).reshape(array.shape)
            return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, BFLOAT16_CODE)
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
