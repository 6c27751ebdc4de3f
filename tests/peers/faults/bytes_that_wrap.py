"""Arithmetic of bytes: results are what is left of them in 8 bits."""
import numpy as np

ROW = "BytesThatWrap"


def faulty(op, kind):
    def build(g):
        g.result(g.op(op, g.parameter("a", kind, [4]), g.parameter("b", kind, [4]), auto_broadcast="numpy"))
    build.__name__ = f"{op} of {kind}"
    return build


def replacement(op, kind):
    def build(g):
        def call(name, a, b):
            return g.op(name, a, b, auto_broadcast="numpy")
        a, b = (g.op("Convert", g.parameter(name, kind, [4]), outputs=[("i32", [4])], destination_type="i32") for name in "ab")
        result, half = call(op, a, b), g.constant(np.array(128, np.int32))
        if kind == "i8":
            result = call("Add", result, half)
        result = call("FloorMod", result, g.constant(np.array(256, np.int32)))
        if kind == "i8":
            result = call("Subtract", result, half)
        g.result(g.op("Convert", result, outputs=[(kind, [4])], destination_type=kind))
    build.__name__ = f"{op} of {kind} in 32 bits"
    return build


NUMBERS = {"u8": np.array([[3, 200, 7, 255], [5, 100, 7, 255]], np.uint8), "i8": np.array([[-100, 100, 7, -128], [100, 100, -7, -128]], np.int8)}
CASES = [(faulty(op, kind), replacement(op, kind), {"a": a, "b": b}, [function(a, b)])
         for kind, (a, b) in NUMBERS.items() for op, function in (("Add", np.add), ("Subtract", np.subtract), ("Multiply", np.multiply))]
