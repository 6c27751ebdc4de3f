"""Quotients, powers and means over the batch before a convolution, with 8 channels. The runtime has memory for 16 channels, where 0 / 0 follows the 8:
the convolution multiplies this NaN by 0 and adds it.
"""
import numpy as np

ROW = "ConvolvedQuotients"
NEEDS = "avx512f"
RNG = np.random.default_rng(0)
KERNELS = [RNG.normal(size=(8, 12)).astype(np.float32), RNG.normal(size=(8, 8)).astype(np.float32)]
AXES = np.array([0, 2, 3])


def with_kernel(x, k):
    return np.einsum("oi,ni...->no...", k, x)


def convolution(g, x, kernel):
    spatial = x.shape[2:]
    one, zero = [1] * len(spatial), [0] * len(spatial)
    return g.op("Convolution", x, g.constant(kernel.reshape(*kernel.shape, *one)), outputs=[("f32", (x.shape[0], kernel.shape[0], *spatial))],
                strides=one, dilations=one, pads_begin=zero, pads_end=zero, auto_pad="explicit")


def as_it_is(g, op, *inputs, **attributes):
    return g.op(op, *inputs, **attributes)


def in_six_dimensions(g, op, *inputs, **attributes):
    shape = max((x.shape for x in inputs), key=np.prod)
    added, ones = g.constant(np.arange(len(shape), 6)), [1] * (6 - len(shape))
    wide = [g.op("Unsqueeze", x, added, outputs=[("f32", (*x.shape, *ones))]) if len(x.shape) == len(shape) else x for x in inputs]
    return g.op("Squeeze", g.op(op, *wide, **attributes), added, outputs=[("f32", shape)])


def case(name, shape, form, numbers, replaced=in_six_dimensions):
    x = RNG.normal(size=shape).astype(np.float32)

    def build(call):
        def made(g):
            g.result(convolution(g, form(g, convolution(g, g.parameter("x", "f32", shape), KERNELS[0]), call), KERNELS[1]))
        made.__name__ = name
        return made
    y = numbers(with_kernel(x.astype(np.float64), KERNELS[0].astype(np.float64)))
    return build(as_it_is), build(replaced), {"x": x}, [with_kernel(y, KERNELS[1]).astype(np.float32)]


def roots(g, x, call):
    return call(g, "Divide", x, g.op("Sqrt", g.op("Abs", x)), auto_broadcast="numpy", m_pythondiv=True)


def inverse_roots(g, x, call):
    return call(g, "Power", g.op("Abs", x), g.constant(np.float32(-0.5)), auto_broadcast="numpy")


def for_each_channel(g, op, x, exponent, **attributes):
    """A Power with one number would change places with Unsqueeze, which then goes."""
    return in_six_dimensions(g, op, x, g.constant(np.full((1, 8, 1, 1), -0.5, np.float32)), **attributes)


def inverse(g, x, call):
    return call(g, "Divide", g.constant(np.float32(2)), x, outputs=[("f32", x.shape)], auto_broadcast="numpy", m_pythondiv=True)


def inverse_for_each_channel(g, op, a, x, **_):
    y = in_six_dimensions(g, "Power", x, g.constant(np.full((1, 8, 1, 1), -1, np.float32)), auto_broadcast="numpy")
    return g.op("Multiply", y, a, auto_broadcast="numpy")


def rest(g, x, call):
    return call(g, "FloorMod", x, g.op("Abs", g.op("Sin", x)), auto_broadcast="numpy")


def mean(g, x, call):
    return call(g, "MVN", x, g.constant(AXES), version=6, eps=1e-3, eps_mode="inside_sqrt", normalize_variance=True)


def normalised(x):
    return (x - x.mean((0, 2, 3), keepdims=True)) / np.sqrt(x.var((0, 2, 3), keepdims=True) + 1e-3)


def sqrt(x):
    return np.sqrt(np.abs(x))


CASES = [case("quotients", (2, 12, 5, 5), roots, lambda x: x / sqrt(x)),
         case("quotients of volumes", (1, 12, 3, 4, 2), roots, lambda x: x / sqrt(x)),
         case("powers", (1, 12, 5, 5), inverse_roots, lambda x: 1 / sqrt(x), for_each_channel),
         case("inverse numbers", (1, 12, 5, 5), inverse, lambda x: 2 / x, inverse_for_each_channel),
         case("rests", (1, 12, 5, 5), rest, lambda x: np.mod(x, np.abs(np.sin(x)))),
         case("MVN over two batches", (2, 12, 5, 5), mean, normalised),
         case("MVN over one batch", (1, 12, 5, 5), mean, normalised)]
