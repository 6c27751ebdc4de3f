"""Arithmetic of a Broadcast with itself: both operands become the input of the Broadcast."""
import numpy as np

ROW = "BroadcastReadTwice"
X = np.array([[1, 2, 3]], np.float32)
COMPUTED = {"Add": np.add, "Subtract": np.subtract, "Multiply": np.multiply, "Divide": np.divide, "Power": np.power, "Maximum": np.maximum, "Minimum": np.minimum,
            "Mod": np.fmod, "FloorMod": np.mod, "SquaredDifference": lambda a, b: (a - b) ** 2}


def case(type, mode):
    def form(is_replacement):
        def build(g):
            value = g.parameter("x", "f32", X.shape)
            for is_broadcast in (not is_replacement, is_replacement):
                if is_broadcast:
                    value = g.op("Broadcast", value, g.constant(np.array([2, 2, 3])), version=3, outputs=[("f32", (2, 2, 3))], mode=mode)
                else:
                    value = g.op(type, value, value, auto_broadcast="numpy")
            g.result(value)
        build.__name__ = f"{type}{' and Broadcast' if is_replacement else ''}"
        return build

    return form(False), form(True), {"x": X}, [np.broadcast_to(COMPUTED[type](X, X), (2, 2, 3))]


CASES = [case(type, mode) for type in COMPUTED for mode in ("numpy", "bidirectional")]
