"""Concat along axis 1 with a batch of 1, whose first input has 1 or 16 channels and is read by another op, too: its elements are what was in memory.

The fault needs two layouts: a convolution with PReLU keeps blocks of 16 channels, one without puts the channels last, and for 16 channels both are the
same. One channel is the same first and last: what a convolution makes of it takes the place of the first input.
"""
import numpy as np

ROW = "AlikeLayoutsFirstInConcat"
NEEDS = "avx512f"
RNG = np.random.default_rng(0)


def case(slope_first, spatial):
    one, zero = [1] * len(spatial), [0] * len(spatial)
    x = RNG.normal(size=(1, 12, *spatial)).astype(np.float32)
    kernels = [RNG.normal(size=size).astype(np.float32) for size in ((16, 12), (32, 16))]
    slopes = RNG.random(16 if slope_first else 32).astype(np.float32)

    def build(copies):
        def step(g, tensor, kernel, has_slope):
            y = g.op("Convolution", tensor, g.constant(kernel.reshape(*kernel.shape, *one)), outputs=[("f32", (1, len(kernel), *spatial))],
                     strides=one, dilations=one, pads_begin=zero, pads_end=zero, auto_pad="explicit")
            return g.op("PRelu", y, g.constant(slopes)) if has_slope else y

        def made(g):
            a = step(g, g.parameter("x", "f32", x.shape), kernels[0], slope_first)
            b = step(g, a, kernels[1], not slope_first)
            first = g.op("Maximum", a, a, auto_broadcast="numpy") if copies else a
            g.result(g.op("Concat", first, b, outputs=[("f32", (1, 48, *spatial))], axis=1))
        made.__name__ = f"{len(spatial)} spatial dimensions, PReLU behind convolution {1 if slope_first else 2}"
        return made

    def computed(x, kernel, has_slope):
        y = np.einsum("oi,ni...->no...", kernel, x)
        return np.where(y < 0, y * slopes.reshape(-1, *one), y) if has_slope else y
    a = computed(x, kernels[0], slope_first)
    return build(False), build(True), {"x": x}, [np.concatenate([a, computed(a, kernels[1], not slope_first)], 1)]


def case_of_one_channel(spatial):
    one, zero = [1] * len(spatial), [0] * len(spatial)
    x = [RNG.normal(size=(1, 1, *spatial)).astype(np.float32) for _ in range(3)]
    kernel = RNG.normal(size=(2, 1, *one)).astype(np.float32)

    def build(copies):
        def made(g):
            first, *others = [g.parameter(name, "f32", x[0].shape) for name in "xyz"]
            copied = g.op("Maximum", first, first, auto_broadcast="numpy") if copies else first
            g.result(g.op("Concat", copied, *others, outputs=[("f32", (1, 3, *spatial))], axis=1))
            g.result(g.op("Convolution", first, g.constant(kernel), outputs=[("f32", (1, 2, *spatial))], strides=one, dilations=one, pads_begin=zero,
                          pads_end=zero, auto_pad="explicit"))
        made.__name__ = f"{len(spatial)} spatial dimensions, one channel"
        return made
    return build(False), build(True), dict(zip("xyz", x)), [np.concatenate(x, 1), x[0] * kernel.reshape(1, 2, *one)]


CASES = [case(slope_first, spatial) for slope_first in (True, False) for spatial in ((8, 8), (2, 2), (5,), (4, 3, 2))]
CASES += [case_of_one_channel(spatial) for spatial in ((6,), (6, 6), (3, 3, 3))]
