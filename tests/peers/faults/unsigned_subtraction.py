"""Subtract and Minimum of unsigned types: there is no -1 to multiply with."""
import numpy as np

ROW = "UnsignedSubtraction"


def elementwise(op, type, wide, size, **attributes):
    """The op on two inputs of `type`; computed in type `wide`, when there is one."""
    def build(g):
        a, b = g.parameter("a", type, [size]), g.parameter("b", type, [size])
        if wide:
            a, b = (g.op("Convert", x, destination_type=wide, outputs=[(wide, [size])]) for x in (a, b))
        result = g.op(op, a, b, auto_broadcast="numpy", **attributes)
        g.result(g.op("Convert", result, destination_type=type, outputs=[(type, [size])]) if wide else result)
    build.__name__ = f"{op} of {wide or type}"
    return build


def case(op, type, wide, a, b, expected, **attributes):
    return elementwise(op, type, None, len(a), **attributes), elementwise(op, type, wide, len(a), **attributes), {"a": a, "b": b}, [expected]


TYPES = [("u8", np.uint8, "i32"), ("u16", np.uint16, "i32"), ("u64", np.uint64, "i64")]
CASES = [case("Subtract", name, wide, np.array([255, 200, 7], type), np.array([3, 100, 7], type), np.array([252, 100, 0], type)) for name, type, wide in TYPES[1:]]
CASES += [case("Minimum", name, wide, np.array([255, 1, 7], type), np.array([3, 100, 7], type), np.array([3, 1, 7], type)) for name, type, wide in TYPES]
