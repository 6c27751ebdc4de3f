"""IsNaN whose output a logical or comparing op reads: not compiled."""
import numpy as np

ROW = "FusedIsNaN"
V10 = False
SINCE = "2022.3"  # op set 10
X = np.array([1, np.nan, -2, np.inf, -np.inf, 0], np.float32)


def build(compares, reader):
    def made(g):
        def boolean(op, *inputs, **attributes):
            return g.op(op, *inputs, outputs=[("boolean", [-1])], **attributes)
        x = g.parameter("x", "f32", [-1])
        nan = boolean("NotEqual", x, x, auto_broadcast="numpy") if compares else boolean("IsNaN", x, version=10)
        if reader == "LogicalNot":
            return g.result(boolean("LogicalNot", nan))
        below = boolean("Less", x, g.constant(np.float32(0)), auto_broadcast="numpy")
        return g.result(boolean("LogicalOr", nan, below, auto_broadcast="numpy"))
    made.__name__ = f"{'NotEqual' if compares else 'IsNaN'} in {reader}"
    return made


CASES = [(build(False, reader), build(True, reader), {"x": X}, [expected])
         for reader, expected in (("LogicalNot", ~np.isnan(X)), ("LogicalOr", np.isnan(X) | (X < 0)))]
