"""Convert to boolean: true for everything but 0, also for NaN."""
import numpy as np

ROW = "BooleanOfNan"
X = np.array([np.nan, 0, 1, -0.0, 0.5], np.float32)


def faulty(g):
    g.result(g.op("Convert", g.parameter("x", "f32", [5]), outputs=[("boolean", [5])], destination_type="boolean"))


def replacement(g):
    g.result(g.op("NotEqual", g.parameter("x", "f32", [5]), g.constant(np.array(0, np.float32)), outputs=[("boolean", [5])], auto_broadcast="numpy"))


CASES = [(faulty, replacement, {"x": X}, [X.astype(bool)])]
