"""An If of unknown sizes in a Loop, the condition of which changes from one step to the next."""
import numpy as np

ROW = "BranchesOfEqualShapes"
V10 = False  # no If, no unknown sizes
X = np.arange(12, dtype=np.float32).reshape(3, 4)


def build(changes_in, tells_apart):
    def branch(b, type, number, copies):
        made = b.op(type, b.parameter("rows", "f32", [-1, 4]), b.constant(np.float32(number)), auto_broadcast="numpy")
        if tells_apart:
            made = b.op("Unsqueeze", made, b.constant(np.array([0])), outputs=[("f32", [1, -1, 4])])
        if tells_apart and copies > 1:
            made = b.op("Concat", made, made, outputs=[("f32", [2, -1, 4])], axis=0)
        b.result(made)
        return b

    def made(g):
        x = g.parameter("x", "f32", X.shape)
        b = g.body()
        i, rows = b.parameter("i", "i64", [1]), b.parameter("rows", "f32", X.shape)
        one, axes = b.constant(np.array([1])), b.constant(np.array([0]))
        after = b.op("Add", i, one, auto_broadcast="numpy")
        row = b.op("Slice", rows, i, after, one, axes, version=8, outputs=[("f32", [-1, 4])])
        condition = b.op("Equal", i, b.constant(np.array([changes_in])), outputs=[("boolean", [1])], auto_broadcast="numpy")
        bodies = branch(b.body(), "Add", 100, 1), branch(b.body(), "Multiply", 2, 2)
        maps = [[(1, body.layers[0].outputs[0])] for body in bodies]
        chosen = b.conditional(condition, [row], bodies, maps, [("f32", [-1, -1, 4] if tells_apart else [-1, 4])])[0]
        if tells_apart:
            chosen = b.op("Gather", chosen, b.constant(np.int64(0)), b.constant(np.int64(0)), outputs=[("f32", [-1, 4])])
        results = b.result(b.constant(np.array(True))), b.result(after), b.result(chosen)
        inputs = [g.constant(np.int64(3)), g.constant(np.array(True)), g.constant(np.array([0])), x]
        out = g.iterate("Loop", b, inputs, [(2, i, None), (3, rows, None)], [(-1, results[0], None), (0, results[2], 0)], [(results[1], i)],
                        [("f32", [-1, 4])], 5)[0]
        g.result(g.op("Relu", out))

    return made


def case(step):
    expected = X * 2
    expected[step] = X[step] + 100
    return build(step, False), build(step, True), {"x": X}, [expected]


CASES = [case(step) for step in range(3)]
