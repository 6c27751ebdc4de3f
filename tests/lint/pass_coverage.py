#!/usr/bin/env python3
"""Every pass that `mo --print-pipeline` lists has cases in the `.test` files of four kinds:

  hit        the pass changes the graph
  near-miss  the pass leaves a graph alone that has an op which its hits take away or change, or another class version of such an op
  body       the pass changes the body of an If, a Loop or a TensorIterator
  unknown    one of these with unknown dimensions or rank of an input

No case claims a kind: the golden runner tells what each pass did to each graph (tools/test/coverage.hpp), and the kinds follow from that.
Passes that need no case of some kind are listed in tests/lint/passes_without_cases.txt, each with the reason. The list can only shrink: a
listed kind that there is a case of is a problem too.

The single transformations of the library (`mo opt --print-passes`) need the same; their exceptions are in tests/lint/library_without_cases.txt. Groups
and pipelines are tested by what they are made of.

usage: pass_coverage.py BIN           BIN: folder of mo and test_golden; exit code 1 when a case is missing
       pass_coverage.py BIN --table   prints how many cases of each kind each pass has
       pass_coverage.py --self-test   checks that each rule can fail
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
EXCEPTIONS = "tests/lint/passes_without_cases.txt"
LIBRARY_EXCEPTIONS = "tests/lint/library_without_cases.txt"
KINDS = ("hit", "near-miss", "body", "unknown")
STRUCTURE = re.compile(r"(Parameter|Result|Const)(\.v\d+)?")


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def types(ops):
    """Without the versions of their classes: a pass for Gather-1 must tell it from Gather-8."""
    return {re.sub(r"\.v\d+$", "", op) for op in ops}


def kinds_of(facts):
    """Pass -> kind -> places, from the lines that the golden runner wrote."""
    rows = collections.defaultdict(list)
    for line in facts.splitlines():
        name, outcome, place, body, unknown, ops, fewer = line.split("\t")
        split = [{op for op in field.split(",") if op != "-" and not STRUCTURE.fullmatch(op)} for field in (ops, fewer)]
        rows[name].append((outcome, place, body == "body", unknown == "unknown", *split))
    found = {}
    for name, cases in rows.items():
        hits = [case for case in cases if case[0] in ("hit", "error", "told")]
        # What the pass is about: ops that its hits take away; of a hit that only changes attributes, types or
        # order, the ops that it has.
        changed = [case for case in hits if case[0] == "hit"] or hits
        about = set().union(*(case[5] or case[4] for case in changed))
        misses = [case for case in cases if case[0] == "kept" and types(case[4]) & types(about)]
        found[name] = {
            "hit": [case[1] for case in hits],
            "near-miss": [case[1] for case in misses],
            "body": [case[1] for case in hits if case[2]],
            "unknown": [case[1] for case in hits + misses if case[3]],
        }
    return found


def read_exceptions(text, exists):
    """(pass, kind) -> reason, and the problems of the list."""
    excused, problems = {}, []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split(None, 2)
        if not words or words[0].startswith("#"):
            continue
        kinds = words[1].split(",") if len(words) > 1 else []
        if len(words) < 3 or not all(kind in KINDS or kind == "all" for kind in kinds):
            problems.append(f"{EXCEPTIONS}:{number}: want `PASS KIND[,KIND] reason`, kinds are {', '.join(KINDS)} and all")
            continue
        if "all" in kinds:
            # Tested by a program: the reason begins with the file, which must name the pass.
            path = words[2].split(":")[0]
            test = exists(path)
            if test is None or (words[0] not in test and snake(words[0]) not in test):
                problems.append(f"{EXCEPTIONS}:{number}: {path} does not test {words[0]}")
            kinds = KINDS
        for kind in kinds:
            excused[words[0], kind] = words[2]
    return excused, problems


def check(passes, facts, exceptions, exists):
    found = kinds_of(facts)
    excused, problems = read_exceptions(exceptions, exists)
    for name in passes:
        for kind in KINDS:
            places = found.get(name, {}).get(kind, [])
            if not places and (name, kind) not in excused:
                problems.append(f"{name}: no case of kind {kind}")
            if places and (name, kind) in excused:
                problems.append(f"{EXCEPTIONS}: {name} does have a case of kind {kind}: {places[0]}")
    problems += [f"{EXCEPTIONS}: there is no pass {name}" for name in sorted({name for name, _ in excused} - set(passes))]
    return problems


def pipeline(bin_dir):
    """Names of all passes, of any framework, in order."""
    names = {}
    for framework in ("onnx", "tf", "caffe"):
        text = subprocess.run([bin_dir / "mo", "--print-pipeline", "--framework", framework], check=True, capture_output=True, text=True).stdout
        names.update((line.split()[0], None) for line in text.splitlines() if line.startswith("  "))
    return list(names)


def library(bin_dir):
    """Names of the library's transformations that are no groups or pipelines."""
    rows = json.loads(subprocess.run([bin_dir / "mo", "opt", "--print-passes", "--json"], check=True, capture_output=True, text=True).stdout)
    return [row["name"] for row in rows if not row["steps"]]


