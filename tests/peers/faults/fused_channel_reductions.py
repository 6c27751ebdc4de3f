"""Reductions with keep_dims over the channels of three dimensions, in front of elementwise ops: other numbers in all batches but the first."""
import numpy as np

ROW = "FusedChannelReductions"
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


CASES = [case("ReduceMean", "rest", [1]), case("ReduceMean", "variance", [1]), case("ReduceMean", "variance", [1, 2]), case("ReduceSum", "rest", [1]),
         case("ReduceMax", "rest", [1, 2]), case("ReduceSum", "rest", [2], ONE_CHANNEL), case("ReduceMean", "variance", [2], ONE_CHANNEL)]
