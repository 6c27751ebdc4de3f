"""Nearest elements between aligned corners, of lengths whose quotient is rounded."""
import numpy as np

ROW = "AlignedNearestElements"
ATTRIBUTES = dict(mode="nearest", shape_calculation_mode="sizes", coordinate_transformation_mode="align_corners", antialias="false", pads_begin="0", pads_end="0",
                  cube_coeff="-0.75")


def nearest(mode, i, before, after):
    below, rest = divmod(i * (before - 1), after - 1)
    if mode == "round_prefer_floor":
        return below + (2 * rest > after - 1)
    return below + (rest > 0 and (mode == "ceil" or mode == "simple" and after < before))


def case(mode, before, after):
    x = np.arange(before, dtype=np.float32).reshape(1, 1, 1, before)
    places = np.array([nearest(mode, i, before, after) for i in range(after)])

    def interpolate(g):
        inputs = g.constant(np.array([after])), g.constant(np.array([after / before], np.float32)), g.constant(np.array([3]))
        g.result(g.op("Interpolate", g.parameter("x", "f32", x.shape), *inputs, version=4, nearest_mode=mode, outputs=[("f32", (1, 1, 1, after))], **ATTRIBUTES))

    def gather(g):
        g.result(g.op("Gather", g.parameter("x", "f32", x.shape), g.constant(places), g.constant(np.int64(3)), outputs=[("f32", (1, 1, 1, after))]))

    return interpolate, gather, {"x": x}, [x[..., places]]


CASES = [case("floor", 8, 24), case("ceil", 7, 43), case("simple", 67, 56), case("simple", 8, 24), case("round_prefer_floor", 56, 100)]
