#!/usr/bin/env python3
"""Holds what small conversions cost: the instructions of whole processes, counted by valgrind, stay within 3 % of those of counts.txt.

usage: instruction_counts.py BUILD            compares; exit code 1 when a figure is off, 77 when there is nothing to compare with
       instruction_counts.py BUILD --record   writes the figures of this machine into counts.txt (make record_counts)
       instruction_counts.py BUILD --repeat N counts N times and prints how far the counts are apart
       instruction_counts.py --self-test      checks that the comparison can fail

Figures belong to a compiler, a C library, a release of valgrind and a kind of build. Where counts.txt has none for those of this machine, the test is skipped.
What else could change them is kept the same: the environment, the locale, the processor's features that the C library looks for, one processor (no second
thread), relative paths. A change that is meant, for better or for worse, is recorded, so that the next one is seen.
"""
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

COUNTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counts.txt")
PERCENT = 3
NOTHING_TO_COMPARE = 77

# name, arguments of mo_generate for model.onnx (or None), arguments of mo
CASES = (
    ("version", None, ["--version"]),
    ("tiny", ["tiny"], ["--input_model", "model.onnx", "--output_dir", "ir", "--silent"]),
    ("chain_10k", ["chain", "--nodes", "10000"], ["--input_model", "model.onnx", "--output_dir", "ir", "--silent"]),
)

# The C library chooses functions and sizes of blocks by processor: it is shown one without any feature.
FEATURES = ("AVX", "AVX2", "AVX512F", "AVX512VL", "AVX512BW", "AVX_Fast_Unaligned_Load", "BMI1", "BMI2", "ERMS", "FSRM", "LZCNT", "MOVBE", "POPCNT", "RTM", "SSE4_1",
            "SSE4_2", "SSSE3", "XSAVE", "XSAVEC")
TUNABLES = ["glibc.cpu.hwcaps=" + ",".join("-" + feature for feature in FEATURES), "glibc.cpu.x86_data_cache_size=32768",
            "glibc.cpu.x86_shared_cache_size=1048576", "glibc.cpu.x86_non_temporal_threshold=786432", "glibc.cpu.x86_rep_movsb_threshold=2048"]
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/", "GLIBC_TUNABLES": ":".join(TUNABLES)}


def setting(build, name):
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        found = re.search(rf"^{name}:\w+=(.*)$", cache.read(), re.MULTILINE)
    return found.group(1) if found else ""


def machine(build):
    """What the figures belong to, as one line."""
    versions = os.path.join(build, "CMakeFiles")
    compiler = ""
    for folder in sorted(os.listdir(versions)):
        path = os.path.join(versions, folder, "CMakeCXXCompiler.cmake")
        if os.path.exists(path):
            with open(path) as file:
                text = file.read()
            compiler = " ".join(re.search(rf'set\(CMAKE_CXX_COMPILER_{what} "([^"]*)"', text).group(1) for what in ("ID", "VERSION"))
    kind = setting(build, "CMAKE_BUILD_TYPE") or "None"
    for name, value in (("MO_SANITIZE", "sanitized"), ("MO_FUZZ", "fuzzing"), ("MO_SELECTIVE", "selective")):
        if setting(build, name) not in ("", "OFF"):
            kind += " " + value
    if setting(build, "MO_LINK_IN") != "ON":
        kind += " shared"
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{compiler}, {os.confstr('CS_GNU_LIBC_VERSION')}, {valgrind}, {platform.machine()}, {kind}"


def read_counts(path):
    sections, current = {}, None
    with open(path) as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            if line.startswith(" "):
                name, count = line.split()
                current[name] = int(count)
            else:
                current = sections.setdefault(line.strip(), {})
    return sections


def write_counts(path, sections):
    with open(path) as file:
        head = [line for line in file if line.startswith("#")]
    with open(path, "w") as file:
        file.writelines(head)
        for title in sorted(sections):
            file.write(f"\n{title}\n")
            file.writelines(f"  {name:<12}{count:>14}\n" for name, count in sections[title].items())


def instructions(build, case):
    _, generate, arguments = case
    binaries = os.path.abspath(os.path.join(build, "bin"))
    folder = tempfile.mkdtemp(prefix="mo_counts_")
    try:
        if generate:
            subprocess.run([os.path.join(binaries, "mo_generate"), generate[0], "model.onnx", *generate[1:]], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            os.mkdir(os.path.join(folder, "ir"))
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", os.path.join(binaries, "mo"), *arguments], cwd=folder,
                              env=ENVIRONMENT, capture_output=True, text=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not counted:
        sys.exit(f"mo {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return int(counted.group(1))


def compare(recorded, counted):
    """Lines to print, and whether all is well."""
    lines, good = [], True
    for name, count in counted.items():
        known = recorded.get(name)
        if known is None:
            lines.append(f"{name}: {count} instructions, none are recorded")
            good = False
            continue
        change = count / known - 1
        fits = 100 * abs(count - known) <= PERCENT * known
        good = good and fits
        lines.append(f"{name}: {count} instructions, recorded {known}, {change:+.2%}{'' if fits else '  MORE THAN 3 % AWAY'}")
    return lines, good


def self_test():
    recorded = {"a": 1000, "b": 1000}
    assert compare(recorded, {"a": 1030, "b": 970})[1]
    assert not compare(recorded, {"a": 1031})[1]
    assert not compare(recorded, {"b": 969})[1]
    assert not compare(recorded, {"c": 1})[1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "counts.txt")
        with open(path, "w") as file:
            file.write("# head\n")
        sections = {"one, 1": recorded, "another": {"c": 7}}
        write_counts(path, sections)
        write_counts(path, read_counts(path))
        assert read_counts(path) == sections
    assert read_counts(COUNTS), "counts.txt has no figures"
    print("comparison and file: ok")


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return self_test()
    build, options = arguments[0], arguments[1:]
    if not shutil.which("valgrind"):
        print("valgrind is not installed: nothing was counted")
        return NOTHING_TO_COMPARE
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one processor: no second thread
    title = machine(build)
    sections = read_counts(COUNTS)
    if options == ["--record"]:
        sections[title] = {case[0]: instructions(build, case) for case in CASES}
        write_counts(COUNTS, sections)
        print(f"{title}\n" + "".join(f"  {name}: {count}\n" for name, count in sections[title].items()), end="")
        return 0
    if options[:1] == ["--repeat"]:
        for case in CASES:
            counts = sorted(instructions(build, case) for _ in range(int(options[1])))
            print(f"{case[0]}: {counts[0]} to {counts[-1]}, {counts[-1] / counts[0] - 1:.4%} apart", flush=True)
        return 0
    if title not in sections:
        print(f"counts.txt has no figures for: {title}")
        return NOTHING_TO_COMPARE
    lines, good = compare(sections[title], {case[0]: instructions(build, case) for case in CASES})
    print("\n".join(lines))
    if not good:
        print("if the change is meant: make record_counts, and say why in the commit")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
