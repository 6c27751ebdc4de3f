"""The cases of tests/frontends/onnx/*.test that have expected numbers, as ONNX models: whether an engine computes of the source what the test expects, and
runtimes of what mo makes of it."""
import re
import sys
from pathlib import Path

from case import Case
from closeness import Tolerance
from stored import FOLDER

TESTS = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TESTS / "generators"))
import cases as text_form  # noqa: E402
import onnx_models  # noqa: E402


def cases(_context):
    folder = FOLDER / "onnx_text_tests"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((TESTS / "frontends" / "onnx").glob("*.test")):
        for title, graph, _, sections in onnx_models.models(path):
            name = f"{path.stem}.{re.sub('[^a-z0-9]+', '_', title.lower()).strip('_')}"
            bodies = [body for kind, body in sections if kind == "evaluate"]
            if bodies and not any(kind.startswith("error") for kind, _ in sections):
                try:
                    results = [text_form.evaluations(body)[1] for body in bodies]
                except text_form.Unread:  # an element type that arrays lack
                    continue
                source = folder / f"{name}.onnx"
                source.write_bytes(onnx_models.model(graph, results[0]))
                for which, body in enumerate(bodies):
                    yield case_of(f"{name}.{which}" if which else name, source, graph, body)


def case_of(case_id, source, graph, body):
    def load():
        feeds, results = text_form.evaluations(body)
        return [(name, feeds[name]) for name, _ in graph.inputs], list(zip(graph.results, results))

    unknown = any(sizes is None for _, sizes in graph.types.values())
    return Case(case_id, ["--input_model", source], load, Tolerance(1e-3, 1e-4), source=str(source), reshape=unknown, announced=("MO-BACK-0001", "MO-BACK-0002", "MO-BACK-0004"))
