#!/usr/bin/env python3
"""Stores ONNX models with an op between two convolutions, and the numbers of ONNX Runtime. Runs in the environment of ONNX Runtime.

usage: between_convolutions.py FOLDER

Runtimes store the channels of a convolution in blocks of 8 or 16. With 6 channels an op between two of them finds, and may leave, other numbers after the
last channel: what is not finite there spoils the second convolution, which multiplies it by 0. Images have one to three dimensions; the batch is open, or known.
"""
import sys

import numpy as np
import onnxruntime
from cases_file import Writer
from onnx import TensorProto, helper, numpy_helper

BATCH, CHANNELS = 2, 6
OP_SET, IR_VERSION = 17, 8
SIZES = {1: (8,), 2: (8, 8), 3: (4, 4, 4)}
UNARY = ("Abs Atan Ceil Cos Cosh Elu Erf Exp Floor HardSigmoid HardSwish LeakyRelu Neg Relu Round Selu Sigmoid Sign Sin Sinh Softplus Softsign Tan Tanh "
         "ThresholdedRelu Celu GlobalAveragePool GlobalMaxPool Identity").split()
UNARY_OF_POSITIVE = "Sqrt Log Reciprocal Acosh Asin Acos Atanh".split()
BINARY = "Add Sub Mul Div Max Min Pow Mod".split()
REDUCTIONS = "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare".split()


class Net:
    """x -> convolution -> `self.data` -> … ; `op` gives the name of the first output."""

    def __init__(self, rank, seed):
        self.rank, self.random, self.nodes, self.constants, self.count = rank, np.random.default_rng(seed), [], [], 0
        self.data = self.convolution("x", 4, CHANNELS)
        self.planes = list(range(2, 2 + rank))

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def constant(self, array):
        self.constants.append(numpy_helper.from_array(np.asarray(array), self.name()))
        return self.constants[-1].name

    def op(self, op, *inputs, outputs=1, **attributes):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        return names[0]

    def numbers(self, *shape):
        return self.random.normal(size=shape).astype(np.float32)

    def of_channels(self, low=0.5, high=2.0):
        """A constant with a number for each channel."""
        return self.constant(self.random.uniform(low, high, (CHANNELS, *[1] * self.rank)).astype(np.float32))

    def positive(self):
        """Between 0.1 and 0.9."""
        return self.op("Add", self.op("Mul", self.op("Sigmoid", self.data), self.constant(np.float32(0.8))), self.constant(np.float32(0.1)))

    def convolution(self, data, channels, filters):
        return self.op("Conv", data, self.constant(self.numbers(filters, channels, *[3] * self.rank) / 4), pads=[1] * 2 * self.rank)

    def reduced(self, op, data, axes):
        return self.op(op, data, self.constant(np.int64(axes)), keepdims=1) if op == "ReduceSum" else self.op(op, data, axes=axes, keepdims=1)

    def model(self, output, batch="n"):
        shape = [batch, 4, *SIZES[self.rank]]
        graph = helper.make_graph(self.nodes, "between", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                  [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OP_SET)], ir_version=IR_VERSION)


