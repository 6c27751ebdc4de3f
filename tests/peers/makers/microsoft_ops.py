#!/usr/bin/env python3
"""Stores models of one operator of com.microsoft each, and the numbers of ONNX Runtime. Runs in the environment of ONNX Runtime.

usage: microsoft_ops.py FOLDER

An operator that this release of ONNX Runtime does not compute on the CPU is left out by name. Weights are constants, other inputs are fed; the batch is open
where the operator allows it.
"""
import sys

import numpy as np
import onnxruntime
from cases_file import Writer
from onnx import TensorProto, helper, numpy_helper

OP_SET, IR_VERSION = 17, 8
DOMAIN = "com.microsoft"


class Weights(np.ndarray):
    """An array that is a constant of the model."""


def weights(array):
    return np.asarray(array).view(Weights)


class Numbers:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def real(self, *shape):
        return self.random.normal(size=shape).astype(np.float32)

    def positive(self, *shape):
        return self.random.uniform(0.5, 1.5, shape).astype(np.float32)

    def integers(self, low, high, *shape, kind=np.int64):
        return self.random.integers(low, high, shape).astype(kind)

    def bytes(self, *shape):
        return self.integers(0, 256, *shape, kind=np.uint8)

    def signed(self, *shape):
        return self.integers(-128, 128, *shape, kind=np.int8)

    def packed(self, rows, columns, block=16, bits=4):
        """The weights of MatMulNBits and their scales."""
        blocks = -(-columns // block)
        return weights(self.bytes(rows, blocks, block * bits // 8)), weights(self.random.uniform(0.02, 0.2, rows * blocks).astype(np.float32))

    def experts(self, count, outputs, inputs, bits=4, block=0):
        """The weights of a layer of QMoE and their scales: one for each output, or for each block."""
        blocks = (inputs // block,) if block else ()
        return weights(self.bytes(count, outputs, inputs * bits // 8)), weights(self.random.uniform(0.02, 0.2, (count, outputs, *blocks)).astype(np.float32))


def scale(number):
    return weights(np.float32(number))


def zero(number, kind=np.uint8):
    return weights(kind(number))


def cases():
    """(name, operator, function of Numbers that gives the inputs, None for one that is left out; number of outputs, attributes)"""
    def case(name, op, inputs, outputs=1, **attributes):
        return name, op, inputs, outputs, attributes

    # Activations and sums
    for op in ("Gelu", "QuickGelu"):
        yield case(op, op, lambda n: [n.real(2, 3, 4)])
    yield case("QuickGelu_alpha", "QuickGelu", lambda n: [n.real(2, 3)], alpha=0.5)
    yield case("BiasGelu", "BiasGelu", lambda n: [n.real(2, 3, 4), weights(n.real(4))])
    yield case("FastGelu", "FastGelu", lambda n: [n.real(2, 3, 4)])
    yield case("FastGelu_bias", "FastGelu", lambda n: [n.real(2, 3, 4), weights(n.real(4))])
    yield case("GatedAdd", "GatedAdd", lambda n: [n.real(2, 3, 4), n.real(2, 3, 4), n.real(2, 3, 1)])
    for activation in ("silu", "sigmoid"):
        yield case(f"GatedRMSNorm_{activation}", "GatedRMSNorm", lambda n: [n.real(2, 3, 4), weights(n.real(4)), n.real(2, 3, 4)], activation=activation)
    yield case("GatedRMSNorm_heads", "GatedRMSNorm", lambda n: [n.real(2, 3, 8), weights(n.real(4)), n.real(2, 3, 8)], epsilon=0.01)
    yield case("LinearAttentionGate", "LinearAttentionGate", lambda n: [n.real(2, 3, 4), weights(n.real(4)), weights(n.real(4)), n.real(2, 3, 4)], 2)
    yield case("EngramGate", "EngramGate", lambda n: [n.real(2, 3, 2, 4), n.real(2, 3, 2, 4), n.real(2, 3, 4), *[weights(n.real(2, 4)) for _ in range(3)]], 2)

    # Normalisations
    yield case("SkipLayerNormalization", "SkipLayerNormalization", lambda n: [n.real(2, 3, 4), n.real(2, 3, 4), *[weights(n.real(4)) for _ in range(3)]])
    yield case("SkipLayerNormalization_sum", "SkipLayerNormalization", lambda n: [n.real(2, 3, 4), n.real(2, 3, 4), weights(n.real(4))], (0, 3), epsilon=0.01)
    yield case("SkipSimplifiedLayerNormalization", "SkipSimplifiedLayerNormalization", lambda n: [n.real(2, 3, 4), n.real(2, 3, 4), weights(n.real(4))], (0, 3))
    yield case("EmbedLayerNormalization", "EmbedLayerNormalization",
               lambda n: [n.integers(0, 9, 2, 3, kind=np.int32), n.integers(0, 2, 2, 3, kind=np.int32), weights(n.real(9, 4)), weights(n.real(5, 4)),
                          weights(n.real(2, 4)), weights(n.real(4)), weights(n.real(4)), n.integers(0, 2, 2, 3, kind=np.int32)], 2)

    # Matrices
    yield case("FusedMatMul", "FusedMatMul", lambda n: [n.real(2, 3, 4), weights(n.real(5, 4))], transB=1, alpha=0.5)
    yield case("FusedMatMul_batch", "FusedMatMul", lambda n: [n.real(3, 2, 4), n.real(3, 5, 4)], transBatchA=0, transB=1)
    yield case("FusedGemm", "FusedGemm", lambda n: [n.real(2, 3), weights(n.real(3, 4)), weights(n.real(4))], activation="LeakyRelu", activation_alpha=0.1)
    yield case("FusedConv", "FusedConv", lambda n: [n.real(2, 3, 5, 5), weights(n.real(4, 3, 3, 3)), weights(n.real(4))], activation="Relu")
    yield case("TransposeMatMul", "TransposeMatMul", lambda n: [n.real(2, 4, 3), n.real(2, 4, 5)], transA=1)
    yield case("CDist", "CDist", lambda n: [n.real(3, 4), n.real(2, 4)], metric="euclidean")
    yield case("ComplexMul", "ComplexMul", lambda n: [n.real(3, 2), n.real(3, 2)])
    yield case("Inverse", "Inverse", lambda n: [n.real(2, 3, 3) + 3 * np.eye(3, dtype=np.float32)])
    for bits, block in ((4, 16), (8, 32)):
        yield case(f"MatMulNBits_{bits}", "MatMulNBits", lambda n, bits=bits, block=block: [n.real(2, 3, 40), *n.packed(5, 40, block, bits)],
                   K=40, N=5, bits=bits, block_size=block)
    yield case("MatMulNBits_zero_points", "MatMulNBits", lambda n: [n.real(2, 3, 32), *n.packed(5, 32), weights(n.bytes(5))], K=32, N=5, bits=4, block_size=16)
    yield case("MatMulNBits_bias", "MatMulNBits", lambda n: [n.real(2, 32), *n.packed(5, 32), None, None, weights(n.real(5))], K=32, N=5, bits=4, block_size=16)
    yield case("MatMulNBits_reordered", "MatMulNBits",
               lambda n: [n.real(2, 3, 40), *n.packed(5, 40), None, weights(n.random.permutation(np.arange(40) // 16).astype(np.int32))],
               K=40, N=5, bits=4, block_size=16)
    yield case("MatMulNBitsMlp", "MatMulNBitsMlp", lambda n: [n.real(2, 16), None, None, *n.packed(3, 16), None, *n.packed(3, 16)],
               K=16, N=3, block_size=16, activation="silu")

    # Experts
    for name, attributes in (("relu", {}), ("gelu", {"normalize_routing_weights": 1}), ("silu", {"k": 1}), ("identity", {"k": 3})):
        yield case(f"MoE_{name}", "MoE",
                   lambda n: [n.real(1, 4, 3), n.real(4, 3), weights(n.real(3, 5, 3)), weights(n.real(3, 5)), weights(n.real(3, 3, 5)), weights(n.real(3, 3))],
                   activation_type=name, **{"k": 2, **attributes})
    swiglu = {"activation_type": "swiglu", "swiglu_fusion": 1, "activation_alpha": 1.702, "activation_beta": 1.0, "swiglu_limit": 0.8}
    yield case("MoE_swiglu", "MoE", lambda n: [n.real(4, 3), n.real(4, 3), weights(n.real(3, 10, 3)), None, weights(n.real(3, 3, 5))], k=2, **swiglu)
    yield case("QMoE_4", "QMoE", lambda n: [n.real(4, 16), n.real(4, 3), *n.experts(3, 8, 16), weights(n.real(3, 8)), *n.experts(3, 16, 8)], k=2, expert_weight_bits=4)
    yield case("QMoE_8", "QMoE", lambda n: [n.real(1, 4, 16), n.real(4, 3), *n.experts(3, 8, 16, 8), None, *n.experts(3, 16, 8, 8)], k=1, expert_weight_bits=8)
    yield case("QMoE_zero_points", "QMoE",
               lambda n: [n.real(4, 32), n.real(4, 3), *n.experts(3, 16, 32, block=16), None, *n.experts(3, 32, 16, block=16), None, None, None, None,
                          weights(n.bytes(3, 16, 1)), weights(n.bytes(3, 32, 1)), None, n.positive(4, 3)],
               k=2, block_size=16, activation_type="silu", normalize_routing_weights=1)
    yield case("QMoE_swiglu", "QMoE", lambda n: [n.real(4, 32), n.real(4, 3), *n.experts(3, 32, 32), None, *n.experts(3, 32, 16)], k=2, **swiglu)

    # Attention
    yield case("Attention", "Attention", lambda n: [n.real(2, 3, 4), weights(n.real(4, 12)), weights(n.real(12))], num_heads=2)
    yield case("Attention_causal", "Attention", lambda n: [n.real(2, 3, 4), weights(n.real(4, 12)), weights(n.real(12))], num_heads=2, unidirectional=1)
    yield case("MultiHeadAttention", "MultiHeadAttention", lambda n: [n.real(2, 3, 4), n.real(2, 5, 4), n.real(2, 5, 4)], num_heads=2)
    yield case("MultiHeadAttention_bias", "MultiHeadAttention",
               lambda n: [n.real(2, 3, 4), n.real(2, 3, 4), n.real(2, 3, 4), weights(n.real(12)), None, n.real(2, 2, 3, 3)], num_heads=2)
    yield case("GroupQueryAttention", "GroupQueryAttention",
               lambda n: [n.real(1, 3, 16), n.real(1, 3, 8), n.real(1, 3, 8), n.real(1, 1, 2, 8)[:, :, :0], n.real(1, 1, 2, 8)[:, :, :0],
                          np.int32([2]), weights(np.int32(3))], 3, num_heads=2, kv_num_heads=1)
    positions = [[[0, 1, 2]], [[1, 0, 2]], [[2, 0, 1]]]
    yield case("RotaryEmbedding", "RotaryEmbedding", lambda n: [n.real(1, 3, 8), np.int64(positions[1]), weights(n.real(4, 2)), weights(n.real(4, 2))],
               num_heads=2)
    yield case("RotaryEmbedding_interleaved", "RotaryEmbedding",
               lambda n: [n.real(1, 2, 3, 4), np.int64(positions[1]), weights(n.real(4, 2)), weights(n.real(4, 2))],
               interleaved=1)
    for layout, sections in ((0, [1, 2, 1]), (1, [2, 1, 1])):
        yield case(f"MRotaryEmbedding_{layout}", "MRotaryEmbedding",
                   lambda n: [n.real(1, 2, 3, 8), np.int64(positions), weights(n.real(4, 4)), weights(n.real(4, 4))], mrope_section=sections, mrope_layout=layout)
    yield case("MRotaryEmbedding_part", "MRotaryEmbedding", lambda n: [n.real(1, 3, 12), np.int64(positions), weights(n.real(4, 2)), weights(n.real(4, 2))],
               mrope_section=[1, 1, 0], num_heads=2, rotary_embedding_dim=4)
    for rule in ("linear", "gated", "delta", "gated_delta"):
        yield case(f"LinearAttention_{rule}", "LinearAttention",
                   lambda n, rule=rule: [n.real(2, 3, 4), n.real(2, 3, 4), n.real(2, 3, 6), n.real(2, 2, 2, 3), -n.positive(2, 3, 2) if "gated" in rule else None,
                                         *([n.positive(2, 3, 2)] if "delta" in rule else [])], 2, q_num_heads=2, kv_num_heads=2, update_rule=rule)
    yield case("LinearAttention_few_queries", "LinearAttention", lambda n: [n.real(2, 3, 2), n.real(2, 3, 4), n.real(2, 3, 6), None, -n.positive(2, 3, 4)], 2,
               q_num_heads=1, kv_num_heads=2, update_rule="gated")
    yield case("CausalConvWithState", "CausalConvWithState", lambda n: [n.real(2, 3, 5), weights(n.real(3, 1, 4)), weights(n.real(3)), n.real(2, 3, 3)],
               2, activation="silu")
    yield case("CausalConvWithState_dilation", "CausalConvWithState", lambda n: [n.real(2, 3, 5), weights(n.real(3, 1, 2))], 2, dilation=2)
    yield case("CausalConvWithState_channels_last", "CausalConvWithState", lambda n: [n.real(2, 5, 3), weights(n.real(3, 1, 2)), None, n.real(2, 1, 3)],
               2, channels_last=1)

    # Quantised
    for op in ("QLinearAdd", "QLinearMul"):
        yield case(op, op, lambda n: [n.bytes(2, 3), scale(0.05), zero(128), n.bytes(2, 3), scale(0.03), zero(120), scale(0.1), zero(100)])
    yield case("QLinearSigmoid", "QLinearSigmoid", lambda n: [n.bytes(2, 3), scale(0.05), zero(128), scale(1 / 256), zero(0)])
    yield case("QLinearLeakyRelu", "QLinearLeakyRelu", lambda n: [n.bytes(2, 3), scale(0.05), zero(128), scale(0.05), zero(100)], alpha=0.1)
    yield case("QLinearAveragePool", "QLinearAveragePool", lambda n: [n.bytes(1, 2, 4, 4), scale(0.05), zero(128), scale(0.07), zero(128)], kernel_shape=[2, 2])
    yield case("QLinearGlobalAveragePool", "QLinearGlobalAveragePool", lambda n: [n.bytes(1, 2, 4, 4), scale(0.05), zero(128), scale(0.05), zero(128)],
               channels_last=0)
    # No result lies halfway between two integers: there, engines that divide and those that multiply by 1 / 0.1 round apart.
    yield case("QLinearConcat", "QLinearConcat",
               lambda n: [scale(0.1), zero(128), n.bytes(2, 3), scale(0.0705), zero(100), n.bytes(2, 2), scale(0.2271), zero(130)],
               axis=1)
    yield case("QLinearSoftmax", "QLinearSoftmax", lambda n: [n.bytes(2, 3), scale(0.05), zero(128), scale(1 / 256), zero(0)], axis=-1, opset=13)
    yield case("QGemm", "QGemm", lambda n: [n.bytes(2, 3), scale(0.05), zero(128), weights(n.signed(3, 4)), scale(0.02), zero(0, np.int8), None])
    yield case("MatMulIntegerToFloat", "MatMulIntegerToFloat",
               lambda n: [n.bytes(2, 3), weights(n.signed(3, 4)), scale(0.05), scale(0.02), zero(128), zero(0, np.int8)])
    yield case("DynamicQuantizeMatMul", "DynamicQuantizeMatMul", lambda n: [n.real(2, 3), weights(n.signed(3, 4)), scale(0.02), zero(0, np.int8)])
    yield case("QuantizeLinear", "QuantizeLinear", lambda n: [n.real(2, 3), scale(0.05), zero(128)])
    yield case("DequantizeLinear", "DequantizeLinear", lambda n: [n.bytes(2, 3), scale(0.05), zero(128)])
    yield case("GatherBlockQuantized", "GatherBlockQuantized",
               lambda n: [weights(n.bytes(5, 16)), n.integers(0, 5, 2, 3), weights(n.positive(5, 1))], block_size=16, bits=8, gather_axis=0, quantize_axis=1)

    # Images and shapes
    yield case("NhwcMaxPool", "NhwcMaxPool", lambda n: [n.bytes(1, 4, 4, 2)], kernel_shape=[2, 2])
    yield case("GridSample", "GridSample", lambda n: [n.real(1, 2, 4, 4), n.real(1, 3, 3, 2) / 2])
    yield case("CropAndResize", "CropAndResize", lambda n: [n.real(1, 2, 4, 4), np.float32([[0, 0, 1, 1],
               [0.2, 0.1, 0.8, 0.9]]), np.int32([0, 0]), weights(np.int32([3, 3]))])
    yield case("Pad", "Pad", lambda n: [n.real(2, 3), weights(np.int64([0, 1, 1, 0])), scale(0.5)])
    yield case("Trilu", "Trilu", lambda n: [n.real(2, 3, 4), weights(np.int64(1))], upper=1)
    yield case("ExpandDims", "ExpandDims", lambda n: [n.real(2, 3), weights(np.int32(1))])
    yield case("Rfft", "Rfft", lambda n: [n.real(2, 8)], signal_ndim=1, onesided=1, normalized=0)
    yield case("Irfft", "Irfft", lambda n: [n.real(2, 5, 2)], signal_ndim=1, onesided=1, normalized=0)


def model_of(op, inputs, wanted, attributes):
    """(model, [(name, array)] that are fed, names of the outputs). `wanted`: how many outputs, or which."""
    places = range(wanted) if isinstance(wanted, int) else wanted
    names = [f"x{i}" if array is not None else "" for i, array in enumerate(inputs)]
    fed = [(name, array) for name, array in zip(names, inputs) if array is not None and not isinstance(array, Weights)]
    constants = [numpy_helper.from_array(np.asarray(array), name) for name, array in zip(names, inputs) if isinstance(array, Weights)]
    outputs = [f"y{i}" if i in places else "" for i in range(max(places) + 1)]
    node = helper.make_node(op, names, outputs, domain=DOMAIN, **attributes)
    made = [name for name in outputs if name]
    graph = helper.make_graph([node], op, [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), list(array.shape)) for name, array in fed],
                              [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in made], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OP_SET), helper.make_opsetid(DOMAIN, 1)], ir_version=IR_VERSION)
    return model, fed, made


def main():
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    writer = Writer(sys.argv[1])
    for seed, (name, op, inputs_of, outputs, attributes) in enumerate(cases()):
        model, fed, made = model_of(op, inputs_of(Numbers(seed)), outputs, attributes)
        for value in model.graph.output:
            value.ClearField("type")
        try:
            results = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, dict(fed))
        except Exception as error:
            if "NOT_IMPLEMENTED" not in str(error):
                raise ValueError(f"{name}: {error}") from error
            writer.skip(name, str(error)[:200])
            continue
        writer.add(name, model.SerializeToString(), fed, list(zip(made, results)))
    writer.finish()


if __name__ == "__main__":
    main()
