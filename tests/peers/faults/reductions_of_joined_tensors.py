"""ReduceMax or ReduceMin of a Concat of two tensors along its axis: not compiled, or not reduced; the runtime takes the inputs for tensors of size 1 there."""
import numpy as np

ROW = "ReductionsOfJoinedTensors"
A = np.array([[1, 5, 3], [9, 2, 4]], np.float32)
B = np.array([[7, 8, 0], [-1, 4, 4]], np.float32)


def build(op, shape, axis, keeps, unsqueezes):
    def made(g):
        joined, size = [*shape], shape[axis]
        joined[axis] = 2 * size
        reduced = [1 if i == axis else n for i, n in enumerate(shape) if i != axis or keeps]
        x = g.op("Concat", g.parameter("a", "f32", shape), g.parameter("b", "f32", shape), outputs=[("f32", joined)], axis=axis)
        axes, out = [axis], reduced
        if unsqueezes:
            x = g.op("Unsqueeze", x, g.constant(np.array([0])), outputs=[("f32", [1, *joined])])
            axes, out = [0, axis + 1], [1, *reduced] if keeps else reduced
        x = g.op(op, x, g.constant(np.array(axes)), outputs=[("f32", out)], keep_dims=keeps)
        if unsqueezes and keeps:
            x = g.op("Squeeze", x, g.constant(np.array([0])), outputs=[("f32", reduced)])
        g.result(g.op("Add", x, g.constant(np.float32(1)), auto_broadcast="numpy"))
    made.__name__ = f"{op}, rank {len(shape)}, axis {axis}"
    return made


def case(op, function, a, b, axis, keeps):
    want = function(np.concatenate([a, b], axis), axis=axis, keepdims=keeps) + 1
    return build(op, a.shape, axis, keeps, False), build(op, a.shape, axis, keeps, True), {"a": a, "b": b}, [want]


CASES = [case(op, function, a, b, axis, keeps) for op, function in (("ReduceMax", np.max), ("ReduceMin", np.min)) for keeps in (False, True)
         for a, b, axis in ((A[0], B[0], 0), (A, B, 0), (A, B, 1))]
