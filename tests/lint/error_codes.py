#!/usr/bin/env python3
"""Checks the error codes: each code in the sources is documented in docs/errors.d and used by a test; nothing else is documented; no source
decides by the code of a diagnostic (a function that several outcomes matter of says so in its result). Each area of codes declares its exit code
in docs/errors.d/areas.md, a code only one that differs from it, and these are numbers of core/diagnostics/exit_code.hpp and docs/cli.md.

usage: error_codes.py [ROOT]        checks the repository at ROOT (default: this one); exit code 1 when something is missing
       error_codes.py --self-test   checks that each rule can fail

Codes that no test can reach (a disk that fails, no memory) are listed in tests/lint/codes_without_test.txt, each with the reason. The list
can only shrink: a listed code that a test does use is a problem too.
"""
import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = ("core", "ops", "frontends", "phases", "transformations", "extensions", "graph_transforms", "ir_emitter", "onnx_emitter", "plugins", "driver", "cli", "tools", "api")
CODE = re.compile(r"\bMO-[A-Z]+-[0-9]{4}\b")
DECISION = re.compile(r'\bcode\s*[!=]=\s*"MO-|\bcode\.starts_with\("MO-')
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
EXIT_CODES = "core/diagnostics/exit_code.hpp"
EXIT_NUMBER = re.compile(r"^\s*\w+ = ([0-9]+),", re.MULTILINE)
ROW = re.compile(r"^\|\s*`?(MO-[A-Z]+-[0-9]{4})`?(?: \(exit ([0-9])\))?\s*\|(.*)\|(.*)\|\s*$")
AREA = re.compile(r"^\| (MO-[A-Z]+) \| ([0-9]) \| (.+) \|$")


def files(root, folders, endings):
    for folder in folders:
        for place, _, names in sorted(os.walk(os.path.join(root, folder))):
            for name in sorted(names):
                if name.endswith(endings):
                    path = os.path.join(place, name)
                    with open(path, encoding="utf-8", errors="replace") as file:
                        yield os.path.relpath(path, root), file.read()


def codes_in_sources(root):
    """Code -> first place. Only string literals count: a comment may name a code of another file."""
    found = {}
    for path, text in files(root, SOURCES, (".cpp", ".hpp", ".py")):
        for literal in STRING.findall(text):
            for code in CODE.findall(literal):
                found.setdefault(code, path)
    return found


def documented(root):
    """Code -> its rows as (file, exit code or None, cause, fix); area -> its exit codes."""
    rows, areas = {}, {}
    for path, text in files(root, ("docs/errors.d",), (".md",)):
        for line in text.splitlines():
            if match := ROW.match(line):
                rows.setdefault(match[1], []).append((path, match[2], match[3].strip(), match[4].strip()))
            elif match := AREA.match(line):
                areas.setdefault(match[1], []).append(match[2])
    return rows, areas


def exceptions(root, problems):
    listed = set()
    path = os.path.join(root, "tests/lint/codes_without_test.txt")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                words = line.split(None, 1)
                if not words or words[0].startswith("#"):
                    continue
                if not CODE.fullmatch(words[0]) or len(words) < 2:
                    problems.append(f"tests/lint/codes_without_test.txt:{number}: want `CODE reason`")
                listed.add(words[0])
    return listed


def check_exit_codes(root, rows, areas):
    problems = []
    with open(os.path.join(root, EXIT_CODES), encoding="utf-8") as file:
        numbers = set(EXIT_NUMBER.findall(file.read()))
    with open(os.path.join(root, "docs/cli.md"), encoding="utf-8") as file:
        section = file.read().partition("## Exit codes\n")[2].partition("\n## ")[0]
    told = set(re.findall(r"^\| *([0-9]+) *\|", section, re.MULTILINE))
    if numbers != told:
        problems.append(f"docs/cli.md: explains the exit codes {sorted(told)}, {EXIT_CODES} has {sorted(numbers)}")
    for area, declared in sorted(areas.items()):
        if len(declared) > 1:
            problems.append(f"docs/errors.d: the area {area} is declared {len(declared)} times")
        if declared[0] not in numbers:
            problems.append(f"docs/errors.d: the area {area} has the exit code {declared[0]}, which does not exist")
        if not any(code.rpartition("-")[0] == area for code in rows):
            problems.append(f"docs/errors.d: the area {area} has no code")
    for code, entries in sorted(rows.items()):
        path, own = entries[0][:2]
        of_area = areas.get(code.rpartition("-")[0])
        if not of_area:
            problems.append(f"{path}: the area of {code} declares no exit code in docs/errors.d")
        elif own in of_area:
            problems.append(f"{path}: {code} has the exit code {own} from its area already")
        if own and own not in numbers:
            problems.append(f"{path}: {code} has the exit code {own}, which does not exist")
    return problems


