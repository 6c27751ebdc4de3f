"""How makers store cases: FOLDER/index.json with a row for each case, FOLDER/ID/model.onnx, and FOLDER/ID/data.npz with the arrays i0, i1 … o0, o1 …"""
import json
from pathlib import Path

import numpy as np

WIDER = {"bfloat16": np.float32, "int4": np.int8, "uint4": np.uint8, "int2": np.int8, "uint2": np.uint8}  # what numpy lacks travels wider


def plain(value):
    """The array as plain numpy has it. Raises TypeError for what is not a tensor, or has a type that does not travel."""
    if not isinstance(value, (np.ndarray, np.generic)):
        raise TypeError(f"a {type(value).__name__} is not a tensor")
    array = np.asarray(value)
    if array.dtype.kind == "O" or array.dtype.kind == "S":
        return array.astype(str)
    if array.dtype.name in WIDER:
        return array.astype(WIDER[array.dtype.name])
    if array.dtype.isbuiltin != 1 and array.dtype.kind not in "UT" or array.dtype.kind == "c":
        raise TypeError(f"{array.dtype.name} does not travel")
    return array


class Writer:
    def __init__(self, folder):
        self.folder, self.rows = Path(folder), []

    def add(self, case_id, model, inputs, outputs, **more):
        """`model`: bytes, or None when `more` says where it is; `inputs`, `outputs`: [(name, array)]."""
        folder = self.folder / case_id
        folder.mkdir(parents=True, exist_ok=True)
        if model is not None:
            (folder / "model.onnx").write_bytes(model)
        np.savez(folder / "data.npz", **{f"i{k}": plain(a) for k, (_, a) in enumerate(inputs)}, **{f"o{k}": plain(a) for k, (_, a) in enumerate(outputs)})
        bf16 = [name for name, array in outputs if getattr(array, "dtype", None) is not None and array.dtype.name == "bfloat16"]  # stored as f32
        self.rows.append({"id": case_id, "inputs": [name for name, _ in inputs], "outputs": [name for name, _ in outputs], "bf16": bf16, **more})

    def skip(self, case_id, reason):
        self.rows.append({"id": case_id, "skipped": reason})

    def finish(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "index.json").write_text(json.dumps(self.rows, indent=0), encoding="utf-8")


def arrays_of(folder, row):
    """([(name, array)], [(name, array)]) of a stored case."""
    with np.load(Path(folder) / row["id"] / "data.npz") as data:
        return [(name, data[f"i{k}"]) for k, name in enumerate(row["inputs"])], [(name, data[f"o{k}"]) for k, name in enumerate(row["outputs"])]
