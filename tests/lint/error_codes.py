#!/usr/bin/env python3
"""Checks the error codes: each code in the sources is documented in docs/errors.d and used by a test; nothing else is documented; no source
decides by the code of a diagnostic (a function that several outcomes matter of says so in its result). The table of exit codes
(cli/exit_code.cpp) has a row for each code, none without a code, and docs/cli.md says the same.

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
DECISION = re.compile(r'\bcode\s*[!=]=\s*"MO-|\bcode\.starts_with\("MO-')
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
EXIT_CODES = "cli/exit_code.cpp"
EXIT_ROW = re.compile(r'Row\{"(MO-[A-Z]+-(?:[0-9]{4})?)", ExitCode::(\w+)\}')
EXIT_NUMBER = re.compile(r"^\s*(\w+) = ([0-9]+),", re.MULTILINE)
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
        if path == EXIT_CODES:
            continue  # speaks of codes that others make
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


def documented_exit_codes(root):
    """Code, or beginning that ends with '-', -> number, as the table of docs/cli.md has it: `MO-IO-0001 to 0003`, `MO-CLI-\\*`."""
    with open(os.path.join(root, "docs/cli.md"), encoding="utf-8") as file:
        section = file.read().partition("## Exit codes\n")[2].partition("\n## ")[0]
    found = {}
    for number, _, errors in re.findall(r"^\| *([0-9]+) *\|(.*?)\|(.*)\|$", section, re.MULTILINE):
        for area, first, last in re.findall(r"(MO-[A-Z]+-)(?:([0-9]{4})(?: to ([0-9]{4}))?|\\\*)", errors):
            for code in range(int(first), int(last or first) + 1) if first else [None]:
                found[area if code is None else f"{area}{code:04}"] = int(number)
    return found


def check_exit_codes(root, used):
    problems = []
    with open(os.path.join(root, EXIT_CODES), encoding="utf-8") as file:
        rows = EXIT_ROW.findall(file.read())
    with open(os.path.join(root, EXIT_CODES.replace(".cpp", ".hpp")), encoding="utf-8") as file:
        numbers = {name: int(number) for name, number in EXIT_NUMBER.findall(file.read())}
    # The programs of tools/ have exit codes of their own.
    codes = {code for code, place in used.items() if not place.startswith("tools/")}
    for row, _ in rows:
        if row not in codes and not (row.endswith("-") and any(code.startswith(row) for code in codes)):
            problems.append(f"{EXIT_CODES}: the row {row} is for no code")
    areas = {row for row, _ in rows}
    for code in sorted(codes):
        if code not in areas and code[:-4] not in areas:
            problems.append(f"{used[code]}: {code} has no row in {EXIT_CODES}")
    wanted = {row: numbers.get(name) for row, name in rows}
    have = documented_exit_codes(root)
    for row in sorted(wanted.keys() | have.keys()):
        if wanted.get(row) != have.get(row):
            problems.append(f"docs/cli.md: the exit code of {row} is {have.get(row)}, {EXIT_CODES} has {wanted.get(row)}")
    return problems


def check(root):
    problems = []
    used, rows = codes_in_sources(root), documented(root)
    for path, text in files(root, SOURCES, (".cpp", ".hpp")):
        for number, line in enumerate(text.splitlines(), 1):
            if DECISION.search(line):
                problems.append(f"{path}:{number}: decides by an error code")
    problems += check_exit_codes(root, used)
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
        "cli/exit_code.cpp": '    Row{"MO-CORE-", ExitCode::failed},\n',
        "cli/exit_code.hpp": "  failed = 1,\n  other = 2,\n",
        "docs/cli.md": "## Exit codes\n\n| 1 | failed | MO-CORE-\\* |\n\n## More\n",
    }
    two_codes = {
        "core/a.cpp": 'return error("MO-CORE-0001", "text");\nreturn error("MO-CORE-0002", "text");\n',
        "docs/errors.d/core.md": "| MO-CORE-0001 | cause | cure |\n| MO-CORE-0002 | cause | cure |\n",
        "tests/core/a_test.cpp": '"MO-CORE-0001" "MO-CORE-0002"',
    }
    two_rows = 'Row{"MO-CORE-0001", ExitCode::other}, Row{"MO-CORE-0002", ExitCode::other},'

    cases = [  # (what changes, part of the problem that must be found)
        ({}, None),
        ({"core/b.cpp": 'if (error.first().code == "MO-CORE-0001") return {};\n'}, "core/b.cpp:1: decides by an error code"),
        ({"core/b.cpp": 'return error.code.starts_with("MO-CORE-");\n'}, "decides by an error code"),
        ({"cli/exit_code.cpp": 'Row{"MO-CORE-", ExitCode::failed}, Row{"MO-EXT-", ExitCode::failed}'}, "MO-EXT- is for no code"),
        ({"cli/exit_code.cpp": 'Row{"MO-CORE-", ExitCode::failed}, Row{"MO-CORE-0007", ExitCode::failed}'}, "MO-CORE-0007 is for no code"),
        ({"cli/exit_code.cpp": "", "docs/cli.md": ""}, "MO-CORE-0001 has no row"),
        ({"cli/exit_code.cpp": 'Row{"MO-CORE-", ExitCode::other}'}, "the exit code of MO-CORE- is 1, cli/exit_code.cpp has 2"),
        ({"docs/cli.md": "## Exit codes\n\n| 1 | failed | |\n"}, "the exit code of MO-CORE- is None"),
        ({**two_codes, "cli/exit_code.cpp": two_rows, "docs/cli.md": "## Exit codes\n| 2 | x | MO-CORE-0001 to 0002 |\n"}, None),
        ({**two_codes, "cli/exit_code.cpp": two_rows, "docs/cli.md": "## Exit codes\n| 2 | x | MO-CORE-0001 |\n"}, "the exit code of MO-CORE-0002 is None"),
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
