"""AvgPool-14 with ceil_torch whose padding counts: a last window is divided by as many elements as it has in the data and its padding."""
import numpy as np

ROW = "TorchAveragePool"
SINCE = "2024.6"  # op set 14


def reference(x, kernel, stride, begin, end):
    size = x.shape[2]
    out = -(-(size + begin + end - kernel) // stride) + 1
    out -= (out - 1) * stride >= size + begin
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (begin, end), (begin, end)))
    result = np.zeros((*x.shape[:2], out, out))
    for i in range(out):
        for j in range(out):
            result[:, :, i, j] = padded[:, :, i * stride:i * stride + kernel, j * stride:j * stride + kernel].mean((2, 3))
    return result


def pooling(kernel, stride, begin, end, size, out, padded):
    def build(g):
        x = g.parameter("x", "f32", [1, 2, size, size])
        window = dict(kernel=[kernel] * 2, strides=[stride] * 2, auto_pad="explicit")
        shape = [("f32", [1, 2, out, out])]
        if not padded:
            window["exclude-pad"] = False
            return g.result(g.op("AvgPool", x, version=14, outputs=shape, pads_begin=[begin] * 2, pads_end=[end] * 2, rounding_type="ceil_torch", **window))
        wide = size + begin + end
        x = g.op("Pad", x, g.constant(np.array([0, 0, begin, begin])), g.constant(np.array([0, 0, end, end])), g.constant(np.float32(0)),
                 outputs=[("f32", [1, 2, wide, wide])], pad_mode="constant")
        window["exclude-pad"] = True
        lacking = max(0, (out - 1) * stride + kernel - wide)
        return g.result(g.op("AvgPool", x, outputs=shape, pads_begin=[0, 0], pads_end=[lacking] * 2, rounding_type="floor", **window))
    build.__name__ = "Pad, AvgPool" if padded else "AvgPool"
    return build


def case(size, kernel, stride, begin, end):
    x = np.random.default_rng(size).normal(1, 1, size=(1, 2, size, size)).astype(np.float32)
    expected = reference(x, kernel, stride, begin, end)
    geometry = (kernel, stride, begin, end, size, expected.shape[2])
    return pooling(*geometry, False), pooling(*geometry, True), {"x": x}, [expected.astype(np.float32)]


CASES = [case(6, 3, 2, 1, 1), case(7, 3, 2, 0, 1), case(9, 5, 3, 2, 2)]
