#!/usr/bin/env python3
"""Checks the error codes: each code in the sources is documented in docs/errors.d and used by a test; nothing else is documented.

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
SOURCES = ("core", "ops", "frontends", "phases", "extensions", "ir_emitter", "plugins", "driver", "cli", "tools")
CODE = re.compile(r"\bMO-[A-Z]+-[0-9]{4}\b")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
ROW = re.compile(r"^\|\s*`?(MO-[A-Z]+-[0-9]{4})`?\s*\|(.*)\|(.*)\|\s*$")


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
    for path, text in files(root, SOURCES, (".cpp", ".hpp")):
        for literal in STRING.findall(text):
            for code in CODE.findall(literal):
                found.setdefault(code, path)
    return found


def documented(root):
    """Code -> its rows as (file, cause, cure)."""
    rows = {}
    for path, text in files(root, ("docs/errors.d",), (".md",)):
        for line in text.splitlines():
            match = ROW.match(line)
            if match:
                rows.setdefault(match[1], []).append((path, match[2].strip(), match[3].strip()))
    return rows


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


def check(root):
    problems = []
    used, rows = codes_in_sources(root), documented(root)
    tested = set()
    for path, text in files(root, ("tests",), (".cpp", ".hpp", ".test", ".py", ".sh", ".txt", ".json")):
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
        if any(not cause or not cure for _, cause, cure in entries):
            problems.append(f"{entries[0][0]}: {code} needs a cause and a cure")
    for code in sorted(excused):
        if code in tested:
            problems.append(f"tests/lint/codes_without_test.txt: {code} does have a test")
        elif code not in used:
            problems.append(f"tests/lint/codes_without_test.txt: {code} is not used any more")
    return problems


def self_test():
    good = {
        "core/a.cpp": 'return error("MO-CORE-0001", "text");  // as MO-CORE-0009\n',
        "docs/errors.d/core.md": "| MO-CORE-0001 | cause | cure |\n",
        "tests/core/a_test.cpp": 'EXPECT_EQ(code, "MO-CORE-0001");\n',
    }
    cases = [  # (what changes, part of the problem that must be found)
        ({}, None),
        ({"docs/errors.d/core.md": ""}, "not documented"),
        ({"tests/core/a_test.cpp": ""}, "no test uses"),
        ({"tests/core/a_test.cpp": "", "tests/lint/codes_without_test.txt": "MO-CORE-0001 needs a broken disk\n"}, None),
        ({"tests/core/a_test.cpp": "", "tests/lint/codes_without_test.txt": "MO-CORE-0001\n"}, "want `CODE reason`"),
        ({"tests/lint/codes_without_test.txt": "MO-CORE-0001 reason\n"}, "does have a test"),
        ({"tests/lint/codes_without_test.txt": "MO-CORE-0077 reason\n"}, "not used any more"),
        ({"docs/errors.d/more.md": "| MO-CORE-0001 | other cause | cure |\n"}, "documented 2 times"),
        ({"docs/errors.d/more.md": "| MO-CORE-0002 | cause | cure |\n"}, "documented but not used"),
        ({"docs/errors.d/core.md": "| MO-CORE-0001 | | cure |\n"}, "needs a cause and a cure"),
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
