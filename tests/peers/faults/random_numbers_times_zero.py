"""RandomUniform * 0: the plugin multiplies the limits by 0, and then refuses limits that are equal."""
import numpy as np

ROW = "RandomNumbersTimesZero"
V10 = False


def faulty(g):
    numbers = g.op("RandomUniform", g.constant(np.array([2, 3])), g.constant(np.array(0, np.float32)), g.constant(np.array(1, np.float32)), version=8,
                   outputs=[("f32", [2, 3])], output_type="f32", global_seed=0, op_seed=5)
    zeros = g.op("Multiply", g.constant(np.array(0, np.float32)), numbers, outputs=[("f32", [2, 3])], auto_broadcast="numpy")
    g.result(g.op("Add", zeros, g.parameter("x", "f32", [2, 3]), auto_broadcast="numpy"))


def replacement(g):
    zeros = g.op("Broadcast", g.constant(np.array(0, np.float32)), g.constant(np.array([2, 3])), version=3, outputs=[("f32", [2, 3])], mode="numpy")
    g.result(g.op("Add", zeros, g.parameter("x", "f32", [2, 3]), auto_broadcast="numpy"))


X = np.arange(6, dtype=np.float32).reshape(2, 3)
CASES = [(faulty, replacement, {"x": X}, [X])]
