#!/usr/bin/env python3
"""Judges one ONNX model: ONNX Runtime computes the source on made-up inputs, a judge computes what mo writes.

usage: judge_model.py BIN MODEL.onnx [--judge openvino-newest] [--target v11] [--expect VERDICT] [--reduce DIR]

Prints the verdict. --expect: exit code 0 only for this verdict (right, wrong, not compiled …, or an error code), for `mo reduce`. --reduce DIR: lets `mo reduce`
make the model smaller as long as the verdict stays.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import peers  # first: it knows where all others lie
import environments
import stored
import verdict as verdicts
from case import Conversion
from closeness import Tolerance
from worker import Worker


def judge(options, folder):
    python, problem = environments.environment("onnxruntime", create=False)
    if python is None:
        sys.exit(f"onnxruntime: {problem}")
    subprocess.run([python, str(stored.MAKERS / "onnx_numbers.py"), folder, os.path.abspath(options.model)], check=True)
    row = json.loads(Path(folder, "index.json").read_text(encoding="utf-8"))[0]
    if "without_numbers" in row:
        return verdicts.Verdict("no numbers", row["without_numbers"])
    case = next(stored.cases_in(Path(folder), Tolerance(1e-3, 1e-4)))
    target = next(target for target in peers.targets_of(options.judge) if peers.wanted(str(target), [options.target]))
    inputs, expected = case.load()
    conversion = Conversion(os.path.join(options.bin, "mo"), case, target, folder, inputs)
    if not conversion.xml:
        return verdicts.Verdict(verdicts.CRASH if conversion.died else verdicts.REFUSED, conversion.why, code=conversion.refused)
    worker = Worker(options.judge, environments.environment(options.judge, create=False)[0])
    try:
        return verdicts.judge(case, target, conversion.xml, worker, inputs, expected, folder)
    finally:
        worker.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("model")
    parser.add_argument("--judge", default="openvino-newest")
    parser.add_argument("--target", default="v11")
    parser.add_argument("--expect")
    parser.add_argument("--reduce")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = judge(options, folder)
    name = found.code or found.kind
    print(f"{name}: {found.why}")
    if options.reduce and found.kind != verdicts.RIGHT:
        return subprocess.run([os.path.join(options.bin, "mo"), "reduce", options.model, "-o", options.reduce, "--", sys.executable, os.path.abspath(__file__), options.bin, "{}",
                               "--judge", options.judge, "--target", options.target, "--expect", name], check=False).returncode
    return 0 if name == (options.expect or verdicts.RIGHT) else 1


if __name__ == "__main__":
    sys.exit(main())
