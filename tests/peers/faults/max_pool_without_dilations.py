"""MaxPool-8 without dilations: its indices are computed by a kernel that wants as many dilations as the kernel has sizes."""
import numpy as np

ROW = "MaxPoolWithoutDilations"
V10 = False


def pool(g, **more):
    data = g.parameter("x", "f32", [1, 1, 4, 4])
    for output in g.op("MaxPool", data, version=8, outputs=[("f32", [1, 1, 2, 2]), ("i64", [1, 1, 2, 2])], strides="2,2", pads_begin="0,0", pads_end="0,0", kernel="2,2",
                       rounding_type="floor", auto_pad="explicit", index_element_type="i64", axis=2, **more):
        g.result(output)


def faulty(g):
    pool(g)


def replacement(g):
    pool(g, dilations="1,1")


X = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
CASES = [(faulty, replacement, {"x": X}, [X[:, :, 1::2, 1::2], X[:, :, 1::2, 1::2].astype(np.int64)])]
