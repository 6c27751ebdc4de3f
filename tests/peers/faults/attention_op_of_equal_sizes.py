"""ScaledDotProductAttention with as many heads as queries: where the queries are transposed and the result is not, or the result only, numbers are wrong."""
import numpy as np

ROW = "AttentionOpOfEqualSizes"
FEWER_WITHOUT = "avx512f"
V10 = False
SINCE = OLDEST = "2023.3"
HEADS_FIRST = [0, 2, 1, 3]


def case(batch, heads, keys, size, hidden=""):
    """Queries that are transposed; `hidden`: "mask", "causal" or nothing."""
    random = np.random.default_rng(heads)
    feeds = {"q": random.normal(size=(batch, heads, heads * size)).astype(np.float32)}
    feeds.update({name: random.normal(size=(batch, heads, keys, size)).astype(np.float32) for name in "kv"})
    if hidden == "mask":
        feeds["m"] = random.normal(size=(heads, keys)).astype(np.float32)
    scores = feeds["q"].reshape(batch, heads, heads, size).transpose(HEADS_FIRST) @ feeds["k"].swapaxes(-1, -2) / np.sqrt(size)
    below = np.tril(np.ones((heads, keys), bool))
    if hidden:
        scores = scores + feeds["m"] if hidden == "mask" else np.where(below, scores, -np.inf)
    exponents = np.exp(scores - scores.max(-1, keepdims=True))
    want = exponents / exponents.sum(-1, keepdims=True) @ feeds["v"]

    def build(in_parts):
        def made(g):
            inputs = {name: g.parameter(name, "f32", value.shape) for name, value in feeds.items()}
            rows = g.op("Reshape", inputs["q"], g.constant(np.array([0, 0, heads, size])), special_zero=True, outputs=[("f32", (batch, heads, heads, size))])
            q = g.op("Transpose", rows, g.constant(np.array(HEADS_FIRST)), outputs=[("f32", (batch, heads, heads, size))])
            if not in_parts:
                mask = [inputs["m"]] if hidden == "mask" else []
                y = g.op("ScaledDotProductAttention", q, inputs["k"], inputs["v"], *mask, version=13, causal=hidden == "causal", outputs=[("f32", want.shape)])
                return g.result(y)
            q = g.op("Multiply", q, g.constant(np.float32(1 / np.sqrt(size))), auto_broadcast="numpy")
            s = g.op("MatMul", q, inputs["k"], transpose_a=False, transpose_b=True, outputs=[("f32", scores.shape)])
            if hidden == "mask":
                s = g.op("Add", s, inputs["m"], auto_broadcast="numpy")
            if hidden == "causal":
                s = g.op("Select", g.constant(below), s, g.constant(np.float32(-np.inf)), outputs=[("f32", scores.shape)], auto_broadcast="numpy")
            p = g.op("SoftMax", s, axis=3)
            p = g.op("Maximum", p, p, auto_broadcast="numpy")
            return g.result(g.op("MatMul", p, inputs["v"], transpose_a=False, transpose_b=False, outputs=[("f32", want.shape)]))
        made.__name__ = f"{heads} heads, {keys} keys {hidden}"
        return made
    return build(False), build(True), feeds, [want]


CASES = [case(2, 4, 4, 8), case(1, 12, 20, 64, "mask"), case(1, 2, 3, 2), case(2, 8, 8, 16, "causal")]
