#!/usr/bin/env python3
"""Writes cli/function_order.txt: the functions that conversions of small models call, by their names for the linker, which puts them side by side. A start of mo
then touches fewer pages. A list that is out of date costs time, nothing else: names that are gone are skipped. Needs valgrind.

usage: update_function_order.py BIN      BIN: folder of mo and mo_generate
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "cli/function_order.txt"
HEAD = "# Written by scripts/update_function_order.py: functions that conversions of small models call.\n"


def functions_called(program, arguments, folder):
    """Names of the functions of the program itself, in the order of the profile."""
    profile = Path(folder) / "profile"
    subprocess.run(["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}", str(program), *arguments], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    names, of_objects, called, object_of_line = {}, {}, {}, None
    for line in profile.read_text(encoding="utf-8", errors="replace").splitlines():
        found = re.match(r"(ob|fn|cob|cfn)=\((\d+)\)(?: (.*))?$", line)
        if not found:
            continue
        kind, number, name = found.groups()
        table = of_objects if kind.endswith("ob") else names
        if name:
            table[number] = name
        if kind == "ob":
            object_of_line = of_objects[number]
        elif kind == "fn" and object_of_line == str(program):
            called[re.sub(r"'\d+$", "", names[number])] = None
    return called


def main():
    folder_of_programs = Path(sys.argv[1]).resolve()
    mo, generate = (folder_of_programs / name for name in ("mo", "mo_generate"))
    called = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, name, more in (("tiny", "tiny.onnx", []), ("chain", "chain.onnx", ["--nodes", "20"]), ("tf_chain", "chain.pb", ["--nodes", "20"])):
            subprocess.run([generate, kind, name, *more], cwd=folder, check=True)
            called |= functions_called(mo, ["--input_model", name, "--output_dir", "out", "--silent"], folder)
        for arguments in (["run", "chain.onnx", "--input", "random", "--output_dir", "out"], ["run", "out/chain.xml", "--input", "random", "--output_dir", "out"], ["--version"]):
            called |= functions_called(mo, arguments, folder)
    TARGET.write_text(HEAD + "".join(name + "\n" for name in called if re.fullmatch(r"[\w.$]+", name)), encoding="utf-8")
    print(f"{len(called)} functions")


if __name__ == "__main__":
    main()
