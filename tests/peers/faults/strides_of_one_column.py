"""Convolution of one channel with strides, whose windows have one place along the last dimension: other numbers in all rows but the first."""
import numpy as np

ROW = "StridesOfOneColumn"
NEEDS = "avx512f"
RNG = np.random.default_rng(0)


def windows(x, kernel, strides):
    """The convolution of padded data."""
    places = [(size - length) // stride + 1 for size, length, stride in zip(x.shape[2:], kernel.shape[2:], strides)]
    y = np.zeros((x.shape[0], kernel.shape[0], *places), np.float32)
    for place in np.ndindex(*places):
        seen = tuple(slice(p * stride, p * stride + length) for p, stride, length in zip(place, strides, kernel.shape[2:]))
        y[(..., *place)] = np.tensordot(x[(slice(None), 0, *seen)], kernel[:, 0], axes=[range(1, len(places) + 1)] * 2)
    return y


def case(data, kernel, stride, pads, has_group=False):
    """`pads`: before and after the last dimension. `has_group`: a GroupConvolution of one group."""
    x, w = RNG.normal(size=(2, 1, *data)).astype(np.float32), RNG.normal(size=(2, 1, *kernel)).astype(np.float32)
    one, zero = [1] * len(kernel), [0] * (len(kernel) - 1)
    y = windows(np.pad(x, [(0, 0)] * (len(data) + 1) + [pads]), w, [*one[:-1], stride])

    def build(is_cut):
        def made(g):
            t, behind = g.parameter("x", "f32", x.shape), pads[1]
            unseen = data[-1] + sum(pads) - kernel[-1]
            if is_cut:
                behind = max(0, pads[1] - unseen)
                end = data[-1] - max(0, unseen - pads[1])
                if end < data[-1]:
                    rank, ignored = len(x.shape), [1] * (len(x.shape) - 1)
                    bounds = [g.constant(np.array(b)) for b in ([0] * rank, [0] * (rank - 1) + [end], [1] * rank)]
                    t = g.op("StridedSlice", t, *bounds, outputs=[("f32", (*x.shape[:-1], end))], begin_mask=[*ignored, 1], end_mask=[*ignored, 0],
                             new_axis_mask=[], shrink_axis_mask=[], ellipsis_mask=[])
            op, filters = ("GroupConvolution", w[None]) if has_group else ("Convolution", w)
            g.result(g.op(op, t, g.constant(filters), outputs=[("f32", y.shape)], strides=[*one[:-1], 1 if is_cut else stride], dilations=one,
                          pads_begin=[*zero, pads[0]], pads_end=[*zero, behind], auto_pad="explicit"))
        made.__name__ = f"a kernel of {kernel} on {data}"
        return made
    return build(False), build(True), {"x": x}, [y]


CASES = [case(*form) for form in (((5, 3), (2, 2), 2, (0, 0)), ((4, 4), (2, 2), 3, (0, 0)), ((4, 3), (1, 3), 2, (0, 0)), ((3, 2), (1, 2), 2, (1, 0)),
                                  ((5, 2), (3, 3), 2, (0, 1)), ((4, 2), (2, 3), 3, (0, 2)), ((4, 2, 4), (3, 1, 3), 3, (0, 1)),
                                  ((5, 3), (2, 2), 2, (0, 0), True))]
