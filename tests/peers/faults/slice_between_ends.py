"""Slice of an unknown size from 0 to a place counted from the back, and in the other direction."""
import numpy as np

ROW = "SliceBetweenEnds"
V10 = False
X = np.arange(10, dtype=np.float32)
MASKS = dict(begin_mask="0", end_mask="0", new_axis_mask="0", shrink_axis_mask="0", ellipsis_mask="0")


def part(name, start, stop, step):
    def build(g):
        bounds = [g.constant(np.array([n])) for n in (start, stop, step)]
        x = g.op("Abs", g.parameter("x", "f32", [-1]))
        if name == "Slice":
            g.result(g.op(name, x, *bounds, g.constant(np.array([0])), version=8))
        else:
            g.result(g.op(name, x, *bounds, **MASKS))
    build.__name__ = f"{name} {start}:{stop}:{step}"
    return build


CASES = [(part("Slice", *bounds), part("StridedSlice", *bounds), {"x": X}, [X[slice(*bounds)]]) for bounds in ((0, -2, 1), (0, -3, 2), (-1, 0, -1), (-2, 0, -2))]
