"""ScaledDotProductAttention whose mask says which keys count."""
import numpy as np

ROW = "BooleanAttentionMasks"
V10 = False
SINCE = OLDEST = "2023.3"
RNG = np.random.default_rng(0)


def case(batch, mask_shape):
    q, k, v = (RNG.normal(size=(*batch, rows, 4)).astype(np.float32) for rows in (3, 5, 5))
    mask = RNG.random(mask_shape) < 0.6
    mask[..., 0] = True  # a query without keys gives NaN
    scores = np.where(mask, q @ k.swapaxes(-1, -2) / 2, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    y = (weights / weights.sum(-1, keepdims=True) @ v).astype(np.float32)

    def build(is_added):
        def made(g):
            inputs = [g.parameter(name, "f32", x.shape) for name, x in (("q", q), ("k", k), ("v", v))]
            chosen = g.parameter("m", "boolean", mask.shape)
            if is_added:
                chosen = g.op("Select", chosen, g.constant(np.float32(0)), g.constant(np.float32(-np.inf)), outputs=[("f32", mask.shape)], auto_broadcast="numpy")
            g.result(g.op("ScaledDotProductAttention", *inputs, chosen, version=13, causal=False, outputs=[("f32", y.shape)]))
        made.__name__ = f"{len(batch)} dimensions of batches, a mask of {mask_shape} that is {'added' if is_added else 'boolean'}"
        return made
    return build(False), build(True), {"q": q, "k": k, "v": v, "m": mask}, [y]


CASES = [case((2,), (3, 5)), case((2, 2), (3, 5)), case((2, 2), (2, 1, 3, 5))]
