"""ReduceL1 and ReduceL2 over the 6 channels of a convolution. The runtime has memory for 8 channels, and also reduces the two numbers after them (here 0.5)."""
import numpy as np

ROW = "NormsOfChannels"
FEWER_WITH = "avx512f"
RNG = np.random.default_rng(0)


def case(op, shape, axes):
    x = RNG.normal(size=shape).astype(np.float32)
    spatial = len(shape) - 2
    filters = np.zeros((shape[1], shape[1], *[3] * spatial), np.float32)
    filters[(slice(None), slice(None), *[1] * spatial)] = np.eye(shape[1])
    how = {"strides": [1] * spatial, "dilations": [1] * spatial, "pads_begin": [1] * spatial, "pads_end": [1] * spatial, "auto_pad": "explicit"}
    reduced = [1 if axis in axes else size for axis, size in enumerate(shape)]

    def build(is_replacement):
        def made(g):
            y = g.op("Convolution", g.parameter("x", "f32", shape), g.constant(filters), outputs=[("f32", shape)], **how)
            data, y = y, g.op("Sigmoid", y)
            over = g.constant(np.array(axes, np.int64))
            if not is_replacement:
                n = g.op(op, y, over, version=4, keep_dims=True, outputs=[("f32", reduced)])
            elif op == "ReduceL1":
                n = g.op("ReduceSum", g.op("Abs", y), over, keep_dims=True, outputs=[("f32", reduced)])
            else:
                n = g.op("Sqrt", g.op("ReduceSum", g.op("Multiply", y, y, auto_broadcast="numpy"), over, keep_dims=True, outputs=[("f32", reduced)]))
            y = g.op("Subtract", data, n, auto_broadcast="numpy", outputs=[("f32", shape)])
            g.result(g.op("Convolution", y, g.constant(filters), outputs=[("f32", shape)], **how))
        made.__name__ = f"{op} of {shape} over {axes}"
        return made
    y = 1 / (1 + np.exp(-x.astype(np.float64)))
    n = np.abs(y).sum(tuple(axes), keepdims=True) if op == "ReduceL1" else np.sqrt((y**2).sum(tuple(axes), keepdims=True))
    return build(False), build(True), {"x": x}, [(x - n).astype(np.float32)]


CASES = [case(op, shape, axes) for op in ("ReduceL1", "ReduceL2") for shape in ((1, 6, 8), (2, 6, 8, 8), (2, 6, 4, 4, 4))
         for axes in ([1], list(range(1, len(shape))), [0, 1])]
