#!/usr/bin/env python3
"""Writes docs/op_classes.md: for each op class of the op sets whether mo infers and computes it, which engines judged its numbers, which release reads it
first, and what an older target gets instead.

usage: update_op_classes.py BIN [--check]      BIN: folder of mo and mo_emit_irs; --check: exit code 1 when the page is not what this program writes
"""
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/peers"), str(ROOT / "tests/support")]
import numpy_python  # noqa: E402,F401

import emitter  # noqa: E402
import op_rows  # noqa: E402

PAGE = ROOT / "docs/op_classes.md"
TARGETS = [("10", "2020.1"), ("10", "2021.4"), ("11", "2022.1"), ("11", "2023.3"), ("11", "2024.6"), ("11", "")]
SHOWN = 4  # ops that are written instead
ENDS = ("Parameter", "Const", "Result")
HEAD = """# Op classes

Written by `scripts/update_op_classes.py`; do not edit. Each row is an op class of the op sets 1 to 16, which mo reads.

- **op set**: the first one with this class. **since**: the first release that reads it.
- **infers**, **computes**: mo infers its types and shapes; its executor computes it, and constants of it are folded.
- **numbers**: a file of `tests/peers/op_forms/`, of whose rows so many forms are judged by the releases of OpenVINO and by ONNX Runtime
  ([Other engines as judges](peers.md)); or the reason of `without.txt`, where its numbers come from other tests.
- **2020.1 … newest**: what an IR for that release has for the first row of `op_forms/`, with f32 where the row leaves the type open and all sizes known: *same*
  is the class itself, otherwise the ops, constants left out, or the code of the refusal. Other forms may be written with other ops.

"""
COLUMNS = ["op", "op set", "since", "infers", "computes", "numbers", *(release or "newest" for _, release in TARGETS)]


def written(program, text, folder, target):
    """The ops of the IR, or the code of a refusal."""
    (folder / "graph.mo").write_text(text, encoding="utf-8")
    answer = emitter.ask(program, f"{folder / 'graph.mo'}\t{folder / 'out.xml'}\t{target[0]}\t{target[1]}")
    if answer != "ok":
        return (answer or "died").partition(":")[0], []
    layers = ElementTree.parse(folder / "out.xml").getroot().findall("layers/layer")
    return "", [(layer.get("type"), layer.get("version")) for layer in layers if layer.get("type") not in ENDS]


def cell(declared, refused, ops):
    if refused:
        return refused
    if ops == [(declared["type"], declared["opset"])]:
        return "same"
    if not ops:
        return "a constant"
    names = list(dict.fromkeys(f"{name}-{op_set.removeprefix('opset')}" for name, op_set in ops))
    return ", ".join(names[:SHOWN]) + (f" … {len(ops)} ops" if len(names) > SHOWN else "")


def main():
    if len(sys.argv) < 2 or set(sys.argv[2:]) - {"--check"}:
        sys.exit(__doc__)
    program, mo = (str(Path(sys.argv[1]) / name) for name in ("mo_emit_irs", "mo"))
    listed = subprocess.run([mo, "--list-ops", "ir"], check=True, capture_output=True, text=True).stdout
    since = {op: release for op, _, release in re.findall(r"^(\S+)  (opset\d+)  (.*)$", listed, re.M)}
    declarations = emitter.declarations(sys.argv[1])
    files = {}
    for path in sorted(op_rows.FOLDER.glob("*.txt")):
        for op in re.findall(r"^(\w+\.v\d+)\(", path.read_text(encoding="utf-8"), re.M):
            files.setdefault(op, path.stem)
    first, forms = {}, {}
    for row in op_rows.rows():
        all_forms = list(row.forms(declarations[row.op]["attributes"]))
        first.setdefault(row.op, all_forms[0])
        forms[row.op] = forms.get(row.op, 0) + len(all_forms)
    lines, reasons = [], op_rows.without_rows()
    with tempfile.TemporaryDirectory() as folder:
        for op, declared in sorted(declarations.items()):
            name = op.replace(".v", "-")
            if name not in since:
                continue
            cells = [cell(declared, *written(program, first[op].text, Path(folder), target)) if op in first else "" for target in TARGETS]
            facts = [name, declared["opset"].removeprefix("opset"), since[name], *("yes" if declared[fact] else "no" for fact in ("infers", "evaluates"))]
            numbers = f"{files[op]}: {forms[op]}" if op in forms else reasons.get(op, "")
            lines.append(f"| {' | '.join([*facts, numbers, *cells])} |\n")
    page = HEAD + f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n" + "".join(lines)
    if "--check" not in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or page != PAGE.read_text(encoding="utf-8"):
        print("docs/op_classes.md is out of date: run scripts/update_op_classes.py build/release/bin")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
