"""Quotients, powers and means over the batch before a convolution, with 5 or 8 channels. The runtime has memory for 8 channels, or for 16 with AVX-512, where
0 / 0 follows them: the convolution multiplies this NaN by 0 and adds it.
"""
import numpy as np

ROW = "ConvolvedQuotients"
FEWER_WITH = "avx512f"
RNG = np.random.default_rng(0)
KERNELS = {channels: [RNG.uniform(0.1, 1, size=(channels, 12)).astype(np.float32), RNG.normal(size=(8, channels)).astype(np.float32)] for channels in (5, 8)}


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


def case(name, shape, form, numbers, replaced=in_six_dimensions, channels=8):
    first, second = KERNELS[channels]
    x = RNG.uniform(0.5, 1.5, size=shape).astype(np.float32)  # no product is near 0

    def build(call):
        def made(g):
            g.result(convolution(g, form(g, convolution(g, g.parameter("x", "f32", shape), first), call), second))
        made.__name__ = f"{name}, {channels} channels, {len(shape)} dimensions"
        return made
    y = numbers(with_kernel(x.astype(np.float64), first.astype(np.float64)))
    return build(as_it_is), build(replaced), {"x": x}, [with_kernel(y, second).astype(np.float32)]


def roots(g, x, call):
    return call(g, "Divide", x, g.op("Sqrt", g.op("Abs", x)), auto_broadcast="numpy", m_pythondiv=True)


def inverse_roots(g, x, call):
    return call(g, "Power", g.op("Abs", x), g.constant(np.float32(-0.5)), auto_broadcast="numpy")


def of_each_channel(x, number):
    return np.full((1, x.shape[1], *[1] * (len(x.shape) - 2)), number, np.float32)


def for_each_channel(g, op, x, exponent, **attributes):
    """A Power with one number would change places with Unsqueeze, which then goes."""
    return in_six_dimensions(g, op, x, g.constant(of_each_channel(x, -0.5)), **attributes)


def inverse(g, x, call):
    return call(g, "Divide", g.constant(np.float32(2)), x, outputs=[("f32", x.shape)], auto_broadcast="numpy", m_pythondiv=True)


def inverse_for_each_channel(g, op, a, x, **_):
    y = in_six_dimensions(g, "Power", x, g.constant(of_each_channel(x, -1)), auto_broadcast="numpy")
    return g.op("Multiply", y, a, auto_broadcast="numpy")


def rest(g, x, call):
    return call(g, "FloorMod", x, g.op("Multiply", g.op("Abs", x), g.constant(np.float32(0.75)), auto_broadcast="numpy"), auto_broadcast="numpy")


def divisors(x):
    """One for each channel."""
    return np.linspace(0.5, 1.5, x.shape[1], dtype=np.float32).reshape(1, -1, *[1] * (len(x.shape) - 2))


def rest_by_numbers(g, x, call):
    return call(g, "FloorMod", x, g.constant(divisors(x)), auto_broadcast="numpy", outputs=[("f32", x.shape)])


def mean(g, x, call):
    return call(g, "MVN", x, g.constant(np.delete(np.arange(len(x.shape)), 1)), version=6, eps=1e-3, eps_mode="inside_sqrt", normalize_variance=True)


def normalised(x):
    axes = tuple(np.delete(np.arange(x.ndim), 1))
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-3)


def sqrt(x):
    return np.sqrt(np.abs(x))


FORMS = [("quotients", roots, lambda x: x / sqrt(x), in_six_dimensions),
         ("powers", inverse_roots, lambda x: 1 / sqrt(x), for_each_channel),
         ("inverse numbers", inverse, lambda x: 2 / x, inverse_for_each_channel),
         ("rests", rest, lambda x: np.mod(x, np.abs(x) * 0.75), in_six_dimensions),
         ("rests by numbers", rest_by_numbers, lambda x: np.mod(x, divisors(x)), in_six_dimensions),
         ("MVN over the batch", mean, normalised, in_six_dimensions)]
SHAPES = [(2, 12, 5), (1, 12, 5, 5), (2, 12, 5, 5), (1, 12, 3, 4, 2)]
CASES = [case(name, shape, form, numbers, replaced, channels)
         for channels in KERNELS for shape in SHAPES for name, form, numbers, replaced in FORMS]
