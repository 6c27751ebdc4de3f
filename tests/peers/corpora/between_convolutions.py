"""An op between two convolutions with channels that do not fill a block (makers/between_convolutions.py): ONNX Runtime computes the source."""
from closeness import Tolerance
from stored import cases_in, made_by


def cases(context):
    yield from cases_in(made_by("between_convolutions"), Tolerance(1e-3, 1e-4))
