"""Small TensorFlow models with the numbers that TensorFlow computed: one folder for each operator and variation."""
import json

import numpy as np
from closeness import NAMED, Tolerance
from case import Case
from shared_folder import shared_folder


def cases(_context):
    for meta in sorted(shared_folder("cases/tensorflow_ops").glob("cases/tensorflow_ops/*/meta.json")):
        yield case_of(meta.parent)


def case_of(folder):
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    tolerance = meta.get("tolerance", 1e-4)
    tolerance = Tolerance(NAMED.get(tolerance, tolerance))

    def load():
        with np.load(folder / "inputs.npz") as given, np.load(folder / "expected.npz") as wanted:
            return [(entry["tensor"], given[entry["key"]]) for entry in meta["inputs"]], [(entry["tensor"], wanted[entry["key"]]) for entry in meta["outputs"]]

    saved = meta["form"] == "saved_model"
    model = ["--saved_model_dir", folder / "saved_model"] if saved else ["--input_model", folder / "model.pb"]
    if meta["op"] == "gtt":  # the Graph Transform Tool leaves nodes that nothing reads, and was told the outputs
        model += ["--output", ",".join(entry["tensor"].removesuffix(":0") for entry in meta["outputs"])]
    known = all(entry["shape"] is not None and None not in entry["shape"] for entry in meta["inputs"])
    return Case(meta["name"], [*model, *meta.get("mo_args", [])], load, tolerance, channels_last=True, fixed_inputs=known)
