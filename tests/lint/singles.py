#!/usr/bin/env python3
"""Every .cpp file compiles by itself, not only within its unity batch: each file includes what it uses.

usage: singles.py BUILD [--all] [--batches] [--base REF] [--seconds N] [--compiler CXX] [-j N]     BUILD: a configured and built folder
       singles.py --self-test

Files that differ from REF (default: the commit before this one; the working tree counts) are checked first, then a tenth of all files, which
another commit chooses anew, as far as N seconds go. --all: every file. --batches: the batches as the build has them, which is faster when the
question is whether another compiler (--compiler clang++) takes the code. Flags are those of BUILD/compile_commands.json; nothing is written.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"]+\.cpp)"', re.M)
# Warnings that only g++ knows, and what a syntax check does not need.
ONLY_GCC = {"-Wno-restrict", "-Wno-maybe-uninitialized"}
TENTH = 10


def syntax_only(command, compiler):
    """The arguments of a compile command without its source and its output."""
    words = shlex.split(command)
    kept = [compiler or words[0]]
    skip = False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in ("-o", "-c", "-MF", "-MT", "-MQ"):
            skip = True
        elif not (word in ("-MD", "-MMD") or (word in ONLY_GCC and "clang" in kept[0])):
            kept.append(word)
    return kept + ["-fsyntax-only"]


def read_units(build, compiler, batches):
    """{source: (folder to compile in, arguments)} of the files of this repository, or of the batches."""
    units = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = Path(entry["directory"], entry["file"])
        arguments = syntax_only(entry["command"], compiler)
        inside = INCLUDED.findall(file.read_text()) if "Unity" in file.parts and not batches else []
        for source in inside or [file]:
            units.setdefault(str(Path(source)), (entry["directory"], arguments))
    return units


def git(*arguments):
    made = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    return made.stdout if made.returncode == 0 else ""


def changed_files(base):
    names = git("diff", "--name-only", base, "--", "*.cpp") + git("ls-files", "--others", "--exclude-standard", "--", "*.cpp")
    return [str(ROOT / name) for name in names.splitlines()]


def in_order(files, commit):
    """Files in an order that only the commit and their names decide."""
    return sorted(files, key=lambda file: hashlib.sha256(f"{commit} {os.path.relpath(file, ROOT)}".encode()).digest())


def check(unit):
    file, (folder, arguments) = unit
    made = subprocess.run([*arguments, file], cwd=folder, capture_output=True, text=True, check=False)
    return file, made.returncode == 0, made.stderr


def check_all(units, jobs, seconds):
    """(failures, number checked); after `seconds` no further file is begun."""
    started = time.monotonic()
    failures, checked = [], 0
    left = iter(units)

    def work():
        nonlocal checked
        for unit in left_until():
            file, fine, said = check(unit)
            checked += 1
            if not fine:
                failures.append(file)
                print(f"{os.path.relpath(file, ROOT)} does not compile by itself:\n{said}", flush=True)

    def left_until():
        while seconds is None or time.monotonic() - started < seconds:
            try:
                yield next(left)
            except StopIteration:
                return

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done in [pool.submit(work) for _ in range(jobs)]:
            done.result()
    return failures, checked


def self_test():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "Unity").mkdir()
        (folder / "good.cpp").write_text("#include <vector>\nint size(const std::vector<int>& v) { return int(v.size()); }\n")
        (folder / "bad.cpp").write_text("std::vector<int> made() { return {}; }\n")
        batch = folder / "Unity" / "unity_0_cxx.cxx"
        batch.write_text("".join(f'#include "{folder / file}"\n' for file in ("good.cpp", "bad.cpp")))
        entry = {"directory": name, "file": str(batch), "command": f"c++ -std=c++20 -Wno-restrict -o x.o -c {batch}"}
        (folder / "compile_commands.json").write_text(json.dumps([entry]))
        batches = read_units(folder, None, batches=True)
        assert list(batches) == [str(batch)], batches
        assert check_all(batches.items(), 1, None) == ([], 1), "the batch compiles"
        units = read_units(folder, None, batches=False)
        assert list(units) == [str(folder / "good.cpp"), str(folder / "bad.cpp")], units
        assert check_all(list(units.items()), 2, None) == ([str(folder / "bad.cpp")], 2), "one file needs the other"
        assert check_all(list(units.items()), 2, 0) == ([], 0), "no time, no file"
        assert "-Wno-restrict" in units[str(folder / "bad.cpp")][1]
        assert "-Wno-restrict" not in syntax_only(entry["command"], "clang++")
    files = [str(ROOT / f"file{i}.cpp") for i in range(100)]
    assert in_order(files, "a") == in_order(files[::-1], "a") != in_order(files, "b"), "the commit chooses, nothing else"
    print("each check can fail")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--batches", action="store_true")
    parser.add_argument("--base", default="HEAD~1")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--compiler")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    how = parser.parse_args()

    units = read_units(how.build.resolve(), how.compiler, how.batches)
    wanted = list(units)
    if not (how.all or how.batches):
        commit = git("rev-parse", "HEAD").strip()
        own = [file for file in in_order(units, commit) if Path(file).is_relative_to(ROOT) and not Path(file).is_relative_to(how.build.resolve())]
        changed = [file for file in changed_files(how.base) if file in units]
        wanted = list(dict.fromkeys(changed + own[: len(own) // TENTH]))
        print(f"{len(changed)} files differ from {how.base}, {len(wanted) - len(changed)} more are a sample of {len(own)}")
    failures, checked = check_all([(file, units[file]) for file in wanted], how.jobs, how.seconds)
    print(f"{checked} of {len(wanted)} checked{'' if checked == len(wanted) else ' (time is up)'}, {len(failures)} do not compile")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
