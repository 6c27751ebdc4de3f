"""Two slices of the same axis, which counts from the front in one and from the back in the other."""
import numpy as np

ROW = "AxesOfSlicesInSequence"
V10 = False
X = np.arange(120, dtype=np.float32).reshape(4, 5, 6)


def build(axis):
    def made(g):
        def slice_of(x, begin, end, axis, shape):
            return g.op("Slice", x, *[g.constant(np.array([number])) for number in (begin, end, 1, axis)], version=8, outputs=[("f32", shape)])
        g.result(slice_of(slice_of(g.parameter("x", "f32", X.shape), 1, 4, 0, [3, 5, 6]), 1, 3, axis, [2, 5, 6]))
    return made


CASES = [(build(-3), build(0), {"x": X}, [X[1:4][1:3]])]