def facts_of(bin_dir):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "facts")
        run = subprocess.run([bin_dir / "test_golden"], env={**os.environ, "MO_GOLDEN_COVERAGE": str(path)}, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"test_golden fails:\n{run.stdout[-2000:]}{run.stderr}")
        return path.read_text()


def file_text(path):
    file = ROOT / path
    return file.read_text() if file.is_file() else None


def self_test():
    facts = ("Fuse\thit\ta:1\t-\t-\tAdd,Clamp,Parameter\tClamp\n"
             "Fuse\thit\ta:2\tbody\t-\tAdd,Clamp,If\tClamp\n"
             "Fuse\tkept\ta:3\t-\tunknown\tClamp\t-\n")
    near = "Fuse\tkept\ta:3\t-\tunknown\tClamp\t-\n"
    cases = [  # (facts, exceptions, part of the problem that must be found)
        (facts, "", None),
        ("", "", "Fuse: no case of kind hit"),
        (facts.replace(near, ""), "", "Fuse: no case of kind near-miss"),
        (facts.replace(near, "Fuse\tkept\ta:3\t-\tunknown\tAdd,Parameter\t-\n"), "", "Fuse: no case of kind near-miss"),
        (facts.replace(near, "Fuse\tkept\ta:3\t-\tunknown\tAdd\t-\n"), "", "Fuse: no case of kind unknown"),
        # The op of the hits in another version of its class.
        (facts.replace("Clamp", "Clamp.v1").replace("unknown\tClamp.v1", "unknown\tClamp.v8"), "", None),
        (facts.replace("\tbody", "\t-"), "", "Fuse: no case of kind body"),
        (facts.replace("\tunknown", "\t-"), "", "Fuse: no case of kind unknown"),
        (facts.replace("\tunknown", "\t-"), "Fuse unknown runs before shapes\n", None),
        (facts.replace("\tunknown", "\t-"), "Fuse unknown\n", "want `PASS KIND"),
        (facts.replace("\tunknown", "\t-"), "Fuse shapes reason\n", "want `PASS KIND"),
        (facts, "Fuse unknown runs before shapes\n", "does have a case of kind unknown"),
        (facts, "Fused unknown runs before shapes\n", "there is no pass Fused"),
        ("", "Fuse all tests/fuse_test.cpp: needs options\n", None),
        ("", "Fuse all tests/other_test.cpp: needs options\n", "does not test Fuse"),
        ("", "Fuse all tests/none_test.cpp: needs options\n", "does not test Fuse"),
        # Hits that only change attributes: the ops that they have.
        (re.sub(r"Clamp\n", "-\n", facts), "", None),
        (re.sub(r"Clamp\n", "-\n", facts).replace("\tClamp\t-\n", "\tConst\t-\n"), "", "no case of kind near-miss"),
    ]
    tests = {"tests/fuse_test.cpp": "run(fuse())", "tests/other_test.cpp": "run(blend())"}
    failures = []
    for given, exceptions, wanted in cases:
        problems = check(["Fuse"], given, exceptions, tests.get)
        if (wanted is None and problems) or (wanted is not None and not any(wanted in problem for problem in problems)):
            failures.append(f"{given!r} {exceptions!r}: wanted {wanted!r}, found {problems}")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        problems = self_test()
    elif len(sys.argv) > 1:
        bin_dir = Path(sys.argv[1])
        passes, facts = pipeline(bin_dir), facts_of(bin_dir)
        if "--table" in sys.argv:
            found = kinds_of(facts)
            for name in passes:
                print(f"{name:54}", *(f"{kind} {len(found.get(name, {}).get(kind, []))}\t" for kind in KINDS))
            return 0
        singles = library(bin_dir)
        problems = check(passes, facts, file_text(EXCEPTIONS) or "", file_text)
        problems += [f"library: {problem}" for problem in check(singles, facts, file_text(LIBRARY_EXCEPTIONS) or "", file_text)]
        print(f"{len(passes)} passes, {len(singles)} transformations of the library")
    else:
        sys.exit(__doc__)
    for problem in problems:
        print(problem)
    print(f"{'self-test' if '--self-test' in sys.argv else 'pass coverage'}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
