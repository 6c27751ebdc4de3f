"""Small decoders as ONNX models: rotary positions, shared keys, RMS norms and gated feed-forward layers, as exporters write them. Needs the onnx package only.

Inputs: input_ids, attention_mask, position_ids (attention `plain` only), past_key_values.N.key|value; outputs: logits, present.N.key|value.
Weights are called as Llama's are in the Transformers library.
"""
from dataclasses import dataclass

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, INTEGERS = TensorProto.FLOAT, TensorProto.INT64
BLOCK = 32  # of weights that share a scale


@dataclass
class Size:
    vocabulary: int = 96
    hidden: int = 64
    inner: int = 96
    layers: int = 2
    heads: int = 4
    shared: int = 2  # heads of keys and values
    epsilon: float = 1e-5
    base: float = 10000.0
    positions: int = 256

    @property
    def width(self):
        return self.hidden // self.heads


def random_weights(size, seed=3):
    random = np.random.default_rng(seed)

    def matrix(rows, columns):
        return (random.normal(size=(rows, columns)) / np.sqrt(columns)).astype(np.float32)

    def norm():
        return random.uniform(0.5, 1.5, size.hidden).astype(np.float32)

    weights = {"model.embed_tokens.weight": matrix(size.vocabulary, size.hidden) * 4, "model.norm.weight": norm(),
               "lm_head.weight": matrix(size.vocabulary, size.hidden) * 4}
    for i in range(size.layers):
        layer = f"model.layers.{i}."
        few = size.shared * size.width
        weights.update({layer + "input_layernorm.weight": norm(), layer + "post_attention_layernorm.weight": norm()})
        for name, rows, columns in (("self_attn.q_proj", size.hidden, size.hidden), ("self_attn.k_proj", few, size.hidden), ("self_attn.v_proj", few, size.hidden),
                                    ("self_attn.o_proj", size.hidden, size.hidden), ("mlp.gate_proj", size.inner, size.hidden),
                                    ("mlp.up_proj", size.inner, size.hidden), ("mlp.down_proj", size.hidden, size.inner)):
            weights[layer + name + ".weight"] = matrix(rows, columns) * (2 if "attn" in name else 1)
    return weights


