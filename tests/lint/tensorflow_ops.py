#!/usr/bin/env python3
"""Every TensorFlow op that mo lists has a case in tests/frontends/tensorflow: from protobuf text to the graph after the front phase (`--- front`),
and to numbers (`--- evaluate`) unless it is named here with the reason why it cannot be.

usage: tensorflow_ops.py BIN        BIN: folder of mo
       tensorflow_ops.py --self-test
"""
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "frontends" / "tensorflow"

# No defined numbers: randomness, or no result that can be looked at alone.
WITHOUT_NUMBERS = {line.split()[0] for line in (Path(__file__).parent / "tensorflow_ops_without_numbers.txt").read_text().splitlines()
                   if line.strip() and not line.startswith("#")}


def cases(text):
    """(ops, kinds of sections) of the cases of a file that begin with protobuf text."""
    for case in re.split(r"^===.*$", text, flags=re.M)[1:]:
        sections = re.split(r"^--- *(\w*).*$", case, flags=re.M)
        kinds = sections[1::2]
        if "pbtxt" not in kinds:
            continue
        source = sections[2::2][kinds.index("pbtxt")]
        yield set(re.findall(r"""\bop: *["']([^"']+)["']""", source)), set(kinds)


def covered(files):
    front, numbers = set(), set()
    for text in files:
        for ops, kinds in cases(text):
            if "front" in kinds:
                front |= ops
            if "evaluate" in kinds or "value" in kinds:
                numbers |= ops
    return front, numbers


def self_test():
    front, numbers = covered(['=== a\n--- pbtxt\nnode { op: "Relu" }\n--- front\ngraph\n--- evaluate\nx\n=== b\n--- pbtxt\nnode { op: \'Abs\' }\n--- front\ny\n'
                              '=== c\n--- pbtxt\nnode { op: "Neg" }\n--- error X\n'])
    assert front == {"Relu", "Abs"} and numbers == {"Relu"}, (front, numbers)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    listed = subprocess.run([str(Path(sys.argv[1]) / "mo"), "--list-ops", "tf"], check=True, capture_output=True, text=True).stdout.split()
    front, numbers = covered(path.read_text() for path in sorted(TESTS.glob("*.test")))
    missing_front = sorted(set(listed) - front)
    missing_numbers = sorted(set(listed) - numbers - WITHOUT_NUMBERS)
    needless = sorted(WITHOUT_NUMBERS & numbers)
    print(f"{len(listed)} ops, {len(set(listed) & front)} with a front case, {len(set(listed) & numbers)} with numbers")
    for what, names in (("no case with --- front", missing_front), ("no case with --- evaluate", missing_numbers),
                        ("has numbers now: remove it from tensorflow_ops_without_numbers.txt", needless)):
        for name in names:
            print(f"{name}: {what}")
    return 1 if missing_front or missing_numbers or needless else 0


if __name__ == "__main__":
    sys.exit(main())
