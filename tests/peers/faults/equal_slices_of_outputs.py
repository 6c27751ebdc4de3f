"""Two StridedSlices that take the same elements, both outputs of the model: the runtime leaves one away together with its name."""
import numpy as np

ROW = "EqualSlicesOfOutputs"
X = np.arange(12).reshape(2, 6)


def taken(g, x, begin, end, steps=(1, 1), shape=(2, 3), **masks):
    bounds = [g.constant(np.array(bound)) for bound in (begin, end, steps)]
    ignored = {name: masks.get(name, [0, 0]) for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")}
    return g.op("StridedSlice", x, *bounds, outputs=[(x.type, shape)], **ignored)


def one_by_steps(type, is_replacement):
    def made(g):
        x = g.parameter("x", type, X.shape)
        first = taken(g, x, [0, 0], [2, 1], shape=(2, 1))
        g.result(first)
        g.result(g.op("Convert", first, destination_type=type) if is_replacement else taken(g, x, [0, 0], [2, 1], shape=(2, 1), steps=[1, 2]))
    made.__name__ = "Convert" if is_replacement else "StridedSlices of one column"
    return made


def build(type, is_replacement):
    def made(g):
        x = g.parameter("x", type, X.shape)
        first = taken(g, x, [0, 0], [2, 3])
        g.result(first)
        g.result(g.op("Convert", first, destination_type=type) if is_replacement else taken(g, x, [-2, 1], [5, -3], begin_mask=[0, 1]))
    made.__name__ = f"{'Convert' if is_replacement else 'StridedSlices'} of {type}"
    return made


def case(type, kind):
    x = (X % 2 if type == "boolean" else X).astype(kind)
    return build(type, False), build(type, True), {"x": x}, [x[:, :3]] * 2


CASES = [case("f32", np.float32), case("i32", np.int32), case("boolean", bool),
         (one_by_steps("i32", False), one_by_steps("i32", True), {"x": X.astype(np.int32)}, [X[:, :1].astype(np.int32)] * 2)]
