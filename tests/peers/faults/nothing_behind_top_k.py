"""An op that changes nothing between TopK and a Result: the runtime leaves it away together with its name, when the other output of TopK is not read."""
import numpy as np

ROW = "NothingBehindTopK"
X = np.array([[3, 1, 2, 5]], np.float32)
SHAPE = np.array([1, 2])
LIST = dict.fromkeys(("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"), [0, 0])


def numbers(g, *values):
    return [g.constant(np.array(value)) for value in values]


OPS = {
    "Concat": lambda g, x: g.op("Concat", x, axis=0),
    "Convert": lambda g, x: g.op("Convert", x, destination_type=x.type),
    "Gather": lambda g, x: g.op("Gather", x, *numbers(g, [0], 0)),
    "Pad": lambda g, x: g.op("Pad", x, *numbers(g, [0, 0], [0, 0]), pad_mode="edge"),
    "Reshape": lambda g, x: g.op("Reshape", x, *numbers(g, SHAPE), special_zero=False),
    "StridedSlice": lambda g, x: g.op("StridedSlice", x, *numbers(g, [0, 0], SHAPE, [1, 1]), **LIST),
    "Transpose": lambda g, x: g.op("Transpose", x, *numbers(g, [0, 1])),
    "Gather and Reshape": lambda g, x: g.op("Reshape", g.op("Gather", x, *numbers(g, [0], 0)), *numbers(g, SHAPE), special_zero=False),
}


def case(name, index):
    def form(is_replacement):
        def build(g):
            x = g.parameter("x", "f32", X.shape)
            value = g.op("TopK", x, g.constant(np.int64(2)), version=3, outputs=[("f32", SHAPE), ("i32", SHAPE)], axis=1, mode="max", sort="value", index_element_type="i32")[index]
            if is_replacement:
                zero = g.constant(np.zeros((), np.int32 if index else np.float32))
                value = g.op("Add", value, zero, auto_broadcast="numpy")
            g.result(OPS[name](g, value))
        build.__name__ = f"{name} of {'Add' if is_replacement else 'TopK'}"
        return build

    return form(False), form(True), {"x": X}, [[[[5, 3]], [[3, 0]]][index]]


CASES = [case(name, index) for name in OPS for index in (0, 1)]
