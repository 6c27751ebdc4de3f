"""The reader of 2022.1 fails where the axes of a Slice, or the start of a Range, are also the indices of the Gather from which a bound is computed."""
import numpy as np

ROW = "SharedConstantsOfSlice"
V10 = False  # Slice came with opset 8
X = np.arange(12, dtype=np.float32).reshape(2, 6)


def sliced(g, shared):
    x = g.parameter("x", "f32", [-1, -1])
    axis = g.constant(np.array([-1]))
    shape = g.op("ShapeOf", x, version=3, outputs=[("i64", [2])], output_type="i64")
    size = g.op("Gather", shape, axis, g.constant(np.int64(0)), version=8, outputs=[("i64", [1])], batch_dims=0)
    more = g.op("Add", size, g.constant(np.array([2])), auto_broadcast="numpy")
    end = g.op("Divide", more, g.constant(np.array([4])), auto_broadcast="numpy", m_pythondiv=False)
    axes = axis if shared else g.constant(np.array([-1]))
    g.result(g.op("Slice", x, g.constant(np.array([0])), end, g.constant(np.array([1])), axes, version=8, outputs=[("f32", [-1, -1])]))


def counted(g, shared):
    x = g.parameter("x", "f32", [-1, -1])
    shape = g.op("ShapeOf", x, version=3, outputs=[("i64", [2])], output_type="i64")
    start, one = g.constant(np.int64(1)), g.constant(np.int64(1))
    size = g.op("Gather", shape, start, g.constant(np.int64(0)), outputs=[("i64", [])])
    end = g.op("Add", size, g.constant(np.int64(2)), auto_broadcast="numpy")
    g.result(g.op("Range", start if shared else g.constant(np.int64(1)), end, one, version=4, outputs=[("i64", [-1])], output_type="i64"))


def form(build, shared):
    def made(g):
        build(g, shared)
    made.__name__ = f"{build.__name__}{' shared' * shared}"
    return made


CASES = [(form(sliced, True), form(sliced, False), {"x": X}, [X[:, :2]]), (form(counted, True), form(counted, False), {"x": X}, [np.arange(1, 8)])]
