"""Each op class x enumerated attributes x element types x static, dynamic and unknown shapes x constant and run-time operands (op_rows.py).

Expected numbers come from the definitions of the operators in numpy (tests/generators); where they do not cover a form, `mo run` says what it computes and
the runtime must agree: those ids end with `.agreement`.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import emitter
import op_rows
from case import Case
from closeness import Tolerance

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "generators"))
import cases as text_form  # noqa: E402
import check  # noqa: E402

ANNOUNCED = ("MO-BACK-0001", "MO-BACK-0012")  # the release has no op for it, or not the element type


def cases(context):
    declarations = emitter.declarations(context.bin)
    for row in op_rows.rows():
        for form in row.forms(declarations[row.op]["attributes"]):
            yield case_of(form, context.bin)


def by_formula(form):
    """Results by the definitions; None where they do not cover it."""
    try:
        results = check.run(text_form.read_text_form(form.static_text), dict(form.inputs))
    except (text_form.Unread, KeyError, IndexError, ValueError, TypeError, AttributeError):
        return None
    return None if results is None or any(result is None for result in results) else [np.asarray(result) for result in results]


def by_mo(form, bin_folder):
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "model.mo"
        model.write_text(form.static_text, encoding="utf-8")
        command = [os.path.join(bin_folder, "mo"), "run", str(model), "--portable", "--output_dir", folder]
        for name, array in form.inputs:
            np.save(os.path.join(folder, f"{name}.in.npy"), array)
            command += ["--input", f"{name}={folder}/{name}.in.npy"]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
        if run.returncode:
            raise ValueError(f"mo run: {run.stderr.strip()[-200:]}")
        return [np.load(output["file"]) for output in json.loads(run.stdout.splitlines()[-1])["outputs"]]


def case_of(form, bin_folder):
    expected = by_formula(form)

    def load():
        results = expected if expected is not None else by_mo(form, bin_folder)
        return form.inputs, list(zip(form.outputs, results))

    def convert(_mo, _case, target, folder, _inputs):
        os.makedirs(folder, exist_ok=True)
        text_file = os.path.join(folder, "model.mo")
        Path(text_file).write_text(form.text, encoding="utf-8")
        return emitter.Emission(os.path.join(bin_folder, "mo_emit_irs"), text_file, target, folder)

    tolerance = Tolerance(1e-2 if form.kind == "f16" else 1e-4, 1e-5)  # also where a runtime says that a result of f16 is f32
    return Case(form.id + ("" if expected is not None else ".agreement"), [], load, tolerance, convert=convert, announced=ANNOUNCED, reshape=form.form == "unknown",
                versions=(10, 11) if form.form in ("static", "runtime") else (11,))
