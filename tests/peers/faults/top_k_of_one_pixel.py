"""TopK along the channels of one pixel that a convolution of one channel made: what was in memory."""
import numpy as np

ROW = "TopKOfOnePixel"
NEEDS = "avx512f"
RNG = np.random.default_rng(0)


def case(batch, spatial, mode):
    one, zero = [1] * spatial, [0] * spatial
    x = RNG.normal(size=(batch, 1, *one)).astype(np.float32)
    kernel = RNG.normal(size=(5, 1, *one)).astype(np.float32)
    y = x * kernel.reshape(1, 5, *one)

    def build(is_matrix):
        def made(g):
            t = g.op("Convolution", g.parameter("x", "f32", x.shape), g.constant(kernel), outputs=[("f32", y.shape)], strides=one, dilations=one,
                     pads_begin=zero, pads_end=zero, auto_pad="explicit")
            shape, axes = [batch, 2, *one], g.constant(np.arange(2, 2 + spatial))
            if is_matrix:
                t, shape = g.op("Squeeze", t, axes, outputs=[("f32", [batch, 5])]), [batch, 2]
            for output in g.op("TopK", t, g.constant(np.int64(2)), version=3, outputs=[("f32", shape), ("i32", shape)], axis=1, mode=mode, sort="value",
                               index_element_type="i32"):
                g.result(g.op("Unsqueeze", output, axes, outputs=[(output.type, [batch, 2, *one])]) if is_matrix else output)
        made.__name__ = f"{mode} of {y.shape}"
        return made

    best = np.argsort(y if mode == "min" else -y, 1)[:, :2]
    return build(False), build(True), {"x": x}, [np.take_along_axis(y, best, 1), best.astype(np.int32)]


CASES = [case(batch, spatial, mode) for batch in (1, 2) for spatial in (1, 2, 3) for mode in ("max", "min")]
