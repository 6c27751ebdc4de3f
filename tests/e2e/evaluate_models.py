#!/usr/bin/env python3
"""Converts, checks, runs and compares all shared models of a framework with the evaluation tool, in both IR versions.

usage: evaluate_models.py BIN FRAMEWORK       BIN: folder of mo and mo_run
       evaluate_models.py --self-test         checks that each rule can fail

Each IR must be one that the runtime of 2021.4 (IR version 10), 2022.1 (version 11), or the first that has its ops reads.

The tool and the models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says. Where they
are, every model that has reference outputs must have been compared with them.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from shared_folder import shared_folder

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401  (evaluate_models.py of the shared folder needs numpy)

import checker  # noqa: E402

# What IR version 10 cannot express, and the code that must say so.
REFUSED_IN_V10 = {"tf_syn_ssdlite_mbv2": "MO-BACK-0002"}  # boxes are selected at run time: dynamic shapes


def has_numbers(model):
    """Whether some output that is asked for has stored numbers."""
    asked = (model.get("converter_hint") or {}).get("outputs")
    outputs = (model.get("reference") or {}).get("outputs") or []
    return any("file" in output and (not asked or output.get("tensor") in asked or output["name"] in asked) for output in outputs)


def judge(results, models, version):
    """How many models were compared with numbers, and what is wrong."""
    problems = []
    by_id = {result["id"]: result for result in results}
    compared = 0
    for model in models:
        result = by_id.get(model["id"])
        refusal = REFUSED_IN_V10.get(model["id"]) if version == 10 else None
        if result is None:
            problems.append(f"{model['id']}: was not tried")
        elif refusal:
            if result["ok"] or refusal not in result["why"]:
                problems.append(f"{model['id']}: expected {refusal}, got {result['why']}")
        elif not result["ok"]:
            problems.append(f"{model['id']}: {result['why']}")
        elif has_numbers(model):
            # What the tool says of a model whose outputs it has compared.
            if result["why"].endswith("of the allowed difference"):
                compared += 1
            else:
                problems.append(f"{model['id']}: nothing was compared: {result['why']}")
    if compared == 0:
        problems.append("no model was compared with its reference")
    return compared, problems


def self_test():
    with_numbers = {"id": "a", "reference": {"outputs": [{"name": "y", "file": "y.npy"}]}}
    asked_for = dict(with_numbers, converter_hint={"outputs": ["z"]})
    without = {"id": "b"}
    good = {"id": "a", "ok": True, "why": "0.10 of the allowed difference"}
    cases = [  # (results, models, IR version, part of the problem that must be found)
        ([good], [with_numbers], 11, None),
        ([good, {"id": "b", "ok": True, "why": "converted; no reference"}], [with_numbers, without], 11, None),
        ([], [], 11, "no model was compared"),
        ([{"id": "b", "ok": True, "why": "converted; no reference"}], [without], 11, "no model was compared"),
        ([good], [asked_for], 11, "no model was compared"),
        ([good], [with_numbers, without], 11, "b: was not tried"),
        ([{"id": "a", "ok": True, "why": "converted; no reference"}], [with_numbers], 11, "a: nothing was compared"),
        ([{"id": "a", "ok": False, "why": "y: NaN"}], [with_numbers], 11, "a: y: NaN"),
        ([good, {"id": "tf_syn_ssdlite_mbv2", "ok": False, "why": "mo failed: MO-BACK-0002"}], [with_numbers, {"id": "tf_syn_ssdlite_mbv2"}], 10, None),
        ([good, {"id": "tf_syn_ssdlite_mbv2", "ok": True, "why": ""}], [with_numbers, {"id": "tf_syn_ssdlite_mbv2"}], 10, "expected MO-BACK-0002"),
    ]
    failures = []
    for results, models, version, wanted in cases:
        _, problems = judge(results, models, version)
        if (wanted is None and problems) or (wanted is not None and not any(wanted in problem for problem in problems)):
            failures.append(f"{results}: wanted {wanted!r}, found {problems}")
    # A folder that is promised and lacks its models is an error; none at all is skipped.
    with tempfile.TemporaryDirectory() as empty:
        code = subprocess.run([sys.executable, __file__, empty, "onnx"], env={**os.environ, "MO_SHARED": empty}, stdout=subprocess.DEVNULL, check=False).returncode
        if code != 1:
            failures.append(f"an MO_SHARED without models ends with {code}, not with 1")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        failures = self_test()
        print("\n".join(failures + [f"self-test: {len(failures)} problems"]))
        return 1 if failures else 0
    bin_folder, framework = sys.argv[1:3]
    shared = shared_folder("tools/evaluate_models.py", "models/manifest.json")
    with open(shared / "models" / "manifest.json", encoding="utf-8") as file:
        models = [model for model in json.load(file)["models"] if model["framework"] == framework]
    bad = False
    for version in (11, 10):
        results = checker.evaluate_models(shared, bin_folder, version, framework)
        compared, problems = judge(results, models, version)
        passed = sum(r["ok"] for r in results)
        print(f"{framework}, IR version {version}: {passed} of {len(results)} passed, {compared} of them compared with reference numbers")
        for problem in problems:
            print(problem)
        bad = bad or bool(problems)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
