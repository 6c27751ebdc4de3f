"""Pad of bf16 with infinity, and infinite constants of bf16: the runtime takes the number for one that f32 does not hold."""
import numpy as np

ROW = "InfinitiesOfBfloat16"
FEWER_WITH = "avx512f"
X = np.array([[1, 2, 3]], np.float32)


def pad(number, kind):
    def build(g):
        def convert(x, wanted):
            return g.op("Convert", x, outputs=[(wanted, x.shape)], destination_type=wanted)
        x, value = convert(g.parameter("x", "f32", X.shape), "bf16"), convert(g.constant(np.float32(number)), "bf16")
        if kind == "f32":
            x, value = convert(x, kind), convert(value, kind)
        pads = [g.constant(np.array(count)) for count in ([0, 0], [0, 1])]
        padded = g.op("Pad", x, *pads, value, outputs=[(kind, [1, 4])], pad_mode="constant")
        g.result(convert(padded, "bf16" if kind == "f32" else "f32"))
    build.__name__ = f"Pad of {kind}"
    return build


CASES = [(pad(number, "bf16"), pad(number, "f32"), {"x": X}, [np.append(X, np.float32(number)).reshape(1, 4)]) for number in (-np.inf, np.inf)]


def mask(kind):
    """Where nothing is masked, 0 is added, else infinity."""
    def build(g):
        def convert(x, wanted):
            return g.op("Convert", x, outputs=[(wanted, x.shape)], destination_type=wanted)
        def constant(number):
            return g.constant(np.float32(number)) if kind == "f32" else convert(g.constant(np.float32(number)), "bf16")
        selected = g.op("Select", g.parameter("c", "boolean", C.shape), constant(0), constant(-np.inf), outputs=[(kind, C.shape)], auto_broadcast="numpy")
        if kind == "f32":
            selected = convert(selected, "bf16")
        g.result(convert(g.op("Add", convert(g.parameter("x", "f32", X.shape), "bf16"), selected, outputs=[("bf16", X.shape)], auto_broadcast="numpy"), "f32"))
    build.__name__ = f"Select of {kind}"
    return build


C = np.array([[True, False, True]])
CASES.append((mask("bf16"), mask("f32"), {"c": C, "x": X}, [np.where(C, X, np.float32(-np.inf))]))
