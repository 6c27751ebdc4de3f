"""Slice and StridedSlice between a place counted from the back and one counted from the front, of a tensor whose size has known limits."""
import numpy as np

ROW = "SliceFromBackToFront"
V10 = False
MASKS = dict(begin_mask="0", end_mask="0", new_axis_mask="0", shrink_axis_mask="0", ellipsis_mask="0")
UNKNOWN = [("f32", [-1])]


def limited(g):
    """At least 4 elements: the runtime knows it."""
    return g.op("Pad", g.parameter("x", "f32", [-1]), g.constant(np.array([3])), g.constant(np.array([0])), pad_mode="edge", outputs=UNKNOWN)


def faulty(name, *bounds):
    def build(g):
        x = limited(g)
        numbers = [g.constant(np.array([bound])) for bound in bounds]
        if name == "Slice":
            g.result(g.op(name, x, *numbers, g.constant(np.array([0])), version=8, outputs=UNKNOWN))
        else:
            g.result(g.op(name, x, *numbers, **MASKS, outputs=UNKNOWN))
    build.__name__ = f"{name} {bounds}"
    return build


def replacement(start, stop, step):
    def build(g):
        x = limited(g)
        length = [("i64", [1])]
        size = g.op("ShapeOf", x, version=3, output_type="i64", outputs=length)
        size = g.op("Gather", size, g.constant(np.array([0])), g.constant(np.int64(0)), outputs=length)
        place = g.op("Add", size, g.constant(np.array([start if step > 0 else -1])), auto_broadcast="numpy")
        place = g.op("Maximum" if step > 0 else "Minimum", place, g.constant(np.array([0 if step > 0 else start])), auto_broadcast="numpy")
        g.result(g.op("Slice", x, place, *(g.constant(np.array([n])) for n in (stop, step, 0)), version=8, outputs=UNKNOWN))
    build.__name__ = f"Slice from a computed place {start}:{stop}:{step}"
    return build


def case(name, size, *bounds):
    x = np.arange(size, dtype=np.float32)
    return faulty(name, *bounds), replacement(*bounds), {"x": x}, [np.pad(x, (3, 0), mode="edge")[slice(*bounds)]]


CASES = [case(name, size, *bounds) for size, bounds in ((9, (-4, 9, 2)), (4, (-4, 4, 1)), (2, (-4, 4, 1)), (12, (7, -9, -1)), (4, (7, -9, -2)))
         for name in ("Slice", "StridedSlice")]
