"""ONNX files that PyTorch's exporters wrote, with the numbers that PyTorch (for quantised ones, ONNX Runtime) computed."""
import json

import numpy as np
from closeness import Tolerance
from case import Case
from shared_folder import shared_folder


def cases(_context):
    root = shared_folder("cases/torch_exports") / "cases" / "torch_exports"
    for entry in json.loads((root / "manifest.json").read_text(encoding="utf-8")):
        if entry["file"].endswith(".onnx"):
            for data in entry["data"]:
                yield case_of(root, entry, data)


def case_of(root, entry, data):
    path = root / entry["file"]
    kind, bound = entry["tolerance"]
    tolerance = Tolerance(rms=bound) if kind == "rms" else Tolerance(bound)

    def load():
        from onnx_file import input_names, output_names
        with np.load(path.parent / f"{data}.npz") as arrays:
            def named(prefix, names):
                return [(name, arrays[key]) for name, key in zip(names, [entry_key(prefix, i, name, arrays) for i, name in enumerate(names)]) if key]
            return named("input", entry.get("inputs") or input_names(path)), named("output", output_names(path))

    return Case(f"{entry['model']}.{entry['kind']}.{data}", ["--input_model", path], load, tolerance, source=str(path))


def entry_key(prefix, position, name, arrays):
    return next((key for key in (f"{prefix}_{position}", name) if key in arrays.files), None)
