#!/usr/bin/env python3
"""Looks at every IR that the conformance tests, the goldens and the shared models with options lead to, in both versions, with the static checker, which knows the rules of the
runtimes 2021.4 (version 10) and 2022.1 (version 11): it must find nothing. An IR of version 11 that needs a newer op set is judged by the first
runtime that has it; newer_ops.txt lists these ops. No IR has a body of a form that all releases compute wrongly (body_faults.py).

usage: check_irs.py BIN conformance|newer_conformance|goldens|models [FILTER]      BIN: folder of mo_conformance and test_golden; FILTER: of names

The checker and the newer conformance tests are looked up in MO_SHARED (default: ../shared beside the sources); without them, or without ONNX's test
data, the test is skipped, which it says.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import body_faults
from checker import Checker, load_tool
from newer_ops import NewerOps, name_of, newer_ops
from shared_folder import ROOT, SKIPPED, shared_folder

TEST_DATA = "/usr/share/libonnx-testdata/data"
NEWER_DATA = "cases/onnx_backend"  # of the shared folder: tests of later opsets
# How many IRs there are at least of each version.
LEAST = {"conformance": {10: 850, 11: 1000}, "newer_conformance": {10: 450, 11: 650}, "goldens": {10: 2000, 11: 2600}, "models": {10: 250, 11: 255}}
# What the conformance tests may refuse, in version 10 "…_v10.txt".
EXPECTED = {"conformance": "expected_refusals", "newer_conformance": "expected_refusals_newer"}
# What changes the IR of a whole model. (How the models themselves are converted and computed is looked at by evaluate_models.py.)
VARIANTS = {"half": ["--data_type", "FP16"], "static": ["--static_shape"], "low_latency": ["--transform", "LowLatency2"]}
# Where the checker is wrong: the runtimes of 2024.6, 2025.4 and 2026.4 give SearchSorted the output_type that it asks for, and those of 2025.4 and 2026.4
# give SparseFillEmptyRows the type of its indices.
CHECKER_IS_WRONG = re.compile(r"(SearchSorted\): output port 2|SparseFillEmptyRows\): output port 4) precision i32, operation gives i64")
# Element types that came after 2022.1: docs/element_types.md says with which release, and the test of the phase holds it.
NEWER_TYPES = re.compile(r"""(precision|element_type|destination_type)[ =]['"](nf4|f4e2m1|f8e4m3|f8e5m2|f8e8m0|u2|u3|u6)['"]( is not a spelling 2022| is no element type of 2022|: must be)""", re.I)
# What a test model may have itself: inputs and outputs without elements, and strings. IR version 10 has neither.
MODELS_OWN = re.compile(r"\[io\.zero_dim\]|element_type=\"string\"|precision 'STRING'|element_type 'string'|Batch size is zero")


def write_conformance_irs(bin_folder, suite, folder, name_filter=""):
    """Whether nothing but what is listed was refused. Nothing (None) where the data is not there."""
    data = Path(TEST_DATA) if suite == "conformance" else shared_folder() / NEWER_DATA
    if not data.exists():
        print(f"skipped: there is no {data}")
        return None
    as_listed = True
    for version in (10, 11):
        listed = ROOT / "tests" / "conformance" / f"{EXPECTED[suite]}{'_v10' if version == 10 else ''}.txt"
        run = subprocess.run([os.path.join(bin_folder, "mo_conformance"), "--tests", str(data), "--ir_version", str(version), "--keep",
                              os.path.join(folder, f"v{version}"), *(["--filter", name_filter] if name_filter else ["--expected", str(listed)])],
                             capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1):
            sys.exit(run.stdout + run.stderr)
        as_listed = as_listed and (name_filter != "" or run.returncode == 0)
        for line in run.stdout.splitlines():
            if re.match(r"conversion of|\d+ passed|unexpected", line):
                print(f"IR version {version}: {line}")
    return as_listed


def write_golden_irs(bin_folder, folder, name_filter):
    run = subprocess.run([os.path.join(bin_folder, "test_golden"), f"--gtest_filter={name_filter or '*'}", "--gtest_brief=1"],
                         env={**os.environ, "MO_GOLDEN_IRS": folder}, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stdout + run.stderr)


