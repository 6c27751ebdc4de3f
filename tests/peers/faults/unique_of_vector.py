"""Unique of a vector along axis 0, sorted."""
import numpy as np

ROW = "UniqueOfVector"
SINCE = OLDEST = "2022.3"
V10 = False
X = np.array([3, -2, 3, 5, -6, 5, 3, 0], np.float32)


def unique(with_axis):
    def build(g):
        axis = [g.constant(np.int64(0))] if with_axis else []
        outputs = [("f32", [-1]), ("i64", [-1]), ("i64", [8]), ("i64", [-1])]
        types = dict(index_element_type="i64", count_element_type="i64")
        for output in g.op("Unique", g.parameter("x", "f32", [8]), *axis, version=10, sorted=True, **types, outputs=outputs):
            g.result(output)

    return build


CASES = [(unique(True), unique(False), {"x": X}, list(np.unique(X, return_index=True, return_inverse=True, return_counts=True)))]
