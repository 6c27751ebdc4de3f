#!/usr/bin/env python3
"""Pipelines of the library on real models: each shared model is converted, a pipeline runs on its IR, and what comes out is checked and compared with
the model's reference outputs by the same tool as conversions.

usage: library_models.py BIN PIPELINE [FRAMEWORK]     BIN: folder of mo; PIPELINE: "moc", "common", "decompose"

The tool and the models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says.
"""
import os
import sys
import tempfile
from pathlib import Path

from shared_folder import shared_folder

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401  (evaluate_models.py of the shared folder needs numpy)

import checker  # noqa: E402

# Stands in for mo: converts, then runs the pipeline on the IR.
WRAPPER = """#!{python}
import os, subprocess, sys, tempfile
arguments = sys.argv[1:]
code = subprocess.run([{mo!r}, *arguments]).returncode
if code == 0 and "--output_dir" in arguments:
    folder = arguments[arguments.index("--output_dir") + 1]
    for name in [name for name in os.listdir(folder) if name.endswith(".xml")]:
        stem = os.path.join(folder, name[:-4])
        with tempfile.TemporaryDirectory(dir=folder) as made:
            target = os.path.join(made, name)
            code = subprocess.run([{mo!r}, "opt", stem + ".xml", "--passes", {pipeline!r}, "-o", target]).returncode
            if code != 0:
                sys.exit(code)
            for ending in (".bin", ".xml"):
                os.replace(target[:-4] + ending, stem + ending)
sys.exit(code)
"""


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    bin_folder, pipeline = os.path.abspath(sys.argv[1]), sys.argv[2]
    shared = shared_folder("tools", "models")
    if shared is None:
        return 77
    wrong = []
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        wrapper = Path(folder, "mo")
        wrapper.write_text(WRAPPER.format(python=sys.executable, mo=os.path.join(bin_folder, "mo"), pipeline=pipeline), encoding="utf-8")
        wrapper.chmod(0o755)
        os.symlink(os.path.join(bin_folder, "mo"), os.path.join(folder, "mo_run"))
        for result in checker.evaluate_models(shared, folder, 11, sys.argv[3] if len(sys.argv) > 3 else None):
            tried += 1
            if not result["ok"]:
                wrong.append(f"{result['id']}: {result['why']}")
    for line in wrong:
        print(line)
    print(f"{pipeline}: {tried} models, {len(wrong)} wrong")
    return 1 if wrong or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