def forms(rank):
    """(name, function of a Net that gives the name of what the second convolution reads)"""
    def padded(mode, channels):
        ends = [0, channels] + [1] * rank
        return lambda n: n.op("Pad", n.data, n.constant(np.int64(ends * 2)), mode=mode)

    def taken(axis, begin, end):
        return lambda n: n.op("Slice", n.data, n.constant(np.int64([begin])), n.constant(np.int64([end])), n.constant(np.int64([axis])))

    def through(*shape):
        """Another shape and back, with normalised rows."""
        def made(n):
            rows = n.op("InstanceNormalization", n.op("Reshape", n.data, n.constant(np.int64(shape))), n.constant(np.ones(shape[1], np.float32)),
                        n.constant(np.zeros(shape[1], np.float32)))
            return n.op("Reshape", rows, n.constant(np.int64([0, CHANNELS, *SIZES[rank]])))
        return made

    for op in UNARY:
        yield op, lambda n, op=op: n.op(op, n.data)
    for op in UNARY_OF_POSITIVE:
        yield op, lambda n, op=op: n.op(op, n.op("Add", n.positive(), n.constant(np.float32(1))) if op == "Acosh" else n.positive())
    for op in BINARY:
        how = {"fmod": 1} if op == "Mod" else {}
        yield f"{op}_of_channels", lambda n, op=op, how=how: n.op(op, n.positive(), n.of_channels(), **how)
        yield f"{op}_by_channels", lambda n, op=op, how=how: n.op(op, n.of_channels(), n.positive(), **how)
        yield f"{op}_of_two", lambda n, op=op, how=how: n.op(op, n.positive(), n.op("Exp", n.data), **how)
        yield f"{op}_of_zeros", lambda n, op=op, how=how: n.op(op, n.positive(), n.op("Abs", n.data), **how)
    for op in REDUCTIONS:
        yield f"{op}_over_planes", lambda n, op=op: n.op("Mul", n.data, n.reduced(op, n.positive(), n.planes))
        yield f"{op}_over_channels", lambda n, op=op: n.op("Sub", n.data, n.reduced(op, n.positive(), [1]))
        yield f"{op}_over_columns", lambda n, op=op: n.reduced(op, n.positive(), [1 + rank])
        yield f"{op}_over_batch", lambda n, op=op: n.reduced(op, n.positive(), [0])
    for axis in range(1, rank + 2):
        for op in ("Softmax", "LogSoftmax", "Hardmax"):
            yield f"{op}_{axis}", lambda n, op=op, axis=axis: n.op(op, n.data, axis=axis)
        for power in (1, 2):
            yield f"LpNormalization_{axis}_{power}", lambda n, axis=axis, power=power: n.op("LpNormalization", n.data, axis=axis, p=power)
        yield f"CumSum_{axis}", lambda n, axis=axis: n.op("CumSum", n.data, n.constant(np.int64(axis)))
        for largest in (0, 1):
            yield f"TopK_{axis}_{largest}", lambda n, axis=axis, largest=largest: n.op("TopK", n.data, n.constant(np.int64([4])), outputs=2, axis=axis, largest=largest)
        yield f"ArgMax_{axis}", lambda n, axis=axis: n.op("Add", n.data, n.op("Cast", n.op("ArgMax", n.data, axis=axis, keepdims=1), to=TensorProto.FLOAT))
        yield f"Slice_{axis}", taken(axis, 1, 4)
        yield f"Gather_{axis}", lambda n, axis=axis: n.op("Gather", n.data, n.constant(np.int64([3, 0, 3, 2, 1])), axis=axis)
        yield f"Concat_{axis}", lambda n, axis=axis: n.op("Concat", n.data, n.positive(), axis=axis)
        yield f"Concat_of_part_{axis}", lambda n, axis=axis: n.op("Concat", n.data, taken(axis, 0, 3)(n), axis=axis)
        yield f"Split_{axis}", lambda n, axis=axis: n.op("Split", n.data, n.constant(np.int64([3, (CHANNELS if axis == 1 else SIZES[rank][0]) - 3])), outputs=2,
                                                         axis=axis)
    for name, axes in (("planes", range(2, 2 + rank)), ("image", range(1, 2 + rank)), ("batch", [0, *range(2, 2 + rank)])):
        yield f"MeanVarianceNormalization_{name}", lambda n, axes=axes: n.op("MeanVarianceNormalization", n.data, axes=list(axes))
    yield "InstanceNormalization", lambda n: n.op("InstanceNormalization", n.data, n.constant(n.numbers(CHANNELS)), n.constant(n.numbers(CHANNELS)))
    yield "BatchNormalization", lambda n: n.op("BatchNormalization", n.data, *[n.constant(n.numbers(CHANNELS)) for _ in range(3)],
                                               n.constant(np.ones(CHANNELS, np.float32)))
    yield "group_normalization", through(0, 2, -1)
    for mode in ("constant", "reflect", "edge"):
        yield f"Pad_{mode}", padded(mode, 0)
        yield f"Pad_channels_{mode}", padded(mode, 1)
    yield "MaxPool", lambda n: n.op("MaxPool", n.data, kernel_shape=[2] * rank, strides=[2] * rank)
    yield "AveragePool", lambda n: n.op("AveragePool", n.data, kernel_shape=[3] * rank, pads=[1] * 2 * rank)
    yield "Tile", lambda n: n.op("Tile", n.data, n.constant(np.int64([1, 2] + [1] * rank)))
    yield "PRelu", lambda n: n.op("PRelu", n.data, n.of_channels(-1, 1))
    yield "Clip", lambda n: n.op("Clip", n.data, n.constant(np.float32(0.5)), n.constant(np.float32(2)))
    yield "Where", lambda n: n.op("Where", n.op("Greater", n.data, n.constant(np.float32(0.1))), n.data, n.constant(np.float32(0.1)))
    yield "Not", lambda n: n.op("Cast", n.op("Not", n.op("Less", n.data, n.constant(np.float32(0)))), to=TensorProto.FLOAT)
    yield "IsNaN", lambda n: n.op("Add", n.data, n.op("Cast", n.op("IsNaN", n.data), to=TensorProto.FLOAT))
    for kind in ("FLOAT16", "INT32", "INT64"):
        yield f"Cast_{kind}", lambda n, kind=kind: n.op("Cast", n.op("Cast", n.data, to=getattr(TensorProto, kind)), to=TensorProto.FLOAT)
    for mode in ("nearest", "linear"):
        yield f"Resize_{mode}", lambda n, mode=mode: n.op("Resize", n.data, "", n.constant(np.float32([1, 1] + [2] * rank)), mode=mode)
    yield "ConvTranspose", lambda n: n.op("ConvTranspose", n.data, n.constant(n.numbers(CHANNELS, CHANNELS, *[2] * rank)), strides=[2] * rank)
    for groups in (2, CHANNELS):
        yield f"Conv_{groups}_groups", lambda n, groups=groups: n.op("Conv", n.data, n.constant(n.numbers(CHANNELS, CHANNELS // groups, *[3] * rank)), group=groups,
                                                                     pads=[1] * 2 * rank)
    yield "QuantizeLinear", lambda n: n.op("DequantizeLinear", n.op("QuantizeLinear", n.data, s := n.constant(np.float32(0.05)), z := n.constant(np.uint8(128))), s, z)
    yield "Expand", lambda n: n.op("Expand", n.op("GlobalAveragePool", n.data), n.constant(np.int64([1, CHANNELS, *SIZES[rank]])))
    yield "Transpose", lambda n: n.op("Transpose", n.data, perm=[0, 1, *reversed(n.planes)])
    yield "squeeze_and_excite", lambda n: n.op("Mul", n.data, n.op("Sigmoid", n.op("GlobalAveragePool", n.data)))
    yield "Swish", lambda n: n.op("Mul", n.data, n.op("Sigmoid", n.data))
    yield "ScatterElements", lambda n: n.op("ScatterElements", n.data, n.constant(np.full((BATCH, 1, *SIZES[rank]), 5)),
                                            n.constant(np.ones((BATCH, 1, *SIZES[rank]), np.float32)), axis=1)
    if rank == 2:
        yield "LRN", lambda n: n.op("LRN", n.data, size=3)
        yield "DepthToSpace", lambda n: n.op("DepthToSpace", n.op("Concat", n.data, taken(1, 0, 2)(n), axis=1), blocksize=2)
        yield "SpaceToDepth", lambda n: n.op("SpaceToDepth", n.data, blocksize=2)
        yield "MaxRoiPool", lambda n: n.op("MaxRoiPool", n.data, n.constant(np.float32([[0, 0, 0, 5, 5], [1, 1, 1, 7, 7]])), pooled_shape=[3, 3])
        yield "MatMul", lambda n: n.op("MatMul", n.data, n.constant(n.numbers(8, 8)))


def computed(model, feeds):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)[0]


def main():
    writer = Writer(sys.argv[1])
    for rank, sizes in SIZES.items():
        x = np.random.default_rng(rank).normal(size=(BATCH, 4, *sizes)).astype(np.float32)
        for seed, (name, form) in enumerate(forms(rank)):
            net = Net(rank, seed)
            read = form(net)
            channels = computed(net.model(read), {"x": x}).shape[1]
            output = net.convolution(read, channels, 5)
            result = computed(net.model(output), {"x": x})
            if not np.isfinite(result).all():
                raise ValueError(f"{name} is not finite in {rank} dimensions")
            for ending, batch in (("", "n"), ("_known", BATCH)):
                writer.add(f"{name}_{rank}d{ending}", net.model(output, batch).SerializeToString(), [("x", x)], [(output, result)])
    writer.finish()


if __name__ == "__main__":
    main()
