"""Reductions of three dimensions before elementwise ops: other numbers in all batches but the first.

With keep_dims over the channels, of any elementwise op; else of those with a constant."""
import numpy as np

ROW = "FusedReductionsOfThree"
X = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)
ONE_CHANNEL = X.reshape(2, 1, 12)


def build(op, form, axes, wide, data):
    def made(g):
        def call(name, a, b):
            return g.op(name, a, b, auto_broadcast="numpy")

        def reduced(tensor):
            shape, axis, last = [1 if i in axes else size for i, size in enumerate(data.shape)], g.constant(np.array(axes)), g.constant(np.array([3]))
            if not wide:
                return g.op(op, tensor, axis, outputs=[("f32", shape)], keep_dims=True)
            tensor = g.op("Unsqueeze", tensor, last, outputs=[("f32", [*data.shape, 1])])
            tensor = g.op(op, tensor, axis, outputs=[("f32", [*shape, 1])], keep_dims=True)
            return g.op("Squeeze", tensor, last, outputs=[("f32", shape)])
        x = g.parameter("x", "f32", data.shape)
        rest = call("Subtract", x, reduced(x))
        g.result(reduced(call("Multiply", rest, rest)) if form == "variance" else rest)
    made.__name__ = f"{form} of {op} over {axes}{' in four dimensions' if wide else ''} of {data.shape}"
    return made


def case(op, form, axes, data=X):
    reduce = {"ReduceMean": np.mean, "ReduceSum": np.sum, "ReduceMax": np.max}[op]
    rest = data - reduce(data, tuple(axes), keepdims=True)
    expected = reduce(rest * rest, tuple(axes), keepdims=True) if form == "variance" else rest
    return (build(op, form, axes, False, data), build(op, form, axes, True, data), {"x": data}, [expected])


def logarithms(axes, keeps, wide):
    """log(|sum of x| + 0.5)"""
    def made(g):
        x, numbers = g.parameter("x", "f32", MANY.shape), g.constant(np.array(axes))
        shape, kept = [MANY.sum(tuple(axes), keepdims=k).shape for k in (keeps, True)]
        if wide:
            x = g.op("Unsqueeze", x, g.constant(np.array([3])), outputs=[("f32", [*MANY.shape, 1])])
            x = g.op("ReduceSum", x, numbers, outputs=[("f32", [*kept, 1])], keep_dims=True)
            x = g.op("Squeeze", x, g.constant(np.array([*([] if keeps else axes), 3])), outputs=[("f32", shape)])
        else:
            x = g.op("ReduceSum", x, numbers, outputs=[("f32", shape)], keep_dims=keeps)
        g.result(g.op("Log", g.op("Add", g.op("Abs", x), g.constant(np.float32(0.5)), auto_broadcast="numpy")))
    made.__name__ = f"logarithms of ReduceSum over {axes}{' with keep_dims' if keeps else ''}{' in four dimensions' if wide else ''}"
    return made


def case_of_logarithms(axes, keeps):
    expected = np.log(np.abs(MANY.sum(tuple(axes), keepdims=keeps)) + np.float32(0.5))
    return (logarithms(axes, keeps, False), logarithms(axes, keeps, True), {"x": MANY}, [expected])


MANY = np.random.default_rng(1).normal(size=(25, 5, 6)).astype(np.float32)
CASES = [case_of_logarithms(axes, keeps) for axes, keeps in (([1], False), ([2], False), ([2], True), ([1, 2], True))]
CASES += [case("ReduceMean", "rest", [1]), case("ReduceMean", "variance", [1]), case("ReduceMean", "variance", [1, 2]), case("ReduceSum", "rest", [1]),
         case("ReduceMax", "rest", [1, 2]), case("ReduceSum", "rest", [2], ONE_CHANNEL), case("ReduceMean", "variance", [2], ONE_CHANNEL)]
