#!/usr/bin/env python3
"""Counts lines of code: lines that are neither blank nor comment, of C++, Python, CMake and shell, as git knows them.

usage: count_lines.py [COMMIT]

Prints a line for each folder: product, then tests, benchmarks and fuzz targets.
COMMIT: counts that commit instead of the working tree. Data of tests is not counted.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST_FOLDERS = {"tests", "benchmarks", "fuzz"}
C_LIKE = {".cpp", ".hpp", ".h", ".c", ".inc"}
HASH_COMMENTS = {".py", ".cmake", ".sh"}
STRING = re.compile(r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def without_comments_of_cpp(text):
    """`text` without its comments; strings stay, so that a "//" inside of one is none."""
    token = re.compile(rf"(?P<string>{STRING.pattern})|//[^\n]*|/\*.*?\*/", re.S)
    return token.sub(lambda m: m[0] if m["string"] else "\n" * m[0].count("\n"), text)


def lines_of_code(path, text):
    if path.suffix in C_LIKE:
        return sum(1 for line in without_comments_of_cpp(text).splitlines() if line.strip())
    return sum(1 for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def is_code(path):
    return path.suffix in C_LIKE | HASH_COMMENTS or path.name in ("CMakeLists.txt", "Makefile")


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True).stdout.decode("utf-8", "replace")


def count(commit):
    """{folder: [files, lines]} of what git knows, in `commit` or, without one, in the working tree."""
    names = git("ls-tree", "-r", "--name-only", commit) if commit else git("ls-files")
    counts = collections.defaultdict(lambda: [0, 0])
    for name in names.splitlines():
        path = pathlib.PurePosixPath(name)
        if not is_code(path) or not commit and not (ROOT / name).is_file():
            continue
        text = git("show", f"{commit}:{name}") if commit else (ROOT / name).read_text(errors="replace")
        folder = counts[path.parts[0] if len(path.parts) > 1 else "."]
        folder[0] += 1
        folder[1] += lines_of_code(path, text)
    return counts


def print_table(counts):
    for title, folders in (("product", sorted(set(counts) - TEST_FOLDERS)), ("tests", sorted(set(counts) & TEST_FOLDERS))):
        for folder in folders:
            print(f"{folder:<20}{counts[folder][0]:>7}{counts[folder][1]:>9}")
        print(f"{title + ', all':<20}{sum(counts[f][0] for f in folders):>7}{sum(counts[f][1] for f in folders):>9}\n")


if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip())
        sys.exit(len(sys.argv) > 2)
    print_table(count(sys.argv[1] if len(sys.argv) == 2 else None))
