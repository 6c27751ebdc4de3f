#!/usr/bin/env python3
"""Lets the newest OpenVINO convert models to IRs, and compute them on made-up inputs. Runs in the environment of that OpenVINO.

usage: runtime_irs.py FOLDER ID=MODEL…      models that OpenVINO does not convert or compute are skipped, with the reason
"""
import sys
from pathlib import Path

import numpy as np
import openvino
from cases_file import Writer

SIZES = (1, 32, 8, 224)  # tried for the sizes that the model leaves open, but for the first one, which is 1


def invented(port, size, random):
    shape = port.get_partial_shape()
    if shape.rank.is_dynamic:
        dims = [1, size]
    else:
        dims = [d.get_length() if d.is_static else 1 if k == 0 else max(size, d.get_min_length()) for k, d in enumerate(shape)]
    kind = port.get_element_type()
    array = random.standard_normal(dims) if kind.is_real() else random.integers(0, 2, dims)
    return array.astype(kind.to_dtype())


def numbers_of(core, model):
    problem = None
    for size in SIZES:
        random = np.random.default_rng(size)
        given = [(port.get_any_name(), invented(port, size, random)) for port in model.inputs]
        try:
            compiled = core.compile_model(model, "CPU")
            results = compiled([array for _, array in given])
            return given, [(sorted(port.get_names() or {f"result {i}"})[0], np.array(results[i])) for i, port in enumerate(compiled.outputs)]
        except Exception as error:
            problem = str(error)[-200:].strip()
    raise ValueError(problem)


def main():
    writer = Writer(sys.argv[1])
    core = openvino.Core()
    core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    for argument in sys.argv[2:]:
        name, _, path = argument.partition("=")
        ir = Path(writer.folder) / name / "model.xml"
        ir.parent.mkdir(parents=True, exist_ok=True)
        try:
            openvino.save_model(openvino.convert_model(path), ir, compress_to_fp16=False)
            writer.add(name, None, *numbers_of(core, core.read_model(ir)), path=str(ir))
        except Exception as error:
            writer.skip(name, str(error).splitlines()[0][:200])
    writer.finish()


if __name__ == "__main__":
    main()
