"""Convert to boolean of one of several outputs: the runtime converts the first output, or does not compile the model."""
import numpy as np

ROW = "BooleanOfParts"
X = np.array([[2, 3, 0, 1], [3, 2, 1, 0]])  # the parts are 0 and 1: 2021.4 keeps other numbers


def split(g, x):
    return g.op("Split", x, g.constant(np.int64(1)), outputs=[(x.type, (2, 2))] * 2, num_splits=2)[1]


def largest(g, x):
    """The places of the two largest numbers, by place."""
    count = g.constant(np.int64(2))
    places = g.op("TopK", x, count, version=3, outputs=[(x.type, (2, 2)), ("i32", (2, 2))], axis=1, mode="max", sort="index", index_element_type="i32")[1]
    return g.op("Tile", places, g.constant(np.array([1, 1])))


def build(form, type, compares):
    def made(g):
        part = form(g, g.parameter("x", type, X.shape))
        if compares:
            zero = g.constant(np.zeros((), {"i32": np.int32, "u8": np.uint8, "f32": np.float32}[part.type]))
            g.result(g.op("NotEqual", part, zero, outputs=[("boolean", part.shape)], auto_broadcast="numpy"))
        else:
            g.result(g.op("Convert", part, outputs=[("boolean", part.shape)], destination_type="boolean"))
    made.__name__ = f"{form.__name__} of {type}"
    return made


def case(form, type, kind, expected):
    return build(form, type, False), build(form, type, True), {"x": X.astype(kind)}, [np.array(expected, bool)]


CASES = [case(split, "i32", np.int32, [[0, 1], [1, 0]]), case(split, "u8", np.uint8, [[0, 1], [1, 0]]), case(largest, "f32", np.float32, [[0, 1], [0, 1]])]
