#!/usr/bin/env python3
"""Computes ONNX models that bring no numbers with ONNX Runtime, on made-up inputs. Runs in the environment of ONNX Runtime.

usage: onnx_numbers.py FOLDER MODEL.onnx…      models that ONNX Runtime does not compute are stored without numbers: they are only read and compiled
"""
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from cases_file import Writer

TYPES = {"float": np.float32, "double": np.float64, "float16": np.float16}
SIZES = (2, 3, 1, 4)  # tried in this order for what the model leaves open, then a size for each
TRIES = 40


def invented(port, size, random):
    shape = [dim if isinstance(dim, int) and dim >= 0 else size or int(random.integers(1, 9)) for dim in port.shape]
    kind = port.type[len("tensor("):-1]
    if kind in TYPES:
        return random.standard_normal(shape).astype(TYPES[kind])
    if kind == "bool":
        return random.integers(0, 2, shape).astype(bool)
    return random.integers(0, 3, shape).astype(kind)


def numbers_of(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    problem = None
    for attempt in range(TRIES):
        size = SIZES[attempt] if attempt < len(SIZES) else 0
        random = np.random.default_rng([attempt, len(session.get_inputs())])
        given = [(port.name, invented(port, size, random)) for port in session.get_inputs()]
        try:
            results, again = session.run(None, dict(given)), session.run(None, dict(given))
        except Exception as error:
            problem = error
            continue
        if any(isinstance(a, np.ndarray) and a.dtype.kind == "f" and not np.array_equal(a, b, equal_nan=True) for a, b in zip(results, again)):
            raise ValueError("draws numbers")
        return given, [(port.name, value) for port, value in zip(session.get_outputs(), results)]
    raise problem


def main():
    writer = Writer(sys.argv[1])
    for path in map(Path, sys.argv[2:]):
        try:
            given, results = numbers_of(path)
            writer.add(path.stem, None, given, results, path=str(path))
        except Exception as error:
            writer.add(path.stem, None, [], [], path=str(path), without_numbers=str(error)[:300])
    writer.finish()


if __name__ == "__main__":
    main()
