"""Cases of probes: an elementwise op that is right in a wider type."""


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
