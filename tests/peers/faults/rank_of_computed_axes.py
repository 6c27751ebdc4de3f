"""The rank of an output follows from the number of axes, which the runtimes do not use where the axes are computed; CPU plugins want a static rank."""
import numpy as np

ROW = "RankOfComputedAxes"
V10 = False  # the shape would be dynamic
X, AXES = np.arange(24, dtype=np.float32).reshape(2, 3, 4), np.array([0, -1], np.int64)


def other_places(g, rank, count):
    axes = g.parameter("axes", "i64", [count])
    negative = g.op("Less", axes, g.constant(np.int64(0)), outputs=[("boolean", [count])], auto_broadcast="numpy")
    places = g.op("Select", negative, g.op("Add", axes, g.constant(np.int64(rank)), auto_broadcast="numpy"), axes, outputs=[("i64", [count])],
                  auto_broadcast="numpy")
    marks = g.op("ScatterElementsUpdate", g.constant(np.ones(rank, np.float32)), places, g.constant(np.zeros(count, np.float32)), g.constant(np.int64(0)), version=3)
    left = rank - count
    return g.op("TopK", marks, g.constant(np.int64(left)), version=3, outputs=[("f32", [left]), ("i64", [left])], axis=0, mode="max", sort="index",
                index_element_type="i64")[1]


def shape_of(g, x, rank):
    return g.op("ShapeOf", x, version=3, outputs=[("i64", [rank])], output_type="i64")


def faulty_sum(g):
    g.result(g.op("ReduceSum", g.parameter("x", "f32", X.shape), g.parameter("axes", "i64", [2]), outputs=[("f32", [-1])], keep_dims=False))


def replacement_of_sum(g):
    x = g.parameter("x", "f32", X.shape)
    places = other_places(g, 3, 2)
    summed = g.op("ReduceSum", x, g.layers[1].outputs[0], outputs=[("f32", [-1, -1, -1])], keep_dims=True)
    sizes = g.op("Gather", shape_of(g, summed, 3), places, g.constant(np.int64(0)), outputs=[("i64", [1])])
    g.result(g.op("Reshape", summed, sizes, outputs=[("f32", [-1])], special_zero=False))


def faulty_unsqueeze(g):
    g.result(g.op("Unsqueeze", g.parameter("x", "f32", X.shape), g.parameter("axes", "i64", [2]), outputs=[("f32", [-1] * 5)]))


def replacement_of_unsqueeze(g):
    x = g.parameter("x", "f32", X.shape)
    places = other_places(g, 5, 2)
    sizes = g.op("ScatterElementsUpdate", g.constant(np.ones(5, np.int64)), places, shape_of(g, x, 3), g.constant(np.int64(0)), version=3)
    g.result(g.op("Reshape", x, sizes, outputs=[("f32", [-1] * 5)], special_zero=False))


INPUTS = {"x": X, "axes": AXES}
CASES = [(faulty_sum, replacement_of_sum, INPUTS, [X.sum((0, 2))]), (faulty_unsqueeze, replacement_of_unsqueeze, INPUTS, [np.expand_dims(X, (0, 4))])]
