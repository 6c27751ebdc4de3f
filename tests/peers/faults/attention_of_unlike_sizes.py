"""ScaledDotProductAttention of dynamic shapes whose batches, or lengths of queries and values, differ; or with a mask of one row or column."""
import numpy as np

ROW = "AttentionOfUnlikeSizes"
V10 = False
SINCE = OLDEST = "2023.3"
RNG = np.random.default_rng(0)


def case(query, key, value, mask=None):
    arrays = {name: RNG.normal(size=shape).astype(np.float32) for name, shape in (("q", query), ("k", key), ("v", value), ("m", mask)) if shape}
    scores = arrays["q"] @ arrays["k"].swapaxes(-1, -2) / np.float32(np.sqrt(query[-1])) + arrays.get("m", 0)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    y = (weights @ arrays["v"]).astype(np.float32)
    is_static = mask is not None

    def build(is_in_parts):
        def made(g):
            def sizes(shape):
                return shape if is_static else [-1] * len(shape)

            def op(kind, *inputs, shape=scores.shape, **attributes):
                return g.op(kind, *inputs, outputs=[("f32", sizes(shape))], **attributes)
            inputs = [g.parameter(name, "f32", sizes(x.shape)) for name, x in arrays.items()]
            if not is_in_parts:
                return g.result(op("ScaledDotProductAttention", *inputs, shape=y.shape, version=13, causal=False))
            scaled = op("Multiply", inputs[0], g.constant(np.float32(1 / np.sqrt(query[-1]))), shape=query, auto_broadcast="numpy")
            product = op("MatMul", scaled, inputs[1], transpose_a=False, transpose_b=True)
            if mask:
                product = op("Add", product, inputs[3], auto_broadcast="numpy")
            return g.result(op("MatMul", op("SoftMax", product, version=1, axis=len(query) - 1), inputs[2], shape=y.shape, transpose_a=False, transpose_b=False))
        made.__name__ = f"{query}, {key}, {value}, {mask or 'no mask'}{' in parts' if is_in_parts else ''}"
        return made
    return build(False), build(True), arrays, [y]


CASES = [case((2, 2, 3, 4), (2, 2, 5, 4), (2, 2, 5, 6)), case((1, 2, 3, 4), (2, 2, 5, 4), (2, 2, 5, 4)), case((2, 2, 3, 4), (2, 2, 5, 4), (2, 2, 5, 4), (1, 5)),
         case((2, 2, 3, 4), (2, 2, 5, 4), (2, 2, 5, 4), (3, 1))]
