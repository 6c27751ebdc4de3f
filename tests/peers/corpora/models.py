"""The shared models with the numbers that their frameworks computed."""
import numpy as np
from closeness import Tolerance
from case import Case
from shared_folder import shared_folder
from checker import load_tool


def cases(_context):
    import json
    shared = shared_folder("models/manifest.json", "tools/evaluate_models.py")
    root = shared / "models"
    command_line = load_tool(shared / "tools" / "evaluate_models.py").mo_arguments
    for model in json.loads((root / "manifest.json").read_text(encoding="utf-8"))["models"]:
        if model.get("reference"):
            yield case_of(model, root, command_line)


def case_of(model, root, command_line):
    reference, hint = model["reference"], model.get("converter_hint") or {}
    constants, asked = hint.get("constants") or {}, hint.get("outputs")
    inputs = [entry for entry in reference["inputs"] if entry["name"] not in constants]
    outputs = [entry for entry in reference["outputs"] if "file" in entry and (not asked or any(name in asked for name in (entry.get("tensor"), entry["name"])))]
    noise = model.get("float_noise")
    noise = noise.get("max_abs_diff_ort_optimised_vs_not", 0) if isinstance(noise, dict) else 0
    detectors = {entry.get("tensor") or entry["name"] for entry in outputs if len(entry["shape"]) == 4 and entry["shape"][:2] == [1, 1] and entry["shape"][3] == 7}

    def load():
        def arrays(entries):
            return [(entry.get("tensor") or entry["name"], np.load(root / entry["file"])) for entry in entries]
        return arrays(inputs), arrays(outputs)

    onnx = model["framework"] == "onnx"
    return Case(model["id"], command_line(model, str(root)), load, channels_last=model["framework"] == "tf", fixed_inputs=not onnx,
                source=str(root / model["main_file"]) if onnx else None, all_outputs=False,
                tolerance=lambda name: Tolerance(1e-3, 1e-7 + 5 * noise, detections=name in detectors))
