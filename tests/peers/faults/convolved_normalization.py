"""MVN over planes between convolutions, in a model of unknown batch. The runtime has memory for 8 or 16 channels, and MVN computes from what was in it after
the last channel: the second convolution multiplies that by 0 and adds it, which is NaN when NaN was in it.
"""
import numpy as np

ROW = "ConvolvedNormalization"
FEWER_WITH = "avx512f"
OLDEST = "2022.1"
RNG = np.random.default_rng(0)


def case(shape, axes, divides, version=6):
    x = RNG.normal(size=shape).astype(np.float32)
    spatial = len(shape) - 2
    weights = RNG.normal(size=(4, shape[1])).astype(np.float32)

    def centred(matrix):
        filters = np.zeros((*matrix.shape, *[3] * spatial), np.float32)
        filters[(slice(None), slice(None), *[1] * spatial)] = matrix
        return filters
    how = {"strides": [1] * spatial, "dilations": [1] * spatial, "pads_begin": [1] * spatial, "pads_end": [1] * spatial, "auto_pad": "explicit"}

    def build(is_replacement):
        def made(g):
            def convolution(data, matrix, sizes):
                return g.op("Convolution", data, g.constant(centred(matrix)), outputs=[("f32", (-1, *sizes))], **how)
            y = convolution(g.parameter("x", "f32", (-1, *shape[1:])), np.eye(shape[1], dtype=np.float32), shape[1:])
            if version == 6:
                y = g.op("MVN", y, g.constant(np.array(axes, np.int64)), version=6, eps=1e-3, eps_mode="inside_sqrt", normalize_variance=divides)
            else:
                y = g.op("MVN", y, version=2, eps=1e-3, across_channels=1 in axes, normalize_variance=divides)
            if is_replacement:
                y = g.op("ShuffleChannels", y, axis=1, group=1)
            g.result(convolution(y, weights, (4, *shape[2:])))
        made.__name__ = f"of {shape} over {axes}{'' if divides else ', means only'}"
        return made
    deviation = x - x.mean(tuple(axes), keepdims=True)
    y = deviation / np.sqrt((deviation**2).mean(tuple(axes), keepdims=True) + 1e-3) if divides else deviation
    return build(False), build(True), {"x": x}, [np.einsum("oi,ni...->no...", weights, y).astype(np.float32)]


CASES = [case(shape, axes, divides) for shape in ((2, 5, 4), (2, 6, 4, 4), (2, 20, 4, 4), (2, 5, 2, 3, 2)) for divides in (True, False)
         for axes in (list(range(2, len(shape))), list(range(1, len(shape))))]
CASES += [case((2, 6, 4, 4), axes, True, version=2) for axes in ([2, 3], [1, 2, 3])]
