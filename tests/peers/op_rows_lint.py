#!/usr/bin/env python3
"""Each op class has rows in op_forms/, which try each choice of its enumerations, or a line with the reason in op_forms/without.txt.

usage: op_rows_lint.py BIN [--self-test]      BIN: folder of mo_emit_irs
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
import numpy_python  # noqa: E402,F401

import emitter  # noqa: E402
import op_rows  # noqa: E402


def problems(declared, rows, without):
    by_op = {}
    for row in rows:
        by_op.setdefault(row.op, []).append(row)
    for op, declaration in declared.items():
        if op not in by_op and op not in without:
            yield f"{op} has no row in op_forms/ and no reason in without.txt"
        if op in by_op and op in without:
            yield f"{op} has rows, remove it from without.txt"
        for name, choices in declaration["attributes"].items():
            if op in by_op and choices and not any(row.numpy and name == "auto_broadcast" for row in by_op[op]):
                mentioned = [values for row in by_op[op] for attribute, values in row.attributes if attribute == name]
                varied = len(mentioned) < len(by_op[op])  # a row that does not mention it tries all
                left = set(choices) - {value.strip('"') for values in mentioned for value in values}
                if left and not varied and f"{op} {name}" not in without:
                    yield f"{op}: no row tries {name}={', '.join(sorted(left))}"
    for op in by_op.keys() - declared.keys():
        yield f"there is no op {op}"
    for entry in without:
        if entry.partition(" ")[0] not in declared:
            yield f"without.txt: there is no op {entry}"


def self_test():
    declared = {"A.v0": {"attributes": {"mode": ["x", "y"]}}, "B.v1": {"attributes": {}}}
    row = op_rows.Row("A.v0(f32[2])", 0)
    narrow = op_rows.Row('A.v0(f32[2]) {mode="x"}', 0)
    cases = [([row], {"B.v1": "why"}, ""), ([row], {}, "B.v1 has no row"), ([narrow], {"B.v1": "why"}, "no row tries mode=y"), ([row, narrow], {"B.v1": "why"}, ""),
             ([row], {"A.v0": "why", "B.v1": "why"}, "A.v0 has rows"), ([row, op_rows.Row("C.v1(f32[2])", 0)], {"B.v1": "why"}, "there is no op C.v1"),
             ([narrow], {"B.v1": "why", "A.v0 mode": "why"}, "")]
    return [f"expected '{part}', got {found}" for rows, without, part in cases
            for found in [list(problems(declared, rows, without))] if bool(found) != bool(part) or part and part not in found[0]]


def main():
    found = self_test() if sys.argv[2:] == ["--self-test"] else list(problems(emitter.declarations(sys.argv[1]), op_rows.rows(), op_rows.without_rows()))
    print("\n".join(found + [f"{len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
