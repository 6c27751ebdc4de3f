"""Log before a convolution, with 5 channels. The runtime has memory for 8 channels, where Log(0) follows the 5: the convolution multiplies this infinity by 0 and
adds it.
"""
import numpy as np

ROW = "ConvolvedLogarithms"
FEWER_WITH = "avx512f"
RNG = np.random.default_rng(0)


def case(shape, adds):
    x = RNG.uniform(0.5, 2, size=shape).astype(np.float32)
    kernel = RNG.normal(size=(4, shape[1])).astype(np.float32)
    spatial = len(shape) - 2

    def build(is_replacement):
        def made(g):
            data = g.parameter("x", "f32", shape)
            y = g.op("Log", data)
            if is_replacement:
                y = g.op("ShuffleChannels", y, axis=1, group=1)
            if adds:
                y = g.op("Add", y, data, auto_broadcast="numpy")
            g.result(g.op("Convolution", y, g.constant(kernel.reshape(*kernel.shape, *[1] * spatial)), outputs=[("f32", (shape[0], 4, *[1] * spatial))],
                          strides=list(shape[2:]), dilations=[1] * spatial, pads_begin=[0] * spatial, pads_end=[0] * spatial, auto_pad="explicit"))
        made.__name__ = f"of {shape}{', added to its data' if adds else ''}"
        return made
    y = (np.log(x) + (x if adds else 0))[(slice(None), slice(None), *[slice(0, 1)] * spatial)]
    return build(False), build(True), {"x": x}, [np.einsum("oi,ni...->no...", kernel, y).astype(np.float32)]


CASES = [case(shape, adds) for shape in ((2, 5, 3), (2, 5, 2, 3), (1, 12, 4, 4), (2, 5, 2, 3, 2)) for adds in (False, True)]
