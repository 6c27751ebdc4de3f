"""BitwiseNot of u16: 0 whatever the input is."""
import numpy as np

ROW = "BitwiseNotOfSixteenBits"
X = np.array([1, 2, 65535, 3034], np.uint16)


def faulty(g):
    g.result(g.op("BitwiseNot", g.parameter("x", "u16", X.shape), version=13))


def replacement(g):
    wide = g.op("Convert", g.parameter("x", "u16", X.shape), destination_type="i32", outputs=[("i32", X.shape)])
    g.result(g.op("Convert", g.op("Subtract", g.constant(np.int32(65535)), wide, auto_broadcast="numpy", outputs=[("i32", X.shape)]), destination_type="u16",
                  outputs=[("u16", X.shape)]))


V10 = False
SINCE = "2023.3"
CASES = [(faulty, replacement, {"x": X}, [~X])]
