"""The cases of tests/ops/*.test that have expected numbers: the definition of each op, written for our inference and evaluation, as tests of the runtimes."""
import os
import re
from pathlib import Path

import emitter
from case import Case
from closeness import Tolerance
from corpora.op_forms import ANNOUNCED, text_form

TESTS = Path(__file__).resolve().parents[2] / "ops"


def cases(context):
    for path in sorted(TESTS.glob("*.test")):
        for number, (_, _, graph, sections) in enumerate(text_form.parts(path), 1):
            for which, body in enumerate(body for kind, body in sections if kind == "evaluate"):
                yield case_of(f"{path.stem}.{number}.{which}", graph, body, context.bin)


def case_of(case_id, graph, body, bin_folder):
    def load():
        feeds, results = text_form.evaluations(body)
        names = re.findall(r"%([\w.]+)\s*:", graph.partition(") {")[0])
        return [(name, feeds[name]) for name in names], [(f"result {i}", result) for i, result in enumerate(results)]

    def convert(_mo, _case, target, folder, _inputs):
        os.makedirs(folder, exist_ok=True)
        text_file = os.path.join(folder, "model.mo")
        Path(text_file).write_text(graph, encoding="utf-8")
        return emitter.Emission(os.path.join(bin_folder, "mo_emit_irs"), text_file, target, folder)

    return Case(case_id, [], load, Tolerance(1e-4, 1e-5), convert=convert, announced=ANNOUNCED + ("MO-BACK-0002",))
