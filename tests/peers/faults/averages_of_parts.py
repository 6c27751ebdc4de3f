"""AvgPool of a part of a Split with one channel, with padding that does not count: it reads the part as if its elements were next to each other."""
import numpy as np

ROW = "AveragesOfParts"
random = np.random.default_rng(0)
SIZE = (2, 3)


def averages(x):
    """Of windows of SIZE, with a column of padding on both sides."""
    padded = np.pad(x, [(0, 0)] * 3 + [(1, 1)], constant_values=np.nan)
    windows = np.lib.stride_tricks.sliding_window_view(padded, SIZE, (2, 3))
    return np.nanmean(windows, (4, 5)).astype(np.float32)


def case(axis, lengths, part):
    shape = [3, 1, 5, 4]
    shape[axis] = sum(lengths)
    x = random.normal(size=shape).astype(np.float32)
    parts = np.split(x, [lengths[0]], axis)
    expected = averages(parts[part])
    begin = part * lengths[0]

    def form(is_replacement):
        def build(g):
            data, number = g.parameter("x", "f32", x.shape), g.constant(np.int64(axis))
            outputs = [("f32", piece.shape) for piece in parts]
            if is_replacement:
                piece = g.op("Gather", data, g.constant(np.arange(begin, begin + lengths[part])), number, outputs=[outputs[part]])
            else:
                piece = g.op("VariadicSplit", data, number, g.constant(np.array(lengths)), outputs=outputs)[part]
            g.result(g.op("AvgPool", piece, outputs=[("f32", expected.shape)], kernel=SIZE, strides=[1, 1], pads_begin=[0, 1], pads_end=[0, 1], auto_pad="explicit",
                          rounding_type="floor", **{"exclude-pad": True}))
        build.__name__ = f"{'Gather' if is_replacement else 'VariadicSplit'} along {axis}"
        return build

    return form(False), form(True), {"x": x}, [expected]


CASES = [case(axis, lengths, part) for axis, lengths in ((1, [1, 1]), (2, [2, 3]), (3, [2, 3])) for part in (0, 1)]
