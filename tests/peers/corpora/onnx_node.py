"""The node tests that the onnx package generates: every operator, all op sets of its newest release."""
from compare import Tolerance
from stored import cases_in, made_by


def cases(_context):
    yield from cases_in(made_by("onnx_node_tests"), Tolerance(1e-3, 1e-6))