def check(root):
    problems = []
    used = codes_in_sources(root)
    rows, areas = documented(root)
    for path, text in files(root, SOURCES, (".cpp", ".hpp")):
        for number, line in enumerate(text.splitlines(), 1):
            if DECISION.search(line) and not path.startswith("tools/test/"):  # its cases name codes
                problems.append(f"{path}:{number}: decides by an error code")
    problems += check_exit_codes(root, rows, areas)
    tested = set()
    for path, text in files(root, ("tests",), (".c", ".cpp", ".hpp", ".test", ".py", ".sh", ".txt", ".json")):
        if not path.startswith(os.path.join("tests", "lint") + os.sep):
            tested.update(CODE.findall(text))
    excused = exceptions(root, problems)
    for code, place in sorted(used.items()):
        if code not in rows:
            problems.append(f"{place}: {code} is not documented in docs/errors.d")
        if code not in tested and code not in excused:
            problems.append(f"{place}: no test uses {code}")
    for code, entries in sorted(rows.items()):
        if len(entries) > 1:
            problems.append(f"{code} is documented {len(entries)} times: {', '.join(entry[0] for entry in entries)}")
        if code not in used:
            problems.append(f"{entries[0][0]}: {code} is documented but not used")
        if any(not cause or not fix for _, _, cause, fix in entries):
            problems.append(f"{entries[0][0]}: {code} needs a cause and a fix")
    for code in sorted(excused):
        if code in tested:
            problems.append(f"tests/lint/codes_without_test.txt: {code} does have a test")
        elif code not in used:
            problems.append(f"tests/lint/codes_without_test.txt: {code} is not used any more")
    return problems


def self_test():
    good = {
        "core/a.cpp": 'return error("MO-CORE-0001", "text");  // as MO-CORE-0009\n',
        "docs/errors.d/core.md": "| MO-CORE-0001 | cause | fix |\n",
        "tests/core/a_test.cpp": 'EXPECT_EQ(code, "MO-CORE-0001");\n',
        "core/diagnostics/exit_code.hpp": "  failed = 1,\n  other = 2,\n",
        "docs/errors.d/areas.md": "| MO-CORE | 1 | core |\n",
        "docs/cli.md": "## Exit codes\n\n| 1 | failed |\n| 2 | other |\n\n## More\n",
    }
    cases = [  # (what changes, part of the problem that must be found)
        ({}, None),
        ({"core/b.cpp": 'if (error.first().code == "MO-CORE-0001") return {};\n'}, "core/b.cpp:1: decides by an error code"),
        ({"core/b.cpp": 'return error.code.starts_with("MO-CORE-");\n'}, "decides by an error code"),
        ({"docs/errors.d/core.md": "| MO-CORE-0001 (exit 2) | cause | fix |\n"}, None),
        ({"docs/errors.d/core.md": "| MO-CORE-0001 (exit 1) | cause | fix |\n"}, "has the exit code 1 from its area already"),
        ({"docs/errors.d/core.md": "| MO-CORE-0001 (exit 5) | cause | fix |\n"}, "MO-CORE-0001 has the exit code 5, which does not exist"),
        ({"docs/errors.d/areas.md": ""}, "the area of MO-CORE-0001 declares no exit code"),
        ({"docs/errors.d/areas.md": "| MO-CORE | 7 | core |\n"}, "the area MO-CORE has the exit code 7, which does not exist"),
        ({"docs/errors.d/areas.md": "| MO-CORE | 1 | core |\n| MO-CORE | 1 | core |\n"}, "the area MO-CORE is declared 2 times"),
        ({"docs/errors.d/areas.md": "| MO-CORE | 1 | core |\n| MO-EXT | 1 | more |\n"}, "the area MO-EXT has no code"),
        ({"docs/cli.md": "## Exit codes\n\n| 1 | failed |\n"}, "explains the exit codes ['1']"),
        ({"docs/errors.d/core.md": ""}, "not documented"),
        ({"tests/core/a_test.cpp": ""}, "no test uses"),
        ({"tests/core/a_test.cpp": "", "tests/lint/codes_without_test.txt": "MO-CORE-0001 needs a broken disk\n"}, None),
        ({"tests/core/a_test.cpp": "", "tests/lint/codes_without_test.txt": "MO-CORE-0001\n"}, "want `CODE reason`"),
        ({"tests/lint/codes_without_test.txt": "MO-CORE-0001 reason\n"}, "does have a test"),
        ({"tests/lint/codes_without_test.txt": "MO-CORE-0077 reason\n"}, "not used any more"),
        ({"docs/errors.d/more.md": "| MO-CORE-0001 | other cause | fix |\n"}, "documented 2 times"),
        ({"docs/errors.d/more.md": "| MO-CORE-0002 | cause | fix |\n"}, "documented but not used"),
        ({"docs/errors.d/core.md": "| MO-CORE-0001 | | fix |\n"}, "needs a cause and a fix"),
    ]
    failures = []
    for change, wanted in cases:
        with tempfile.TemporaryDirectory() as root:
            for path, text in {**good, **change}.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            found = check(root)
        if (wanted is None and found) or (wanted is not None and not any(wanted in problem for problem in found)):
            failures.append(f"{change}: wanted {wanted!r}, found {found}")
    return failures


def main():
    testing = sys.argv[1:] == ["--self-test"]
    problems = self_test() if testing else check(sys.argv[1] if len(sys.argv) > 1 else ROOT)
    for problem in problems:
        print(problem)
    print(f"{'self-test' if testing else 'error codes'}: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
