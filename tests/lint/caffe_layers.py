#!/usr/bin/env python3
"""Every Caffe layer type that mo lists has a case in tests/frontends/caffe: from the prototxt to the graph after the front phase (`--- front`), and to
numbers (`--- evaluate`), unless it is named here with the reason why it cannot be; and a row in the table of docs/caffe.md that names these files and
says whether OpenCV was asked as well.

usage: caffe_layers.py BIN        BIN: folder of mo
       caffe_layers.py BIN --write      writes the table of docs/caffe.md
       caffe_layers.py --self-test
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests" / "frontends" / "caffe"
COMPARISONS = ROOT / "tests" / "e2e" / "opencv" / "caffe_layers_test.cpp"
PAGE = ROOT / "docs" / "caffe.md"
BEGIN, END = "<!-- layer types: written by tests/lint/caffe_layers.py -->", "<!-- end of layer types -->"

# Type: the reason why no case gives its numbers.
WITHOUT_NUMBERS = {}

QUOTED = r"""["']([^"']+)["']"""


def types_in(prototxt):
    """Layer types of a prototxt; a layer that is a class of Python also under that class, as `mo --list-ops` names it."""
    types = set(re.findall(r"\btype: *" + QUOTED, prototxt))
    for module, name in re.findall(r"python_param *{ *module: *" + QUOTED + " *layer: *" + QUOTED, prototxt):
        types.add(f"Python.{module}.{name}")
    return types


def cases(text):
    """(types, kinds of sections) of the cases of a file that begin with a prototxt."""
    for case in re.split(r"^===.*$", text, flags=re.M)[1:]:
        sections = re.split(r"^--- *(\w*).*$", case, flags=re.M)
        kinds = sections[1::2]
        if "prototxt" in kinds:
            filled = {kind for kind, body in zip(kinds, sections[2::2]) if body.strip()}
            yield types_in(sections[2::2][kinds.index("prototxt")]), filled


def covered(files):
    """For cases with a graph and for those with numbers: {type: {name of a file: number of cases that are about the type alone}}."""
    front, numbers = {}, {}
    for name, text in files:
        for types, kinds in cases(text):
            for kind, found in (("front", front), ("evaluate", numbers)):
                for layer_type in types if kind in kinds else ():
                    counts = found.setdefault(layer_type, {})
                    counts[name] = counts.get(name, 0) + (types <= {layer_type, "Input"})
    return front, numbers


def compared(source):
    """Types that the comparison with OpenCV has: those that it writes into a prototxt as layer "y", and lists of types in `for`."""
    types = set(re.findall(r"\blayer\(\s*\"(\w+)\"", source)) | set(re.findall(r"name: \\\"y\\\" type: \\\"(\w+)\\\"", source))
    for names in re.findall(r"for \(const char\* type :\s*{([^}]*)}\)", source):
        types |= set(re.findall(r'"(\w+)"', names))
    return types


def table(listed, front, numbers, opencv):
    """Of several files the one with the most cases that are about the type alone."""
    def own(counts):
        return max(sorted(counts), key=counts.get) if counts else "–"

    text = "| layer type | graph | numbers |\n|---|---|---|\n"
    for layer_type in listed:
        by = "OpenCV, hand" if layer_type in opencv else "hand" if layer_type in numbers else WITHOUT_NUMBERS.get(layer_type, "–")
        text += f"| {layer_type} | {own(front.get(layer_type))} | {by} |\n"
    return text


def self_test():
    front, numbers = covered([("a.test", '=== a\n--- prototxt\nlayer { type: "ReLU" }\n--- front\ngraph\n--- evaluate\nx\n'
                                         "=== b\n--- prototxt\nlayer { type: 'Python' python_param { module: 'm.n' layer: 'L' } }\n--- front\ny\n"
                                         '=== c\n--- prototxt\nlayer { type: "Neg" }\n--- error X\n=== d\n--- prototxt\nlayer { type: "Empty" }\n--- front\n')])
    assert front == {"ReLU": {"a.test": 1}, "Python": {"a.test": 0}, "Python.m.n.L": {"a.test": 0}} and numbers == {"ReLU": {"a.test": 1}}, (front, numbers)
    found = compared('layer("Log"), layer(\n "Exp", "name: \\"y\\" type: \\"Slice\\" "); for (const char* type : {"A", "B"})')
    assert found == {"Log", "Exp", "Slice", "A", "B"}, found
    assert table(["ReLU", "X"], front, numbers, {"ReLU"}).splitlines()[2:] == ["| ReLU | a.test | OpenCV, hand |", "| X | – | – |"]


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    listed = subprocess.run([str(Path(sys.argv[1]) / "mo"), "--list-ops", "caffe"], check=True, capture_output=True, text=True).stdout.split()
    front, numbers = covered((path.name, path.read_text()) for path in sorted(TESTS.glob("*.test")))
    opencv = compared(COMPARISONS.read_text())
    rows = table(listed, front, numbers, opencv)
    page = PAGE.read_text()
    before, found, rest = page.partition(BEGIN)
    _, closed, behind = rest.partition(END)
    if not found or not closed:
        print(f"{PAGE.name} has no place for the table: {BEGIN} … {END}")
        return 1
    wanted = f"{before}{BEGIN}\n\n{rows}\n{END}{behind}"
    if "--write" in sys.argv:
        PAGE.write_text(wanted)
        page = wanted
    problems = [f"{t}: no case with --- front" for t in listed if t not in front]
    problems += [f"{t}: no case with --- evaluate" for t in listed if t not in numbers and t not in WITHOUT_NUMBERS]
    problems += [f"{t}: has numbers now: remove it from WITHOUT_NUMBERS" for t in WITHOUT_NUMBERS if t in numbers]
    if page != wanted:
        problems.append("the table of docs/caffe.md is out of date: run tests/lint/caffe_layers.py build/release/bin --write")
    print(f"{len(listed)} layer types, {sum(t in front for t in listed)} with a front case, {sum(t in numbers for t in listed)} with numbers, "
          f"{sum(t in opencv for t in listed)} compared with OpenCV")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
