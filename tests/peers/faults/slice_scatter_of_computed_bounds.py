"""SliceScatter with computed bounds: elements of other rows are replaced, computed axes crash."""
import numpy as np

ROW = "SliceScatterOfComputedBounds"
SINCE = "2024.6"
V10 = False
DATA, UPDATES = np.arange(30, dtype=np.float32).reshape(5, 6), -1 - np.arange(12, dtype=np.float32).reshape(2, 6)
BOUNDS = {"start": 1, "stop": 5, "step": 2, "axes": 0}


def with_bounds(computed, make):
    def build(g):
        data, updates = g.parameter("data", "f32", DATA.shape), g.parameter("updates", "f32", UPDATES.shape)
        bounds = [g.parameter(name, "i64", [1]) if name in computed else g.constant(np.array([number])) for name, number in BOUNDS.items()]
        g.result(make(g, data, updates, bounds))
    build.__name__ = make.__name__
    return build


def slice_scatter(g, data, updates, bounds):
    return g.op("SliceScatter", data, updates, *bounds, version=15)


def at_sliced_places(g, data, updates, bounds):
    shape = g.op("ShapeOf", data, version=3, output_type="i64", outputs=[("i64", [2])])
    count = g.op("ReduceProd", shape, g.constant(np.array([0])), keep_dims=False, outputs=[("i64", ())])
    numbers = g.op("Range", g.constant(np.int64(0)), count, g.constant(np.int64(1)), version=4, output_type="i64", outputs=[("i64", [-1])])
    grid = g.op("Reshape", numbers, shape, special_zero=False, outputs=[("i64", DATA.shape)])

    def flat(x):
        return g.op("Reshape", x, g.constant(np.array([-1])), special_zero=True, outputs=[(x.type, [-1])])
    places = flat(g.op("Slice", grid, *bounds, version=8, outputs=[("i64", [-1, -1])]))
    scattered = g.op("ScatterElementsUpdate", flat(data), places, flat(updates), g.constant(np.int64(0)), version=3, outputs=[("f32", [-1])])
    return g.op("Reshape", scattered, shape, special_zero=False, outputs=[("f32", DATA.shape)])


def case(computed):
    expected = DATA.copy()
    expected[1:5:2] = UPDATES
    inputs = {"data": DATA, "updates": UPDATES, **{name: np.array([BOUNDS[name]]) for name in computed}}
    return with_bounds(computed, slice_scatter), with_bounds(computed, at_sliced_places), inputs, [expected]


# The axes of a Slice are computed together with its other bounds only: 2022.1 does not compile them alone.
CASES = [case(("start",)), case(("stop",)), case(("step",)), case(("start", "stop", "step", "axes"))]
