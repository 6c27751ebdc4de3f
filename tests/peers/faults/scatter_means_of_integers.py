"""ScatterElementsUpdate with the mean of integers, which the reference rounds down: negative means are truncated."""
import numpy as np

ROW = "ScatterMeansOfIntegers"
OLDEST = "2023.3"
V10 = False
DATA, INDICES, UPDATES = np.array([-3, 4, -7, 5], np.int32), np.array([0, 0, 2, 3]), np.array([-4, -3, -2, 6], np.int32)


def scatter(g, data, indices, updates, **attributes):
    return g.op("ScatterElementsUpdate", data, indices, updates, g.constant(np.int64(0)), version=12, **attributes)


def mean(with_data):
    def build(g):
        data, indices, updates = (g.parameter(*p) for p in (("data", "i32", [4]), ("indices", "i64", [4]), ("updates", "i32", [4])))
        g.result(scatter(g, data, indices, updates, reduction="mean", use_init_val=with_data))

    return build


def sum_by_count(with_data):
    def build(g):
        data, indices, updates = (g.parameter(*p) for p in (("data", "i32", [4]), ("indices", "i64", [4]), ("updates", "i32", [4])))
        total = scatter(g, data, indices, updates, reduction="sum", use_init_val=with_data)
        ones = g.constant(np.ones(4, np.int32))
        count = scatter(g, ones if with_data else g.constant(np.zeros(4, np.int32)), indices, ones, reduction="sum", use_init_val=True)
        if not with_data:
            count = g.op("Maximum", g.constant(np.int32(1)), count, auto_broadcast="numpy", outputs=[("i32", [4])])
        rest = g.op("FloorMod", total, count, auto_broadcast="numpy")
        g.result(g.op("Divide", g.op("Subtract", total, rest, auto_broadcast="numpy"), count, auto_broadcast="numpy", m_pythondiv=False))

    return build


def case(with_data):
    expected = DATA.copy()
    for place in set(INDICES.tolist()):
        met = UPDATES[INDICES == place].tolist() + ([int(DATA[place])] if with_data else [])
        expected[place] = sum(met) // len(met)
    return mean(with_data), sum_by_count(with_data), {"data": DATA, "indices": INDICES, "updates": UPDATES}, [expected]


CASES = [case(True), case(False)]
