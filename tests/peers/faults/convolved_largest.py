"""TopK between convolutions, in a model of unknown batch. The runtime has memory for 8 or 16 channels, and TopK leaves what was in it after the last
channel: the second convolution multiplies that by 0 and adds it, which is NaN when NaN was in it.
"""
import numpy as np

ROW = "ConvolvedLargest"
FEWER_WITH = "avx512f"
OLDEST = "2022.1"
RNG = np.random.default_rng(0)


def case(shape, axis, mode):
    x = RNG.normal(size=shape).astype(np.float32)
    spatial = len(shape) - 2
    count = 4 if axis == 1 else 2  # with fewer channels the second convolution takes another layout
    best = np.argsort(x if mode == "min" else -x, axis, kind="stable").take(range(count), axis)
    y = np.take_along_axis(x, best, axis)
    weights = RNG.normal(size=(4, y.shape[1])).astype(np.float32)
    same = np.zeros((shape[1], shape[1], *[3] * spatial), np.float32)
    same[(slice(None), slice(None), *[1] * spatial)] = np.eye(shape[1])
    kernel = np.zeros((4, y.shape[1], *[3] * spatial), np.float32)
    kernel[(slice(None), slice(None), *[1] * spatial)] = weights
    how = {"strides": [1] * spatial, "dilations": [1] * spatial, "pads_begin": [1] * spatial, "pads_end": [1] * spatial, "auto_pad": "explicit"}

    def build(is_replacement):
        def made(g):
            def convolution(data, filters, sizes):
                return g.op("Convolution", data, g.constant(filters), outputs=[("f32", (-1, *sizes))], **how)
            data = convolution(g.parameter("x", "f32", (-1, *shape[1:])), same, shape[1:])
            t = g.op("TopK", data, g.constant(np.int64(count)), version=3, outputs=[("f32", (-1, *y.shape[1:])), ("i32", (-1, *y.shape[1:]))], axis=axis, mode=mode,
                     sort="value", index_element_type="i32")[0]
            if is_replacement:
                t = g.op("ShuffleChannels", t, axis=1, group=1, outputs=[("f32", (-1, *y.shape[1:]))])
            g.result(convolution(t, kernel, (4, *y.shape[2:])))
        made.__name__ = f"{mode} of {shape} along axis {axis}"
        return made
    return build(False), build(True), {"x": x}, [np.einsum("oi,ni...->no...", weights, y).astype(np.float32)]


CASES = [case(shape, axis, mode) for shape in ((2, 5, 4), (2, 6, 4, 4), (2, 20, 4, 4), (2, 5, 2, 3, 2)) for axis in range(1, len(shape)) for mode in ("max", "min")]
