"""Operators of com.microsoft (makers/microsoft_ops.py): ONNX Runtime computes the source."""
from closeness import Tolerance
from stored import cases_in, made_by


def cases(context):
    yield from cases_in(made_by("microsoft_ops"), Tolerance(1e-3, 1e-4))
