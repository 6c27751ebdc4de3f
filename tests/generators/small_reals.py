#!/usr/bin/env python3
"""Writes tests/core/small_reals_of_openvino.inc: the value of each bit pattern of the real types of at most 8 bits, and what numbers become in them, as OpenVINO says.

usage: small_reals.py        in an environment with the newest openvino (build/peers/openvino-newest)
"""
import random
import re
from pathlib import Path

import numpy as np
import openvino as ov
from openvino import Core, Model, Shape, Type
from openvino import opset15 as ops

FILE = Path(__file__).resolve().parent.parent / "core/small_reals_of_openvino.inc"
TYPES = {"nf4": 4, "f4e2m1": 4, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8}
CORE = Core()


def constant(name, count, raw):
    tensor = ov.Tensor(getattr(Type, name), Shape([count]))
    tensor.data.view(np.uint8).reshape(-1)[:] = raw
    return ov.op.Constant(tensor)


def values(name, bits):
    """f64: as f32, 2^-127 of f8e8m0 is flushed to 0."""
    count = 1 << bits
    raw = range(256) if bits == 8 else [low | (low + 1) << 4 for low in range(0, 16, 2)]
    model = Model([ops.convert(constant(name, count, list(raw)), "f64")], [], "values")
    found = CORE.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})([])[0]
    if name == "f8e5m2":  # the CPU plugin limits infinities that become f64
        found = np.array(found)
        found[[0x7C, 0xFC]] = [np.inf, -np.inf]
        assert np.isinf(CORE.compile_model(Model([ops.convert(constant(name, count, list(raw)), "f32")], [], "values"), "CPU")([])[0][[0x7C, 0xFC]]).all()
    return found


def patterns(name, bits, numbers):
    if name == "nf4":  # not evaluated outside of a plugin
        model = Model([ops.convert(ops.convert(ops.constant(numbers), name), "f64")], [], "nearest")
        found = CORE.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})([])[0]
        own = values(name, bits)
        return [int(np.argmin(np.abs(own - value))) for value in found]
    x = ops.parameter([len(numbers)], np.float32)
    out = ov.Tensor(getattr(Type, name), Shape([len(numbers)]))
    assert Model([ops.convert(x, name)], [x], "nearest").evaluate([out], [ov.Tensor(numbers)])
    raw = np.array(out.data).view(np.uint8).reshape(-1)
    return list(map(int, raw if bits == 8 else np.stack([raw & 15, raw >> 4], 1).reshape(-1)[:len(numbers)]))


def interesting():
    """Values, half-way points and their neighbours, limits, and some others. Not -NaN, of which f8e8m0 is 2^-127, and not what is rounded to a subnormal number of
    f16: just below a power of 2, OpenVINO's f8e5m2 is twice as large then."""
    found = {0.0, float("inf"), 1e-45, 2.0**-149, 2.0**-127, 1.4 * 2.0**-127, 1.6 * 2.0**-127, 1.5 * 2.0**-126, 61439.0, 61440.0, 65504.0, 65520.0, 3.4e38, 1.7e38, 464.0, 464.1, 465.0}
    for name, bits in TYPES.items():
        own = sorted(v for v in set(np.abs(values(name, bits)).tolist()) if np.isfinite(v))
        picked = own if bits == 4 else random.Random(1).sample(own, 12) + own[:3] + own[-3:]
        for value in picked:
            following = own[min(own.index(value) + 1, len(own) - 1)]
            for number in (value, (value + following) / 2):
                number = np.float32(number)
                found.update(float(n) for n in (number, np.nextafter(number, np.float32(0)), np.nextafter(number, np.float32(3e38))))
    both = sorted(found | {-n for n in found if n > 0})
    both = [n for n in both if not 2.0**-25 <= abs(n) < 2.0**-14 or float(np.float16(n)) == n]
    return np.array([n for n in both if n == 0 or abs(n) >= 2.0**-126 or n == 2.0**-127] + [float("nan")], np.float32)


def spelled(number):
    if np.isnan(number):
        return "NAN"
    if np.isinf(number):
        return "INFINITY" if number > 0 else "-INFINITY"
    return re.sub(r"\.?0*p", "p", float(number).hex())


def lines(items):
    text = "   "
    for item in items:
        if len(text) + len(item) > 118:
            yield text + "\n"
            text = "   "
        text += f" {item},"
    yield text + "\n"


def main():
    numbers = interesting()
    text = f"// Written by tests/generators/small_reals.py, of OpenVINO {ov.get_version().split('-')[0]}; do not edit.\n"
    for name, bits in TYPES.items():
        text += f"constexpr double kValuesOf{name.capitalize()}[] = {{\n" + "".join(lines(map(spelled, values(name, bits)))) + "};\n"
    text += "constexpr float kNumbers[] = {\n" + "".join(lines(map(spelled, numbers))) + "};\n"
    for name, bits in TYPES.items():
        text += f"constexpr std::uint8_t kNearest{name.capitalize()}[] = {{\n" + "".join(lines(map(str, patterns(name, bits, numbers)))) + "};\n"
    FILE.write_text(text)


if __name__ == "__main__":
    main()
