"""The smallest models of faults that were found: TensorFlow's with its numbers, ONNX's with those of ONNX Runtime."""
from case import Case  # noqa: F401
from closeness import Tolerance
from corpora.tensorflow_ops import case_of
from shared_folder import shared_folder
from stored import cases_in, made_by


def cases(_context):
    root = shared_folder("cases/findings") / "cases" / "findings"
    for meta in sorted((root / "tensorflow").glob("*/meta.json")):
        yield case_of(meta.parent)
    models = sorted(root.glob("exports/*.onnx")) + sorted(root.glob("tensorflow/onnx/*.onnx")) + sorted(root.glob("peers/*.onnx")) + sorted(root.glob("original/*.onnx"))
    yield from cases_in(made_by("onnx_numbers", *models, name="findings"), Tolerance(1e-3, 1e-5))