def in_four_bits(matrix):
    """(packed, scales) of MatMulNBits: 4 bits around 8, a scale for each block of a row."""
    rows, columns = matrix.shape
    blocks = matrix.reshape(rows, columns // BLOCK, BLOCK)
    scales = np.abs(blocks).max(2, keepdims=True) / 7 + 1e-12
    numbers = (np.clip(np.rint(blocks / scales), -8, 7) + 8).astype(np.uint8)
    return numbers[:, :, 0::2] | numbers[:, :, 1::2] << 4, scales.reshape(-1).astype(np.float32)


def rounded_to_four_bits(matrix):
    """What the weights are worth in four bits."""
    packed, scales = in_four_bits(matrix)
    numbers = np.stack([packed & 15, packed >> 4], -1).reshape(*packed.shape[:2], BLOCK).astype(np.float32) - 8
    return (numbers * scales.reshape(*packed.shape[:2], 1)).reshape(matrix.shape).astype(np.float32)


class Builder:
    def __init__(self, size, weights, attention, bits):
        self.size, self.weights, self.attention, self.bits = size, weights, attention, bits
        self.nodes, self.tensors, self.count = [], {}, 0

    def constant(self, name, array):
        self.tensors.setdefault(name, np.asarray(array))
        return name

    def integers(self, *numbers):
        return self.constant("integers_" + "_".join(map(str, numbers)), np.array(numbers, np.int64))

    def number(self, value, kind=np.float32):
        return self.constant(f"number_{kind.__name__}_{value}", kind(value))

    def op(self, kind, *inputs, outputs=1, domain="", names=None, **attributes):
        self.count += 1
        made = list(names or [f"{kind}_{self.count}" + (f"_{i}" if i else "") for i in range(outputs)])
        self.nodes.append(helper.make_node(kind, list(inputs), made, name=f"{kind}_{self.count}", domain=domain, **attributes))
        return made[0] if len(made) == 1 else made

    def linear(self, x, name):
        matrix = self.weights[name + ".weight"]
        if self.bits == 32:
            return self.op("MatMul", x, self.constant(name, np.ascontiguousarray(matrix.T)))
        packed, scales = in_four_bits(matrix)
        return self.op("MatMulNBits", x, self.constant(name + ".packed", packed), self.constant(name + ".scales", scales), domain="com.microsoft",
                       K=matrix.shape[1], N=matrix.shape[0], bits=4, block_size=BLOCK)

    def norm(self, x, name):
        mean = self.op("ReduceMean", self.op("Mul", x, x), axes=[-1], keepdims=1)
        root = self.op("Sqrt", self.op("Add", mean, self.number(self.size.epsilon)))
        return self.op("Mul", self.op("Div", x, root), self.constant(name, self.weights[name + ".weight"]))

    def size_of(self, x, axis):
        return self.op("Gather", self.op("Shape", x), self.integers(axis), axis=0)

    def heads_of(self, x, heads):
        parts = self.op("Reshape", x, self.integers(0, 0, heads, self.size.width))
        return self.op("Transpose", parts, perm=[0, 2, 1, 3])

    def tables(self):
        angles = np.outer(np.arange(self.size.positions), self.size.base ** (-np.arange(0, self.size.width, 2) / self.size.width))
        return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)

    def rotated(self, x, cosines, sines):
        half = self.size.width // 2
        first, second = self.op("Split", x, self.integers(half, half), outputs=2, axis=-1)
        turned = self.op("Concat", self.op("Neg", second), first, axis=-1)
        return self.op("Add", self.op("Mul", x, cosines), self.op("Mul", turned, sines))

    def prepare_plain(self):
        """Rows of the tables of this step, and the mask of the scores [B, 1, S, T]: 0 or a large negative number."""
        cosine, sine = (self.constant(name, np.concatenate([table, table], 1)) for name, table in zip(("cosine", "sine"), self.tables()))
        self.rows = [self.op("Unsqueeze", self.op("Gather", table, "position_ids", axis=0), self.integers(1)) for table in (cosine, sine)]
        total, length = self.size_of("attention_mask", 1), self.size_of("input_ids", 1)
        keys = self.op("Range", self.number(0, np.int64), self.op("Squeeze", total), self.number(1, np.int64))
        steps = self.op("Range", self.number(0, np.int64), self.op("Squeeze", length), self.number(1, np.int64))
        places = self.op("Unsqueeze", self.op("Add", steps, self.op("Sub", total, length)), self.integers(1))
        seen = self.op("LessOrEqual", keys, places)
        there = self.op("Unsqueeze", self.op("Cast", "attention_mask", to=TensorProto.BOOL), self.integers(1, 2))
        self.mask = self.op("Where", self.op("And", seen, there), self.number(0.0), self.number(-3.0e38))

    def plain(self, i, query, key, value):
        query = self.rotated(self.heads_of(query, self.size.heads), *self.rows)
        key = self.rotated(self.heads_of(key, self.size.shared), *self.rows)
        value = self.heads_of(value, self.size.shared)
        key = self.op("Concat", f"past_key_values.{i}.key", key, axis=2, names=[f"present.{i}.key"])
        value = self.op("Concat", f"past_key_values.{i}.value", value, axis=2, names=[f"present.{i}.value"])
        group = self.size.heads // self.size.shared
        many = []
        for x in (key, value):
            wide = self.op("Expand", self.op("Unsqueeze", x, self.integers(2)), self.integers(1, 1, group, 1, 1))
            many.append(self.op("Reshape", wide, self.op("Concat", self.integers(0, self.size.heads), self.size_of(x, 2), self.integers(self.size.width), axis=0)))
        scores = self.op("MatMul", query, self.op("Transpose", many[0], perm=[0, 1, 3, 2]))
        scores = self.op("Add", self.op("Mul", scores, self.number(self.size.width ** -0.5)), self.mask)
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), many[1])
        return self.op("Reshape", self.op("Transpose", mixed, perm=[0, 2, 1, 3]), self.integers(0, 0, self.size.hidden))

    def prepare_group_query(self):
        """Index of the last key of each row, and the length of the longest."""
        lengths = self.op("ReduceSum", "attention_mask", self.integers(1), keepdims=0)
        self.last = self.op("Cast", self.op("Sub", lengths, self.number(1, np.int64)), to=TensorProto.INT32)
        self.total = self.op("Cast", self.op("Squeeze", self.size_of("attention_mask", 1)), to=TensorProto.INT32)

    def group_query(self, i, query, key, value):
        cosine, sine = (self.constant(name, table) for name, table in zip(("cosine", "sine"), self.tables()))
        return self.op("GroupQueryAttention", query, key, value, f"past_key_values.{i}.key", f"past_key_values.{i}.value", self.last, self.total, cosine, sine,
                       domain="com.microsoft", num_heads=self.size.heads, kv_num_heads=self.size.shared, do_rotary=1,
                       names=[f"attention_{i}", f"present.{i}.key", f"present.{i}.value"])[0]

    def build(self):
        size = self.size
        attend = {"plain": self.plain, "group_query": self.group_query}[self.attention]
        {"plain": self.prepare_plain, "group_query": self.prepare_group_query}[self.attention]()
        x = self.op("Gather", self.constant("embedding", self.weights["model.embed_tokens.weight"]), "input_ids", axis=0)
        for i in range(size.layers):
            layer = f"model.layers.{i}."
            y = self.norm(x, layer + "input_layernorm")
            y = attend(i, *(self.linear(y, f"{layer}self_attn.{part}_proj") for part in "qkv"))
            x = self.op("Add", x, self.linear(y, layer + "self_attn.o_proj"))
            y = self.norm(x, layer + "post_attention_layernorm")
            gate = self.linear(y, layer + "mlp.gate_proj")
            gate = self.op("Mul", gate, self.op("Sigmoid", gate))
            x = self.op("Add", x, self.linear(self.op("Mul", gate, self.linear(y, layer + "mlp.up_proj")), layer + "mlp.down_proj"))
        matrix = self.constant("head", np.ascontiguousarray(self.weights["lm_head.weight"].T))
        self.op("MatMul", self.norm(x, "model.norm"), matrix, names=["logits"])
        return self.model()

    def model(self):
        size = self.size
        inputs = [("input_ids", INTEGERS, ["batch", "sequence"]), ("attention_mask", INTEGERS, ["batch", "total"])]
        if self.attention == "plain":
            inputs.append(("position_ids", INTEGERS, ["batch", "sequence"]))
        outputs = [("logits", FLOAT, ["batch", "sequence", size.vocabulary])]
        for i in range(size.layers):
            for part in ("key", "value"):
                inputs.append((f"past_key_values.{i}.{part}", FLOAT, ["batch", size.shared, "past", size.width]))
                outputs.append((f"present.{i}.{part}", FLOAT, ["batch", size.shared, "total", size.width]))
        graph = helper.make_graph(self.nodes, "decoder", [helper.make_tensor_value_info(*end) for end in inputs],
                                  [helper.make_tensor_value_info(*end) for end in outputs], [numpy_helper.from_array(array, name) for name, array in self.tensors.items()])
        domains = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=domains, ir_version=8)


def decoder(size, weights, attention="plain", bits=32):
    """attention: plain or group_query; bits: 32, or 4 for the matrices of the layers."""
    return Builder(size, weights, attention, bits).build()
