"""Arithmetic of integers of 8 and 16 bits: results are what is left of them in these bits."""
import numpy as np

ROW = "NarrowIntegersThatWrap"


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
        count = 1 << int(kind[1:])
        result, half = call(op, a, b), g.constant(np.array(count // 2, np.int32))
        if kind[0] == "i":
            result = call("Add", result, half)
        result = call("FloorMod", result, g.constant(np.array(count, np.int32)))
        if kind[0] == "i":
            result = call("Subtract", result, half)
        g.result(g.op("Convert", result, outputs=[(kind, [4])], destination_type=kind))
    build.__name__ = f"{op} of {kind} in 32 bits"
    return build


def chain(g):
    """(x + 3) * 2: a pass joins both, and some releases do not fold the product of the constants."""
    x = g.parameter("x", "i16", [4])
    for op, number in ("Add", 3), ("Multiply", 2):
        x = g.op(op, x, g.constant(np.array(number, np.int16)), auto_broadcast="numpy")
    g.result(x)


def chain_of_32_bits(g):
    x = g.parameter("x", "i16", [4])
    for op, number in ("Add", 3), ("Multiply", 2):
        x = g.op("Convert", x, outputs=[("i32", [4])], destination_type="i32")
        x = g.op(op, x, g.constant(np.array(number, np.int32)), auto_broadcast="numpy")
        x = g.op("Convert", x, outputs=[("i16", [4])], destination_type="i16")
    g.result(x)


NUMBERS = {"u8": np.array([[3, 200, 7, 255], [5, 100, 7, 255]], np.uint8), "i8": np.array([[-100, 100, 7, -128], [100, 100, -7, -128]], np.int8),
           "u16": np.array([[3, 200, 7, 65535], [5, 1000, 7, 255]], np.uint16), "i16": np.array([[-100, 200, 7, -32768], [100, 200, -7, -256]], np.int16)}
CASES = [(faulty(op, kind), replacement(op, kind), {"a": a, "b": b}, [function(a, b)])
         for kind, (a, b) in NUMBERS.items() for op, function in (("Add", np.add), ("Subtract", np.subtract), ("Multiply", np.multiply))]
CASES.append((chain, chain_of_32_bits, {"x": np.array([1, 2, -3, 400], np.int16)}, [np.array([8, 10, 0, 806], np.int16)]))
