#!/usr/bin/env python3
"""Writes docs/onnx_output_ops.md: the ops of the IR that ONNX output has a form of, the operators of the form, how many forms ONNX Runtime computes right, and the tests.

usage: update_onnx_output_ops.py BIN [VERDICTS.json …] [--check]

BIN: folder of mo. VERDICTS: what `tests/peers/peers.py … --corpora op_forms --judges onnxruntime --targets onnx11,onnx13,onnx17,onnx21 --json` wrote; the
numbers of other ops stay. Operators come from tests/onnx_emitter/forms/, tests from the folders where they are. --check: exit code 1 when the page is not
what this program writes.
"""
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/onnx_output_ops.md"
TARGETS = ("onnx11", "onnx13", "onnx17", "onnx21")
USUAL, NEWEST = 17, 21
SHOWN = 7  # operators of a form
HEAD = """# Ops of the IR as ONNX

Written by `scripts/update_onnx_output_ops.py`; do not edit. `mo --list-ops onnx-output` prints the first two columns.

- **form**: the different operators that are written for op set 17, without constants: of the shortest form / of the longest, when attributes, unknown sizes or
  computed operands need others; of op set 21 where its are fewer. The texts are in `tests/onnx_emitter/forms/`.
- **11 … 21**: of the forms of the op that `tests/peers/op_forms/` generates from its declaration (attributes, element types, known and unknown sizes and ranks,
  constant and computed operands), how many ONNX Runtime computes right from the model of that op set; the rest is refused by name, or lists its reason in
  `tests/peers/known_faults.txt` and `known_refusals.txt`. Empty: the op has no such forms.
- **tested by**: `forms/` in `tests/onnx_emitter/` compares the text of what is written; ONNX Runtime computes the rows of `op_forms/` in `tests/peers/`, and for
  ops without rows the cases of `ops/` in `tests/`. Other corpora contain ops as well (docs/peers.md).

| op | ONNX output | form | 11 | 13 | 17 | 21 | tested by |
|---|---|---|---|---|---|---|---|
"""
ENDS = {"Parameter": "an input", "Result": "an output", "Const": "an initializer", "ReadValue": "an input", "Assign": "an output"}
ROW = re.compile(r"^\| (\S+) \| \S+ \| [^|]*\|((?: [^|]*\|){4}) [^|]*\|$", re.M)
CALL = re.compile(r"^  %.*?= ([A-Z]\w*)(?:\.v(\d+))?\(", re.M)


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


class Tests:
    """What the folders of tests say of ops: `operators` of each case, by op set, and the places of tests."""

    def __init__(self, ops):
        self.newest = {}
        for op in ops:
            self.newest[name_of(op)] = max(self.newest.get(name_of(op), 0), int(op.rsplit("-", 1)[1]))
        self.operators, self.forms, self.rows, self.cases = (defaultdict(list) for _ in range(4))
        for path in sorted((ROOT / "tests/onnx_emitter/forms").glob("*.txt")):
            for case in cases_of(path):
                self.read_form(path, case)
        for path in sorted((ROOT / "tests/peers/op_forms").glob("*.txt")):
            for name, version in re.findall(r"^(\w+)\.v(\d+)\(", path.read_text(encoding="utf-8"), re.M):
                add(self.rows[f"{name}-{version}"], f"op_forms/{path.stem}")
        for path in sorted((ROOT / "tests/ops").glob("*.test")):
            for case in cases_of(path):
                if re.search(r"^--- evaluate", case, re.M):
                    for op in self.ops_in(case):
                        add(self.cases[op], f"ops/{path.stem}")

    def ops_in(self, text):
        return {f"{name}-{version or self.newest.get(name, 0)}" for name, version in CALL.findall(text)}

    def read_form(self, path, case):
        graph, *sections = re.split(r"^--- onnx (\d+)\n", case, flags=re.M)
        written = {int(opset): operators_in(text) for opset, text in zip(sections[::2], sections[1::2])}
        ops = self.ops_in(graph)
        for op in ops:
            add(self.forms[op], f"forms/{path.stem}")
            # Which of several ops an operator is of is not told.
            if len(ops) == 1:
                self.operators[op].append({opset: written[max(known for known in written if known <= opset)] for opset in (USUAL, NEWEST)})

    def form(self, op):
        usual, newest = (sorted(filter(None, {case[opset] for case in self.operators[op]}), key=lambda form: (len(form), form)) for opset in (USUAL, NEWEST))
        if name_of(op) in ENDS:
            return ENDS[name_of(op)]
        if not usual:
            return f"op set {NEWEST}: {shown(newest[0])}" if newest else ""
        text = shown(usual[0], len(usual[-1]))
        if len(usual) > 1 and len(usual[-1]) <= SHOWN:
            text += f" / {shown(usual[-1])}"
        return text + (f"; op set {NEWEST}: {shown(newest[0])}" if newest and len(newest[0]) < len(usual[0]) else "")

    def places(self, op):
        return ", ".join(self.forms[op] + (self.rows[op] or self.cases[op]))


def name_of(op):
    return op.rsplit("-", 1)[0]


def cases_of(path):
    return re.split(r"^(?====)", path.read_text(encoding="utf-8"), flags=re.M)[1:]


def operators_in(text):
    """The operators of a graph in the order of their first use, without those of its inner graphs; None for a refusal."""
    return None if text.startswith("error") else tuple(dict.fromkeys(re.findall(r'^  %[^"]*= "[\w.]+::(\w+)"', text, re.M)))


def shown(operators, most=0):
    """`most`: how many the longest form has."""
    if max(len(operators), most) <= SHOWN:
        return ", ".join(operators)
    number = f"{len(operators)} to {most}" if most > len(operators) else len(operators)
    return f"{number} operators: {', '.join(operators[:SHOWN])}{' …' if len(operators) > SHOWN else ''}"


def add(places, place):
    if place not in places:
        places.append(place)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if not arguments:
        sys.exit(__doc__)
    out = subprocess.run([str(Path(arguments[0]) / "mo"), "--list-ops", "onnx-output"], check=True, capture_output=True, text=True).stdout
    listed = [line.split() for line in out.splitlines() if line.strip()]
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    numbers = {op: [cell.strip() for cell in cells.split("|")[:4]] for op, cells in ROW.findall(old)} | measured(arguments[1:])
    tests = Tests(op for op, _ in listed)
    rows = [(op, state, tests.form(op), *numbers.get(op, [""] * 4), tests.places(op)) for op, state in listed]
    page = HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)
    if "--check" not in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    elif page != old:
        print("docs/onnx_output_ops.md is out of date: run scripts/update_onnx_output_ops.py build/release/bin")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
