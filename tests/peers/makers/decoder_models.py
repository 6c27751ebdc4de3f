"""Small decoders as ONNX models: rotary positions, shared keys, RMS norms and gated feed-forward layers, as exporters write them. Needs the onnx package only.

Inputs: input_ids, attention_mask, position_ids (where the form needs them), past_key_values.N.key|value; outputs: logits, present.N.key|value.
Weights are called as Llama's are in the Transformers library, those of latent attention as DeepSeek's.
"""
import numpy as np
from decoder_builder import FLOAT, INTEGERS, Builder, Size, random_weights, rounded_to_four_bits  # noqa: F401  (for those who make models)
from onnx import TensorProto


class Plain(Builder):
    """Attention of plain ops; queries share keys and values in groups."""
    def prepare(self):
        self.rows = self.rows_of_tables(self.size.width, "position_ids", 1)
        self.prepare_mask()

    def repeated(self, x):
        """A copy of each head for each query of its group."""
        size = self.size
        wide = self.op("Expand", self.op("Unsqueeze", x, self.integers(2)), self.integers(1, 1, size.heads // size.shared, 1, 1))
        return self.op("Reshape", wide, self.op("Concat", self.integers(0, size.heads), self.size_of(x, 2), self.integers(size.width), axis=0))

    def cached(self, i, part, new):
        return self.continued(i, part, new)

    def mixed(self, i, x):
        size, layer = self.size, f"model.layers.{i}.self_attn."
        query, key, value = (self.heads_of(self.linear(x, f"{layer}{part}_proj"), heads, size.width)
                             for part, heads in zip("qkv", (size.heads, size.shared, size.shared)))
        query, key = (self.rotated(each, *self.rows, size.width) for each in (query, key))
        key, value = self.cached(i, "key", key), self.cached(i, "value", value)
        return self.attended(query, self.repeated(key), self.repeated(value), self.mask)


class GroupQuery(Builder):
    """com.microsoft.GroupQueryAttention, which rotates and knows the lengths of the rows."""
    def inputs(self):
        return super().inputs()[:2]

    def prepare(self):
        """Index of the last key of each row, and the length of the longest."""
        lengths = self.op("ReduceSum", "attention_mask", self.integers(1), keepdims=0)
        self.last = self.op("Cast", self.op("Sub", lengths, self.number(1, np.int64)), to=TensorProto.INT32)
        self.total = self.op("Cast", self.op("Squeeze", self.size_of("attention_mask", 1)), to=TensorProto.INT32)

    def mixed(self, i, x):
        size = self.size
        cosine, sine = (self.constant(name, table) for name, table in zip(("cosine", "sine"), self.tables(size.width)))
        parts = (self.linear(x, f"model.layers.{i}.self_attn.{part}_proj") for part in "qkv")
        return self.op("GroupQueryAttention", *parts, f"past_key_values.{i}.key", f"past_key_values.{i}.value", self.last, self.total, cosine, sine,
                       domain="com.microsoft", num_heads=size.heads, kv_num_heads=size.shared, do_rotary=1,
                       names=[f"attention_{i}", f"present.{i}.key", f"present.{i}.value"])[0]


class OnnxOps(Builder):
    """Attention, RotaryEmbedding and RMSNormalization of ONNX itself. With weights of 4 bits the mask is boolean: queries of filled places see no key then."""
    opset = 23

    def prepare(self):
        self.prepare_mask(self.bits == 4)

    def mixed(self, i, x):
        size = self.size
        query, key, value = (self.linear(x, f"model.layers.{i}.self_attn.{part}_proj") for part in "qkv")
        cosine, sine = (self.constant(name, table) for name, table in zip(("cosine", "sine"), self.tables(size.width)))
        query, key = (self.op("RotaryEmbedding", each, cosine, sine, "position_ids", num_heads=heads) for each, heads in ((query, size.heads), (key, size.shared)))
        return self.op("Attention", query, key, value, self.mask, f"past_key_values.{i}.key", f"past_key_values.{i}.value", q_num_heads=size.heads,
                       kv_num_heads=size.shared, names=[f"attention_{i}", f"present.{i}.key", f"present.{i}.value"])[0]


class Latent(Builder):
    """Multi-head latent attention: queries of a low rank, keys and values of one latent of a token, and a rotated part of the key that all heads share.

    The caches have keys and values of all heads; keys are wider than values.
    """
    @staticmethod
    def matrices(size):
        width = size.plain_width + size.rotary_width
        return {"self_attn.q_a_proj": (size.rank, size.hidden), "self_attn.q_b_proj": (size.heads * width, size.rank),
                "self_attn.kv_a_proj_with_mqa": (size.rank + size.rotary_width, size.hidden),
                "self_attn.kv_b_proj": (size.heads * (size.plain_width + size.value_width), size.rank),
                "self_attn.o_proj": (size.hidden, size.heads * size.value_width)}

    @staticmethod
    def norms(size):
        return {"self_attn.q_a_layernorm": size.rank, "self_attn.kv_a_layernorm": size.rank}

    def caches(self):
        return {"key": (self.size.heads, self.query_width()), "value": (self.size.heads, self.size.value_width)}

    def query_width(self):
        return self.size.plain_width + self.size.rotary_width

    def prepare(self):
        self.rows = self.rows_of_tables(self.size.rotary_width, "position_ids", 1)
        self.prepare_mask()

    def turned(self, x, heads):
        """Rotates [B, heads, S, width] whose pairs are neighbours."""
        width = self.size.rotary_width
        pairs = self.op("Reshape", x, self.integers(0, heads, -1, width // 2, 2))
        halves = self.op("Reshape", self.op("Transpose", pairs, perm=[0, 1, 2, 4, 3]), self.integers(0, heads, -1, width))
        return self.rotated(halves, *self.rows, width)

    def expanded(self, i, latent):
        """Keys without positions, and values, of the heads."""
        size = self.size
        both = self.heads_of(self.linear(latent, f"model.layers.{i}.self_attn.kv_b_proj"), size.heads, size.plain_width + size.value_width)
        return self.parts_of(both, size.plain_width, size.value_width)

    def query_and_latent(self, i, x):
        """The queries, the latents of keys and values, and the rotated part of the keys."""
        size, layer = self.size, f"model.layers.{i}.self_attn."
        query = self.norm(self.linear(x, layer + "q_a_proj"), layer + "q_a_layernorm")
        query = self.heads_of(self.linear(query, layer + "q_b_proj"), size.heads, self.query_width())
        plain, rotary = self.parts_of(query, size.plain_width, size.rotary_width)
        query = self.op("Concat", plain, self.turned(rotary, size.heads), axis=-1)
        latent, rotary = self.parts_of(self.linear(x, layer + "kv_a_proj_with_mqa"), size.rank, size.rotary_width)
        latent = self.norm(latent, layer + "kv_a_layernorm")
        return query, latent, self.turned(self.heads_of(rotary, 1, size.rotary_width), 1)

    def key_of(self, plain, rotary):
        """The shared part after that of each head."""
        shape = self.op("Concat", self.op("Slice", self.op("Shape", plain), self.integers(0), self.integers(3)), self.integers(self.size.rotary_width), axis=0)
        return self.op("Concat", plain, self.op("Expand", rotary, shape), axis=-1)

    def mixed(self, i, x):
        query, latent, rotary = self.query_and_latent(i, x)
        plain, value = self.expanded(i, latent)
        key = self.continued(i, "key", self.key_of(plain, rotary))
        return self.attended(query, key, self.continued(i, "value", value), self.mask)


class LatentCache(Latent):
    """The caches have the latents, and the rotated part of the keys: less memory, and all keys and values anew in each step."""
    def caches(self):
        return {"key": (1, self.size.rank), "value": (1, self.size.rotary_width)}

    def mixed(self, i, x):
        query, latent, rotary = self.query_and_latent(i, x)
        latent = self.continued(i, "key", self.op("Unsqueeze", latent, self.integers(1)))
        rotary = self.continued(i, "value", rotary)
        plain, value = self.expanded(i, self.op("Squeeze", latent, self.integers(1)))
        return self.attended(query, self.key_of(plain, rotary), value, self.mask)


class EncoderDecoder(Plain):
    """A decoder that also attends to what an encoder made of another text: keys and values of each layer are computed from encoder_hidden_states.

    It counts the positions by its caches, as those of T5, Bart and Whisper do. With weights of 4 bits a length of encoder_hidden_states is read in each step.
    """
    @staticmethod
    def matrices(size):
        whole = (size.hidden, size.hidden)
        return {**Builder.matrices(size), **{f"encoder_attn.{part}_proj": whole for part in "qkvo"}}

    @staticmethod
    def norms(size):
        return {"encoder_attn_layer_norm": size.hidden}

    def caches(self):
        return {f"decoder.{part}": shape for part, shape in super().caches().items()}

    def cached(self, i, part, new):
        return self.continued(i, f"decoder.{part}", new)

    def inputs(self):
        return [("input_ids", INTEGERS, ["batch", "sequence"]), ("encoder_hidden_states", FLOAT, ["batch", "encoder_sequence", self.size.hidden]),
                ("encoder_attention_mask", INTEGERS, ["batch", "encoder_sequence"])]

    def prepare(self):
        past, length = self.size_of("past_key_values.0.decoder.key", 2), self.size_of("input_ids", 1)
        positions = self.op("Unsqueeze", self.op("Add", self.counted(length), past), self.integers(0))
        self.rows = self.rows_of_tables(self.size.width, positions, 1)
        self.mask = self.as_summand(self.seen_keys(length, self.op("Add", past, length)))
        self.encoder_mask = self.as_summand(self.shown_in("encoder_attention_mask"))
        if self.bits == 4:  # some exporters repeat the mask for each query, by the length of the encoder's text
            sizes = [self.size_of(*of) for of in (("encoder_attention_mask", 0), ("input_ids", 1), ("encoder_hidden_states", 1))]
            self.encoder_mask = self.op("Expand", self.encoder_mask, self.op("Concat", sizes[0], self.integers(1), *sizes[1:], axis=0))

    def heads_of_encoder(self, x):
        """As exporters write `view(batch, length, heads, width)`."""
        sizes = [self.size_of("encoder_hidden_states", axis) for axis in (0, 1)]
        shape = self.op("Concat", *sizes, self.integers(self.size.heads, self.size.width), axis=0)
        return self.op("Transpose", self.op("Reshape", x, shape), perm=[0, 2, 1, 3])

    def attention(self, i, x):
        x = super().attention(i, x)
        layer = f"model.layers.{i}.encoder_attn"
        query = self.heads_of(self.linear(self.norm(x, layer + "_layer_norm"), layer + ".q_proj"), self.size.heads, self.size.width)
        key, value = (self.heads_of_encoder(self.linear("encoder_hidden_states", f"{layer}.{part}_proj")) for part in "kv")
        return self.op("Add", x, self.linear(self.attended(query, key, value, self.encoder_mask), layer + ".o_proj"))


FORMS = {"plain": Plain, "group_query": GroupQuery, "onnx_ops": OnnxOps, "latent": Latent, "latent_cache": LatentCache, "encoder_decoder": EncoderDecoder}


def decoder(size, weights, attention="plain", bits=32):
    """attention: one of FORMS; bits: 32, or 4 for the matrices of the layers."""
    return FORMS[attention](size, weights, bits).build()


def weights_for(size, attention, seed):
    form = FORMS[attention]
    return random_weights(size, form.matrices(size), form.norms(size), seed)
