"""Concat along axis 1 of what a runtime could know, one input of which an op makes that it does not fold: a crash while the model is compiled."""
import numpy as np

ROW = "JoinedConstants"
RNG = np.random.default_rng(0)
X = np.float32([1, 2])


def case(shape):
    data, places = RNG.normal(size=shape).astype(np.float32), RNG.integers(0, shape[-1], shape)
    joined = np.concatenate([np.take_along_axis(data, places, -1), data], 1)

    def build(is_wide):
        def made(g):
            whole = g.constant(data)
            inputs = [g.op("GatherElements", whole, g.constant(places), version=6, axis=len(shape) - 1), whole]
            if is_wide:
                first = g.constant(np.array([0]))
                inputs = [g.op("Unsqueeze", tensor, first, outputs=[("f32", (1, *shape))]) for tensor in inputs]
                y = g.op("Concat", *inputs, axis=2, outputs=[("f32", (1, *joined.shape))])
                g.result(g.op("Squeeze", y, first, outputs=[("f32", joined.shape)]))
            else:
                g.result(g.op("Concat", *inputs, axis=1, outputs=[("f32", joined.shape)]))
            g.result(g.op("Negative", g.parameter("x", "f32", [2])))
        made.__name__ = f"numbers of {shape}"
        return made
    return build(False), build(True), {"x": X}, [joined, -X]


CASES = [case(shape) for shape in ((2, 5), (1, 5), (2, 3, 4), (2, 3, 4, 5))]
