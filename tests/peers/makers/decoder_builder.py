"""What decoders of all forms of attention have in common: weights, and a writer of ONNX nodes. Needs the onnx package only."""
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
    # Of latent attention:
    rank: int = 32  # of the latents of queries, and of keys and values
    plain_width: int = 12  # of the part of a query or key without a position
    rotary_width: int = 8
    value_width: int = 16

    @property
    def width(self):
        return self.hidden // self.heads


def random_weights(size, matrices, norms, seed=3):
    """`matrices` and `norms` of the attention of a layer: {name: (rows, columns)}, {name: length}."""
    random = np.random.default_rng(seed)

    def matrix(rows, columns):
        return (random.normal(size=(rows, columns)) / np.sqrt(columns)).astype(np.float32)

    def norm(length):
        return random.uniform(0.5, 1.5, length).astype(np.float32)

    weights = {"model.embed_tokens.weight": matrix(size.vocabulary, size.hidden) * 4, "model.norm.weight": norm(size.hidden),
               "lm_head.weight": matrix(size.vocabulary, size.hidden) * 4}
    feed_forward = {"mlp.gate_proj": (size.inner, size.hidden), "mlp.up_proj": (size.inner, size.hidden), "mlp.down_proj": (size.hidden, size.inner)}
    for i in range(size.layers):
        layer = f"model.layers.{i}."
        for name, length in {"input_layernorm": size.hidden, "post_attention_layernorm": size.hidden, **norms}.items():
            weights[f"{layer}{name}.weight"] = norm(length)
        for name, shape in {**matrices, **feed_forward}.items():
            weights[f"{layer}{name}.weight"] = matrix(*shape) * (2 if "attn" in name else 1)
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
    """Writes a decoder; a form of attention says what is in the middle of a layer."""
    opset = 17

    def __init__(self, size, weights, bits):
        self.size, self.weights, self.bits = size, weights, bits
        self.nodes, self.tensors, self.count = [], {}, 0

    # -- what a form of attention says ----------------------------------------------------------------------------------
    @staticmethod
    def matrices(size):
        """{name: (rows, columns)} of the linear layers of attention."""
        few = size.shared * size.width
        return {"self_attn.q_proj": (size.hidden, size.hidden), "self_attn.k_proj": (few, size.hidden), "self_attn.v_proj": (few, size.hidden),
                "self_attn.o_proj": (size.hidden, size.hidden)}

    @staticmethod
    def norms(_):
        """{name: length} of the norms of attention."""
        return {}

    def caches(self):
        """{suffix of a cache's name, behind the number of the layer: (heads, width)}"""
        return {"key": (self.size.shared, self.size.width), "value": (self.size.shared, self.size.width)}

    def inputs(self):
        """Inputs besides the caches."""
        return [("input_ids", INTEGERS, ["batch", "sequence"]), ("attention_mask", INTEGERS, ["batch", "total"]), ("position_ids", INTEGERS, ["batch", "sequence"])]

    def prepare(self):
        """What all layers share."""

    def attention(self, i, x):
        """The sum of `x` and its attention, in layer `i`."""
        layer = f"model.layers.{i}."
        mixed = self.mixed(i, self.norm(x, layer + "input_layernorm"))
        return self.op("Add", x, self.linear(mixed, layer + "self_attn.o_proj"))

    def mixed(self, i, x):
        """The values that the queries of `x` chose."""
        raise NotImplementedError

    # -- nodes ----------------------------------------------------------------------------------------------------------
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
        scale = self.constant(name, self.weights[name + ".weight"])
        if self.opset >= 23:
            return self.op("RMSNormalization", x, scale, axis=-1, epsilon=self.size.epsilon)
        mean = self.op("ReduceMean", self.op("Mul", x, x), axes=[-1], keepdims=1)
        root = self.op("Sqrt", self.op("Add", mean, self.number(self.size.epsilon)))
        return self.op("Mul", self.op("Div", x, root), scale)

    def size_of(self, x, axis):
        return self.op("Gather", self.op("Shape", x), self.integers(axis), axis=0)

    def heads_of(self, x, heads, width):
        return self.op("Transpose", self.op("Reshape", x, self.integers(0, 0, heads, width)), perm=[0, 2, 1, 3])

    def parts_of(self, x, *widths):
        return self.op("Split", x, self.integers(*widths), outputs=len(widths), axis=-1)

    def continued(self, i, part, new):
        """The cache of a layer with what is new, which is an output of the model."""
        return self.op("Concat", f"past_key_values.{i}.{part}", new, axis=2, names=[f"present.{i}.{part}"])

    def attended(self, query, key, value, mask):
        """[B, heads, S, width] -> [B, S, heads * width of values], as soft-max of products."""
        width = self.query_width()
        scores = self.op("MatMul", query, self.op("Transpose", key, perm=[0, 1, 3, 2]))
        scores = self.op("Add", self.op("Mul", scores, self.number(width ** -0.5)), mask)
        mixed = self.op("MatMul", self.op("Softmax", scores, axis=-1), value)
        return self.op("Reshape", self.op("Transpose", mixed, perm=[0, 2, 1, 3]), self.integers(0, 0, -1))

    def query_width(self):
        return self.size.width

    def tables(self, width):
        angles = np.outer(np.arange(self.size.positions), self.size.base ** (-np.arange(0, width, 2) / width))
        return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)

    def rows_of_tables(self, width, positions, axis):
        """Cosines and sines of the positions of this step, for both halves of a head; `axis` is that of the heads."""
        tables = zip(("cosine", "sine"), self.tables(width))
        both = (self.constant(name, np.concatenate([table, table], 1)) for name, table in tables)
        return [self.op("Unsqueeze", self.op("Gather", table, positions, axis=0), self.integers(axis)) for table in both]

    def rotated(self, x, cosines, sines, width):
        first, second = self.parts_of(x, width // 2, width // 2)
        turned = self.op("Concat", self.op("Neg", second), first, axis=-1)
        return self.op("Add", self.op("Mul", x, cosines), self.op("Mul", turned, sines))

    def counted(self, length):
        return self.op("Range", self.number(0, np.int64), self.op("Squeeze", length), self.number(1, np.int64))

    def seen_keys(self, length, total):
        """[S, T]: whether a key is not later than a query; the queries are the last ones."""
        places = self.op("Unsqueeze", self.op("Add", self.counted(length), self.op("Sub", total, length)), self.integers(1))
        return self.op("LessOrEqual", self.counted(total), places)

    def as_summand(self, shown):
        """0 or a large negative number."""
        return self.op("Where", shown, self.number(0.0), self.number(-3.0e38))

    def shown_in(self, mask):
        """[B, T] of integers -> [B, 1, 1, T] of booleans"""
        return self.op("Unsqueeze", self.op("Cast", mask, to=TensorProto.BOOL), self.integers(1, 2))

    def prepare_mask(self, is_boolean=False):
        """[B, 1, S, T] of scores, from attention_mask."""
        total, length = self.size_of("attention_mask", 1), self.size_of("input_ids", 1)
        shown = self.op("And", self.seen_keys(length, total), self.shown_in("attention_mask"))
        self.mask = shown if is_boolean else self.as_summand(shown)

    # -- the model ------------------------------------------------------------------------------------------------------
    def build(self):
        size = self.size
        self.prepare()
        x = self.op("Gather", self.constant("embedding", self.weights["model.embed_tokens.weight"]), "input_ids", axis=0)
        for i in range(size.layers):
            layer = f"model.layers.{i}."
            x = self.attention(i, x)
            y = self.norm(x, layer + "post_attention_layernorm")
            gate = self.linear(y, layer + "mlp.gate_proj")
            gate = self.op("Mul", gate, self.op("Sigmoid", gate))
            x = self.op("Add", x, self.linear(self.op("Mul", gate, self.linear(y, layer + "mlp.up_proj")), layer + "mlp.down_proj"))
        matrix = self.constant("head", np.ascontiguousarray(self.weights["lm_head.weight"].T))
        self.op("MatMul", self.norm(x, "model.norm"), matrix, names=["logits"])
        return self.model()

    def model(self):
        size = self.size
        inputs, outputs = self.inputs(), [("logits", FLOAT, ["batch", "sequence", size.vocabulary])]
        for i in range(size.layers):
            for part, (heads, width) in self.caches().items():
                inputs.append((f"past_key_values.{i}.{part}", FLOAT, ["batch", heads, "past", width]))
                outputs.append((f"present.{i}.{part}", FLOAT, ["batch", heads, "total", width]))
        graph = helper.make_graph(self.nodes, "decoder", [helper.make_tensor_value_info(*end) for end in inputs],
                                  [helper.make_tensor_value_info(*end) for end in outputs], [numpy_helper.from_array(array, name) for name, array in self.tensors.items()])
        domains = [helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=domains, ir_version=8 if self.opset < 23 else 11)
