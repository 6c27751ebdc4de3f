"""Convert of integers to boolean: true for everything but 0."""
import numpy as np

ROW = "BooleanOfIntegers"
X = np.array([-3, 0, 1, -1, 7], np.int32)


def faulty(type):
    def build(g):
        g.result(g.op("Convert", g.parameter("x", type, [5]), outputs=[("boolean", [5])], destination_type="boolean"))

    return build


def replacement(type):
    def build(g):
        zero = g.constant(np.array(0, dict(i32=np.int32, i8=np.int8, i64=np.int64)[type]))
        g.result(g.op("NotEqual", g.parameter("x", type, [5]), zero, outputs=[("boolean", [5])], auto_broadcast="numpy"))

    return build


CASES = [(faulty(type), replacement(type), {"x": X.astype(type.replace("i", "int"))}, [X.astype(bool)]) for type in ("i32", "i8", "i64")]