def write_model_irs(bin_folder, folder, name_filter):
    """Every shared model by every variant. A refusal of version 10 is one of the model without the option as well."""
    shared = shared_folder("models/manifest.json", "tools/evaluate_models.py")
    try:
        tool = load_tool(shared / "tools" / "evaluate_models.py")
    except ModuleNotFoundError:  # Debian's numpy belongs to Debian's interpreter, which need not be the first on the path
        if sys.executable == "/usr/bin/python3" or not os.path.exists("/usr/bin/python3"):
            sys.exit("there is no Python with numpy: install python3-numpy")
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    models = json.loads((shared / "models" / "manifest.json").read_text(encoding="utf-8"))["models"]
    jobs = [(version, variant, model) for version in (10, 11) for variant in VARIANTS for model in models if re.search(name_filter, model["id"])]

    def convert(job):
        version, variant, model = job
        command = [os.path.join(bin_folder, "mo"), *tool.mo_arguments(model, str(shared / "models")), *VARIANTS[variant], "--ir_version", str(version),
                   "--output_dir", os.path.join(folder, f"v{version}", variant), "--model_name", model["id"]]
        given = (model.get("reference") or {}).get("inputs")
        if version == 10 and model["framework"] == "onnx" and given:  # static shapes
            command += ["--input", ",".join(i["name"] for i in given), "--input_shape", ",".join(str(i["shape"]).replace(" ", "") for i in given)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        return None if run.returncode == 0 else f"IR version {version}, {variant}: {model['id']}: {run.stderr.strip().splitlines()[-1:]}"

    for version in (10, 11):
        for variant in VARIANTS:
            os.makedirs(os.path.join(folder, f"v{version}", variant))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for refusal in filter(None, pool.map(convert, jobs)):
            print(refusal)


def check(checker, folder, version, suite, filtered):
    """Whether there are enough IRs of a version, and none of them is bad."""
    irs = sorted((Path(folder) / f"v{version}").rglob("*.xml"))
    listed = NewerOps(suite) if version == 11 else None
    bad = newer = 0
    for xml in irs:
        judge, is_newer = checker.judge_of(xml)
        newer += is_newer
        lines = [line for line in checker.findings(xml, *judge) if not CHECKER_IS_WRONG.search(line)
                 and (version == 10 or not (MODELS_OWN.search(line) or NEWER_TYPES.search(line)))]
        lines += body_faults.findings(xml)
        if is_newer:
            name, text = name_of(suite, xml, Path(folder) / f"v{version}"), xml.read_text(encoding="utf-8")
            ops = listed.unlisted(name, text) if listed else sorted(newer_ops(text))
            lines += [f"{xml}: {op} is newer than the runtime of 2022.1; newer_ops.txt does not list it for {suite} {name}" for op in ops]
        bad += bool(lines)
        for line in lines:
            print(line.replace(f"{folder}/", ""))
    print(f"IR version {version}: {len(irs)} IRs, {bad} with findings, {newer} need more than the runtime of 2022.1")
    unused = [] if filtered or listed is None else listed.unused()
    for op, pattern in unused:
        print(f"newer_ops.txt: no IR that {pattern} of {suite} fits has {op}: remove it")
    enough = len(irs) >= (1 if filtered else LEAST[suite][version])
    if not enough:
        print(f"IR version {version}: {len(irs)} IRs are fewer than there were: {LEAST[suite][version]}")
    return enough and not bad and not unused


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[2] not in LEAST:
        sys.exit(__doc__)
    bin_folder, suite = sys.argv[1:3]
    name_filter = sys.argv[3] if len(sys.argv) == 4 else ""
    checker = Checker()
    as_listed = True
    with tempfile.TemporaryDirectory() as folder:
        if suite == "goldens":
            write_golden_irs(bin_folder, folder, name_filter)
        elif suite == "models":
            write_model_irs(bin_folder, folder, name_filter)
        else:
            as_listed = write_conformance_irs(bin_folder, suite, folder, name_filter)
            if as_listed is None:
                return SKIPPED
        results = [check(checker, folder, version, suite, name_filter) for version in (11, 10)]
    return 0 if all(results) and as_listed else 1


if __name__ == "__main__":
    sys.exit(main())
