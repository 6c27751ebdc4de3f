"""A Loop whose first and next conditions are comparisons of scalars."""
import numpy as np

ROW = "ComputedLoopConditions"
X = np.array([0, 1, 2], np.float32)


def build(with_rank):
    def made(g):
        def condition(graph, x):
            sum = graph.op("ReduceSum", x, graph.constant(np.array([0], np.int64)), outputs=[("f32", [])], keep_dims=False)
            less = graph.op("Less", sum, graph.constant(np.float32(40)), outputs=[("boolean", [])], auto_broadcast="numpy")
            if not with_rank:
                return less
            return graph.op("Reshape", less, graph.constant(np.array([1], np.int64)), outputs=[("boolean", [1])], special_zero=False)

        x = g.parameter("x", "f32", [3])
        b = g.body()
        p = b.parameter("p", "f32", [3])
        next = b.op("Multiply", p, b.constant(np.float32(3)), auto_broadcast="numpy")
        go, r = b.result(condition(b, next)), b.result(next)
        outs = g.iterate("Loop", b, [g.constant(np.int64(-1)), condition(g, x), x], [(2, p, None)], [(-1, go, None), (0, r, None)], [(r, p)], [("f32", [3])], 5)
        g.result(g.op("Relu", outs[0]))

    return made


CASES = [(build(False), build(True), {"x": X}, [X * 27])]
