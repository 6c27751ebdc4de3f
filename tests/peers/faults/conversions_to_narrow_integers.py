"""Convert to integers of 8 and 16 bits: 2021.4 keeps fractions and large numbers, later releases saturate integers instead of taking their low bits."""
import numpy as np

ROW = "ConversionsToNarrowIntegers"
REALS = np.array([1.9, -1.9, 0.5, -0.5, 0, 2.5, 100, -3], np.float32)
INTEGERS = np.array([70000, -5, 127, 255, 256, -300, 32768, -40000], np.int32)
TYPES = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "f32": np.float32}


def truncated(g, x):
    return g.op("Multiply", g.op("Sign", x), g.op("Floor", g.op("Abs", x)), auto_broadcast="numpy")


def low_bits(g, x, to):
    count, half = (g.constant(np.int32(2 ** bits)) for bits in (8 * TYPES[to]().itemsize, 8 * TYPES[to]().itemsize - 1))
    x = g.op("Convert", x, outputs=[("i32", [8])], destination_type="i32")
    if to.startswith("i"):
        x = g.op("Add", x, half, auto_broadcast="numpy")
    x = g.op("FloorMod", x, count, auto_broadcast="numpy")
    return g.op("Subtract", x, half, auto_broadcast="numpy") if to.startswith("i") else x


def build(given, to, exact):
    def made(g):
        x = g.parameter("x", given, [8])
        if exact:
            x = truncated(g, x) if given == "f32" else low_bits(g, x, to)
        g.result(g.op("Convert", x, outputs=[(to, [8])], destination_type=to))
    made.__name__ = f"{given} to {to}"
    return made


def case(given, to):
    x = REALS if given == "f32" else INTEGERS.astype(TYPES[given])
    if given == "f32" and to.startswith("u"):
        x = np.abs(x)
    return build(given, to, False), build(given, to, True), {"x": x}, [x.astype(TYPES[to])]


CASES = [case(given, to) for given in ("f32", "i32") for to in ("i8", "u8", "i16", "u16")] + [case("u8", "i8"), case("i8", "u8"), case("u16", "i16")]
