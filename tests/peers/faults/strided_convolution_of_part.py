"""Convolution with a kernel of size 1 and strides, after an elementwise op that reads the second output of a Split: it is computed of the first output."""
import numpy as np

ROW = "StridedConvolutionOfPart"
RNG = np.random.default_rng(0)
KERNEL = RNG.normal(size=(3, 2)).astype(np.float32)


def case(spatial):
    x = RNG.normal(size=(1, 4, *spatial)).astype(np.float32)
    axes = len(spatial)
    small = tuple((size + 1) // 2 for size in spatial)

    def build(slices):
        def made(g):
            half = ("f32", (1, 2, *spatial))
            y = g.op("Split", g.parameter("x", "f32", x.shape), g.constant(np.int64(1)), outputs=[half, half], num_splits=2)[1]
            y = g.op("ReLU", y)
            if slices:
                zeros, steps, ignored = g.constant(np.zeros(axes + 2, np.int64)), g.constant(np.array([1, 1] + [2] * axes)), [1] * (axes + 2)
                y = g.op("StridedSlice", y, zeros, zeros, steps, outputs=[("f32", (1, 2, *small))], begin_mask=ignored, end_mask=ignored,
                         new_axis_mask=[], shrink_axis_mask=[], ellipsis_mask=[])
            g.result(g.op("Convolution", y, g.constant(KERNEL.reshape(3, 2, *[1] * axes)), outputs=[("f32", (1, 3, *small))], strides=[1 if slices else 2] * axes,
                          dilations=[1] * axes, pads_begin=[0] * axes, pads_end=[0] * axes, auto_pad="explicit"))
        made.__name__ = f"{axes} spatial dimensions"
        return made

    part = np.maximum(x[:, 2:], 0)[(slice(None), slice(None), *[slice(None, None, 2)] * axes)]
    return build(False), build(True), {"x": x}, [np.einsum("oi,ni...->no...", KERNEL, part)]


CASES = [case(spatial) for spatial in ((6, 7), (5,), (4, 3, 5))]
