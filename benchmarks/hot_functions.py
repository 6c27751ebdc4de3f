#!/usr/bin/env python3
"""Says where a run of a program goes: the functions that take most of the time, page faults, and system calls by number. Needs perf and strace.

usage: hot_functions.py [--runs 10] [--top 10] [--] PROGRAM ARGUMENT …
"""
import argparse
import re
import resource
import subprocess
import tempfile
from pathlib import Path


def short(name):
    """A function without arguments, templates and namespaces that say nothing."""
    name = re.sub(r"\[k\]|\[\.\]", "", name).strip()
    while (bare := re.sub(r"<[^<>]*>|\([^()]*\)|\[abi:[^]]*\]", "", name)) != name:
        name = bare
    name = re.sub(r"::\{lambda#?\d*\}.*", "", name)
    return re.sub(r"^mo::|::operator$", "", name).replace("::::", "::")


def output(*command, **how):
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how).stdout


def profile(command, runs, top):
    shares = {}
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder) / "data")
        for _ in range(runs):
            subprocess.run(["perf", "record", "-q", "-F", "20000", "-o", data, *command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for line in output("perf", "report", "-i", data, "--sort", "sym").splitlines():
                if found := re.match(r"\s+([\d.]+)%\s+(\[.\].*)", line):
                    name = short(found[2]) + (" (kernel)" if found[2].startswith("[k]") else "")
                    shares[name] = shares.get(name, 0) + float(found[1]) / runs
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(runs):
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        calls = str(Path(folder) / "calls")
        subprocess.run(["strace", "-f", "-c", "-o", calls, *command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        counts = [(int(found[1]), found[2]) for line in Path(calls).read_text().splitlines()
                  if (found := re.match(r"\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$", line)) and found[2] != "total"]
    hot = sorted(shares.items(), key=lambda item: -item[1])[:top]
    print("functions: " + ", ".join(f"`{name}` {share:.1f} %" for name, share in hot))
    user, system, faults = ((getattr(after, field) - getattr(before, field)) / runs for field in ("ru_utime", "ru_stime", "ru_minflt"))
    print(f"processor time: {user * 1e3:.1f} ms of the program, {system * 1e3:.1f} ms of the kernel; page faults: {faults:.0f}")
    print(f"system calls: {sum(count for count, _ in counts)}: " + ", ".join(f"{count} {name}" for count, name in sorted(counts, reverse=True)[:8]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("command", nargs="+")
    how = parser.parse_args()
    profile(how.command, how.runs, how.top)


if __name__ == "__main__":
    main()
