"""2022.1 does not compile a RandomUniform of a shape that it does not know. Judged by the mean, and by whether the numbers that two steps draw differ."""
import numpy as np

ROW = "RandomNumbersOfComputedShape"
V10 = False  # RandomUniform came with opset 8
DRAWN = 1024
B = dict(auto_broadcast="numpy")


def limits(g):
    return g.constant(np.array(0, np.float32)), g.constant(np.array(1, np.float32))


def drawn(g, shape, type):
    return g.op("RandomUniform", shape, *limits(g), version=8, outputs=[("f32", type)], output_type="f32", global_seed="0", op_seed="0")


def at_once(g, shape):
    return drawn(g, shape, [-1, -1])


def in_steps(g, shape):
    zero, one = g.constant(np.array([0])), g.constant(np.array([1]))
    count = g.op("ReduceProd", shape, zero, outputs=[("i64", [1])], keep_dims=True)
    body = g.body()
    on = body.result(body.constant(np.array(True)))
    numbers = body.result(drawn(body, body.constant(np.array([1, DRAWN])), [1, DRAWN]))
    steps = g.op("Divide", g.op("Add", count, g.constant(np.array([DRAWN - 1])), **B), g.constant(np.array([DRAWN])), m_pythondiv=False, **B)
    (rows,) = g.iterate("Loop", body, [steps, g.constant(np.array(True))], [], [(-1, on, None), (0, numbers, 0)], [], [("f32", [-1, DRAWN])], 5)
    flat = g.op("Reshape", rows, g.constant(np.array([-1])), outputs=[("f32", [-1])], special_zero=False)
    first = g.op("StridedSlice", flat, zero, count, one, outputs=[("f32", [-1])], begin_mask="0", end_mask="0")
    return g.op("Reshape", first, shape, outputs=[("f32", [-1, -1])], special_zero=False)


def judged(draw):
    def build(g):
        x = g.parameter("x", "f32", [-1, -1])
        numbers = draw(g, g.op("ShapeOf", x, version=3, outputs=[("i64", [2])], output_type="i64"))
        middle = g.constant(np.array(0.5, np.float32))
        g.result(is_less(g, g.op("Abs", g.op("Subtract", mean(g, numbers, [0, 1]), middle, **B)), 0.05))
        first, second = (g.op("Gather", numbers, g.constant(np.array(row)), g.constant(np.int64(0)), outputs=[("f32", [-1])]) for row in (0, 1))
        g.result(is_less(g, mean(g, g.op("Abs", g.op("Subtract", first, second, **B)), [0]), 0.1))
    build.__name__ = draw.__name__
    return build


def mean(g, numbers, axes):
    return g.op("ReduceMean", numbers, g.constant(np.array(axes)), outputs=[("f32", [])], keep_dims=False)


def is_less(g, number, limit):
    less = g.op("Less", number, g.constant(np.array(limit, np.float32)), outputs=[("boolean", [])], **B)
    return g.op("Convert", less, outputs=[("f32", [])], destination_type="f32")


CASES = [(judged(at_once), judged(in_steps), {"x": np.zeros((2, DRAWN), np.float32)}, [np.float32(1), np.float32(0)])]
