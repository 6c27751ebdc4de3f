"""IRs that the newest OpenVINO makes of the shared ONNX and TensorFlow models: as ONNX models, and as `mo opt` without a pass writes them."""
import json
import os

from closeness import Tolerance
from rewritten import rewritten
from shared_folder import shared_folder
from stored import cases_in, made_by


def path_of(model):
    """What OpenVINO is given: a file, or the folder of a SavedModel."""
    path = model.get("main_file") or model["files"][0]["path"]
    return os.path.dirname(path) if path.endswith("saved_model.pb") else path


def cases(_context):
    shared = shared_folder("models/manifest.json")
    models = json.loads((shared / "models" / "manifest.json").read_text(encoding="utf-8"))["models"]
    wanted = [f"{model['id']}={shared / 'models' / path_of(model)}" for model in models if model["framework"] in ("onnx", "tf")]
    for case in cases_in(made_by("runtime_irs", *wanted, judge="openvino-newest"), Tolerance(1e-3, 1e-4)):
        yield rewritten(case)
