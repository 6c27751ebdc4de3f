"""IRs that the newest OpenVINO makes of the shared ONNX and TensorFlow models: as ONNX models, and as `mo opt` without a pass writes them."""
import json
import os

from case import Conversion, OnnxTarget
from closeness import Tolerance
from shared_folder import shared_folder
from stored import cases_in, made_by

NOT_FOR_IT = "for other releases"


class Rewritten(Conversion):
    """What mo makes of an IR."""

    def __init__(self, mo, case, target, folder, inputs):
        self.for_onnx = isinstance(target, OnnxTarget)
        if not self.for_onnx and target.release:
            self.xml, self.died, self.refused, self.why, self.command = None, None, NOT_FOR_IT, "an IR of the newest release", []
            return
        os.makedirs(folder, exist_ok=True)
        super().__init__(mo, case, target, folder, inputs)

    def command_line(self, mo, case, target, folder, inputs):
        if self.for_onnx:
            return super().command_line(mo, case, target, folder, inputs)
        return [mo, "opt", case.arguments[1], "-o", os.path.join(folder, target.file)]


def path_of(model):
    """What OpenVINO is given: a file, or the folder of a SavedModel."""
    path = model.get("main_file") or model["files"][0]["path"]
    return os.path.dirname(path) if path.endswith("saved_model.pb") else path


def cases(_context):
    shared = shared_folder("models/manifest.json")
    models = json.loads((shared / "models" / "manifest.json").read_text(encoding="utf-8"))["models"]
    wanted = [f"{model['id']}={shared / 'models' / path_of(model)}" for model in models if model["framework"] in ("onnx", "tf")]
    for case in cases_in(made_by("runtime_irs", *wanted, judge="openvino-newest"), Tolerance(1e-3, 1e-4)):
        case.source, case.convert, case.versions, case.announced = None, Rewritten, (11,), (NOT_FOR_IT,)
        yield case
