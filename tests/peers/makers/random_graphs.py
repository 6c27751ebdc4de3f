#!/usr/bin/env python3
"""Stores random ONNX graphs with the numbers of ONNX Runtime. Runs in the environment of ONNX Runtime.

usage: random_graphs.py FOLDER FIRST COUNT        graphs FIRST … FIRST + COUNT - 1; the number is the seed, so each graph is the same in every run

Each node is computed when it is added. Its results decide what may follow: nothing that is not finite, empty or large, and no step function near its step, so
that engines which round differently agree. Some input dimensions are left open in half of the graphs.
"""
import sys

import numpy as np
import onnxruntime
from cases_file import Writer
from onnx import helper, numpy_helper
from random_nodes import MAKERS
from random_tools import Unfit

OP_SETS = (11, 13, 15, 17, 18, 20, 21)
IR_VERSION = 9
MOST_ELEMENTS = 20000
LARGEST = 1e4

OPTIONS = onnxruntime.SessionOptions()
OPTIONS.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
OPTIONS.log_severity_level = 4
OPTIONS.intra_op_num_threads = 1


def value_info(name, array, dims=None):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), list(array.shape) if dims is None else dims)


def run(model, feeds):
    session = onnxruntime.InferenceSession(model.SerializeToString(), OPTIONS, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


class Builder:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.op_set = int(self.random.choice(OP_SETS))
        self.values, self.constants, self.nodes, self.inputs, self.used = {}, {}, [], [], set()

    def model(self, nodes, inputs, outputs, constants):
        graph = helper.make_graph(nodes, "random", inputs, outputs, [numpy_helper.from_array(array, name) for name, array in constants.items()])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.op_set)], ir_version=IR_VERSION)

    def add_input(self):
        rank = int(self.random.choice([1, 2, 3, 4, 4, 5], p=[0.1, 0.2, 0.2, 0.2, 0.2, 0.1]))
        dims = self.random.integers(1, 6, rank)
        if rank >= 3:
            dims[2:] += self.random.integers(0, 5)
        kind = self.random.choice(["float", "int64", "int32", "bool"], p=[0.8, 0.08, 0.07, 0.05])
        if kind == "float":
            array = self.random.standard_normal(dims).astype(np.float32)
        else:
            array = self.random.integers(0, 2, dims).astype(bool) if kind == "bool" else self.random.integers(-5, 6, dims).astype(kind)
        name = f"x{len(self.inputs)}"
        self.values[name] = array
        self.inputs.append(name)

    def pick(self, fits=lambda array: array.dtype == np.float32):
        names = [name for name, array in self.values.items() if fits(array)]
        if not names:
            raise Unfit
        recent = names[-4:] if self.random.random() < 0.7 else names  # mostly chains
        return str(self.random.choice(recent))

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(array)
        return name

    def add(self, op, inputs, outputs=1, **attributes):
        """Computes and appends the node. Raises Unfit where its results do not serve."""
        names = [f"t{len(self.values) + i}" for i in range(outputs)]
        node = helper.make_node(op, inputs, names, **attributes)
        read = [name for name in inputs if name]
        given = {name: self.values[name] for name in read if name in self.values}
        constants = {name: self.constants[name] for name in read if name in self.constants}
        model = self.model([node], [value_info(name, array) for name, array in given.items()], [helper.make_empty_tensor_value_info(name) for name in names], constants)
        try:
            results = run(model, given)
        except Exception as error:
            raise Unfit from error
        for result in results:
            if not isinstance(result, np.ndarray) or not 0 < result.size <= MOST_ELEMENTS or not np.isfinite(result).all() or np.abs(result.astype(np.float64)).max() > LARGEST:
                raise Unfit
        self.nodes.append(node)
        self.values.update(zip(names, results))
        self.used.update(read)
        return names

    def build(self):
        for _ in range(int(self.random.integers(1, 4))):
            self.add_input()
        wanted = int(self.random.integers(2, 14))
        for _ in range(wanted * 6):
            maker = MAKERS[int(self.random.integers(len(MAKERS)))]
            constants, nodes, values, used = dict(self.constants), list(self.nodes), dict(self.values), set(self.used)
            try:
                maker(self)
            except Unfit:
                self.constants, self.nodes, self.values, self.used = constants, nodes, values, used
            if len(self.nodes) >= wanted:
                break

    def finished(self):
        inputs = [name for name in self.inputs if name in self.used]
        if not self.nodes or not inputs:
            return None
        results = [name for node in self.nodes for name in node.output if name not in self.used]
        open_dims = self.random.random() < 0.5

        def dims(name):
            return [f"{name}_{i}" if open_dims and self.random.random() < 0.4 else int(dim) for i, dim in enumerate(self.values[name].shape)]

        read = {name for node in self.nodes for name in node.input}
        model = self.model(self.nodes, [value_info(name, self.values[name], dims(name)) for name in inputs],
                           [value_info(name, self.values[name], [None] * self.values[name].ndim) for name in results],
                           {name: array for name, array in self.constants.items() if name in read})
        given = [(name, self.values[name]) for name in inputs]
        return model, given, list(zip(results, run(model, dict(given))))


def main():
    folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    writer = Writer(folder)
    for seed in range(first, first + count):
        builder = Builder(seed)
        builder.build()
        try:
            made = builder.finished()
        except Exception as error:
            writer.skip(f"g{seed:06}", str(error)[:200])
            continue
        if made:
            writer.add(f"g{seed:06}", made[0].SerializeToString(), made[1], made[2])
    writer.finish()


if __name__ == "__main__":
    main()
