"""A state that does not begin with zeros: in its first run it does, and only begins with its value after a reset."""
import numpy as np

ROW = "FirstStates"
X = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
FIRST = np.array([[10, 20, 30], [40, 50, 60]], np.float32)


def build(chosen):
    def made(g):
        first = g.constant(FIRST)
        state = g.op("ReadValue", first, version=6, variable_id="state")
        if chosen:
            has_run = g.op("ReadValue", g.constant(np.zeros(1, np.float32)), version=6, variable_id="has_run")
            is_first = g.op("Equal", has_run, g.constant(np.float32(0)), outputs=[("boolean", [1])], auto_broadcast="numpy")
            g.op("Assign", g.op("Maximum", has_run, g.constant(np.float32(1)), auto_broadcast="numpy"), version=6, variable_id="has_run")
            state = g.op("Select", is_first, first, state, outputs=[("f32", FIRST.shape)], auto_broadcast="numpy")
        total = g.op("Add", g.parameter("x", "f32", X.shape), state, auto_broadcast="numpy")
        g.op("Assign", total, version=6, variable_id="state")
        g.result(total)
    return made


CASES = [(build(False), build(True), {"x": X}, [X + FIRST])]
