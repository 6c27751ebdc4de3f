#!/usr/bin/env python3
"""Writes docs/onnx_output_ops.md: the ops of the IR that ONNX output has a form of, and how many of their forms ONNX Runtime computes right.

usage: update_onnx_output_ops.py BIN [VERDICTS.json …] [--check]

BIN: folder of mo. VERDICTS: what `tests/peers/peers.py … --corpora op_forms --judges onnxruntime --targets onnx11,onnx13,onnx17,onnx21 --json` wrote; the
numbers of other ops stay. --check: exit code 1 when the list of ops is not what mo says.
"""
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs/onnx_output_ops.md"
TARGETS = ("onnx11", "onnx13", "onnx17", "onnx21")
HEAD = """# Ops of the IR as ONNX

Written by `scripts/update_onnx_output_ops.py`; do not edit. `mo --list-ops onnx-output` prints the first two columns. The others: of the forms of the op that
`tests/peers/op_forms/` generates from its declaration (attributes, element types, known and unknown sizes and ranks, constant and computed operands), how many ONNX
Runtime computes right from the model of that op set; the rest is refused by name, or lists its reason in `tests/peers/known_faults.txt` and `known_refusals.txt`.
Empty: the op has no such forms; other corpora contain it (docs/peers.md).

| op | ONNX output | op set 11 | 13 | 17 | 21 |
|---|---|---|---|---|---|
"""
ROW = re.compile(r"^\| (\S+) \| (\S+) \|((?: [^|]*\|){4})$", re.M)


def measured(files):
    """{op: [right of forms for each target]}"""
    counts = defaultdict(lambda: [[0, 0] for _ in TARGETS])
    for file in files:
        for record in json.loads(Path(file).read_text(encoding="utf-8")):
            if record["corpus"] != "op_forms" or record["target"] not in TARGETS:
                continue
            name, version = re.match(r"(\w+)\.v(\d+)", record["case"]).groups()
            count = counts[f"{name}-{version}"][TARGETS.index(record["target"])]
            count[0] += record["verdict"] == "right"
            count[1] += 1
    return {op: [f"{right} of {forms}" if forms else "" for right, forms in row] for op, row in counts.items()}


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if not arguments:
        sys.exit(__doc__)
    out = subprocess.run([str(Path(arguments[0]) / "mo"), "--list-ops", "onnx-output"], check=True, capture_output=True, text=True).stdout
    listed = [line.split() for line in out.splitlines() if line.strip()]
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if "--check" in sys.argv:
        if [[op, state] for op, state, _ in ROW.findall(old)] == listed:
            return 0
        print("docs/onnx_output_ops.md is out of date: run scripts/update_onnx_output_ops.py build/release/bin")
        return 1
    numbers = {op: [cell.strip() for cell in cells.split("|")[:4]] for op, _, cells in ROW.findall(old)} | measured(arguments[1:])
    rows = "".join(f"| {op} | {state} | {' | '.join(numbers.get(op, [''] * 4))} |\n" for op, state in listed)
    PAGE.write_text(HEAD + rows, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
