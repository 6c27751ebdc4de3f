"""ScatterNDUpdate with negative indices: older releases write outside of the data."""
import numpy as np

ROW = "NegativeScatterIndices"
X = np.arange(12, dtype=np.float32).reshape(4, 3)
INDICES = np.array([[1], [-1]], np.int64)
UPDATES = -np.ones((2, 3), np.float32)
UPDATED = X.copy()
UPDATED[[1, 3]] = -1


def wrapped(g, indices):
    below = g.op("Less", indices, g.constant(np.int64(0)), outputs=[("boolean", [2, 1])], auto_broadcast="numpy")
    counted = g.op("Add", indices, g.constant(np.array([4], np.int64)), auto_broadcast="numpy")
    return g.op("Select", below, counted, indices, outputs=[("i64", [2, 1])], auto_broadcast="numpy")


def faulty(g, prepared=lambda g, indices: indices):
    x, indices, updates = g.parameter("x", "f32", [4, 3]), g.parameter("i", "i64", [2, 1]), g.parameter("u", "f32", [2, 3])
    g.result(g.op("ScatterNDUpdate", x, prepared(g, indices), updates, version=4))


def replacement(g):
    faulty(g, wrapped)


def faulty_elements(g, prepared=lambda g, indices: indices):
    x, indices, updates = g.parameter("x", "f32", [4, 3]), g.parameter("i", "i64", [2, 1]), g.parameter("u", "f32", [2, 1])
    g.result(g.op("ScatterElementsUpdate", x, prepared(g, indices), updates, g.constant(np.int64(0)), version=3))


def elements_replacement(g):
    faulty_elements(g, wrapped)


UPDATED_ELEMENTS = X.copy()
UPDATED_ELEMENTS[[1, 3], 0] = -1
CASES = [(faulty_elements, elements_replacement, {"x": X, "i": INDICES, "u": UPDATES[:, :1]}, [UPDATED_ELEMENTS]),
         (faulty, replacement, {"x": X, "i": INDICES, "u": UPDATES}, [UPDATED])]
