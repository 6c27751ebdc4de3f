#!/usr/bin/env python3
"""Do the tests notice? Makes one build in which every mutant of mutants.txt sleeps behind a switch, wakes one after the other, and runs the test
suites, the fastest first, until one fails.

usage: run.py BUILD [-j N] [--suites A,B…] [--sanity] [--reuse] [NAME …]
                                                 BUILD: a folder for the copy of the sources, their build and the results; NAME: only these
                                                 mutants; --suites: only these tests; --sanity: build, and run the tests without a mutant;
                                                 --reuse: the build that is there
       run.py --check                            whether the list fits the sources, and is long enough; that of verify_faults.py, too
       run.py --self-test

Exit code 1 when a mutant survives that equivalents.txt does not explain, or when one is killed that it does.
"""
import argparse
import concurrent.futures
import json
import os
import queue
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mutant_list import ListError, Mutant, locate, mutate, parse_equivalents, parse_list

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LEAST_MUTANTS = 100
SWITCH_TEST = "always_killed"

# What may kill: tests as ctest knows them. They run in the order of the time that they take. Not here: what looks at sources or documents only.
SUITES = ["core", "cli", "ir", "golden", "phases", "transformations", "extensions", "api", "tools", "conformance", "conformance_v10",
          "frontends_onnx", "frontends_onnx_schemas", "frontends_tensorflow", "frontends_caffe",
          "programs", "report", "common_problems", "output_files", "detector_families", "detector_exports", "caffe_topologies", "irs_of_conformance", "irs_of_goldens",
          "models_onnx", "models_tf", "models_caffe", "e2e", "e2e_opencv", "plugins"]

# The suite that is most likely to kill a mutant of a folder comes first. The first row that fits counts.
LIKELY = [("tools/report", "report"), ("tools/common", "report"), ("core/text", "golden"), ("core", "core"), ("ir_emitter", "ir"), ("frontends/ir", "ir"), ("frontends/onnx/ops", "golden"),
          ("frontends/tensorflow/ops", "golden"), ("frontends/caffe/ops", "golden"), ("frontends/onnx", "frontends_onnx"),
          ("frontends/common", "frontends_onnx"), ("driver", "cli"), ("phases", "phases"), ("", "golden")]

# A mutant that loops or eats memory is killed as well: that long beyond the usual time, and with limits.
PATIENCE = 5.0
LEAST_SECONDS = 30.0
MOST_MEMORY = 12 << 30
MOST_FILE = 8 << 30


def read_list():
    mutants = parse_list((HERE / "mutants.txt").read_text())
    problems = locate(mutants, ROOT)
    equivalents = parse_equivalents((HERE / "equivalents.txt").read_text())
    problems += [f"equivalents: there is no mutant {name}" for name in equivalents if name not in {m.name for m in mutants}]
    if SWITCH_TEST not in {m.name for m in mutants}:
        problems.append(f"the mutant {SWITCH_TEST}, which proves that the switch works, is missing")
    if len(mutants) < LEAST_MUTANTS:
        problems.append(f"there are {len(mutants)} mutants, at least {LEAST_MUTANTS} are wanted")
    return mutants, equivalents, problems


# -- the build ---------------------------------------------------------------------------------------------------------------------


def write_changed(path, content):
    """Leaves files alone that have this content, so that a second build is a small one."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def copy_tree(tree, mutants):
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=True)
    names = [name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    by_file = {}
    for mutant in mutants:
        by_file.setdefault(mutant.file, []).append(mutant)
    for name in names:
        content = (ROOT / name).read_bytes()
        if name in by_file:
            content = mutate(content.decode(), by_file[name]).encode()
        write_changed(tree / name, content)
        (tree / name).chmod((ROOT / name).stat().st_mode)
    known = set(names)
    for path in list(tree.rglob("*")):
        if path.is_file() and str(path.relative_to(tree)) not in known and "__pycache__" not in path.parts:
            path.unlink()


def targets_of(suites):
    """What has to be built for some suites: everything, unless each needs a single program."""
    programs = {suite: f"test_{suite}" for suite in SUITES[: SUITES.index("programs")]}
    programs.update(conformance="mo_conformance", conformance_v10="mo_conformance")
    wanted = suites.split(",") if suites else ["all"]
    return ["--target", *(programs[suite] for suite in wanted)] if all(suite in programs for suite in wanted) else []


def build(folder, mutants, jobs, targets):
    """Copies the sources with their mutants to `folder` and builds them; targets: arguments of cmake --build, none for everything."""
    tree, made = folder / "tree", folder / "build"
    copy_tree(tree, mutants)
    # A build type of its own: no warnings, and little optimisation, because everything is compiled anew and runs shortly.
    flags = f"-w -O1 -DNDEBUG -include {tree / 'tests/mutants/mutant.hpp'}"
    configure = ["cmake", "-S", str(tree), "-B", str(made), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Mutants", f"-DCMAKE_CXX_FLAGS={flags}",
                 "-DMO_DEVELOPER=ON", "-DMO_BENCHMARKS=ON"]
    with open(folder / "build.log", "w") as log:
        for command in (configure, ["cmake", "--build", str(made), "-j", str(jobs), *targets, "--", "-k", "0"]):
            if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False).returncode != 0:
                print((folder / "build.log").read_text()[-6000:])
                sys.exit(f"the build with mutants failed: {' '.join(command)}")
    return made


def read_suites(made):
    shown = subprocess.run(["ctest", "--test-dir", str(made), "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = {}
    for test in json.loads(shown.stdout)["tests"]:
        if "command" in test:
            properties = {p["name"]: p["value"] for p in test.get("properties", [])}
            tests[test["name"]] = {"name": test["name"], "command": test["command"], "folder": properties.get("WORKING_DIRECTORY", str(made)),
                                   "skipped": properties.get("SKIP_RETURN_CODE", 0)}
    for name in SUITES:
        if name not in tests:
            print(f"note: suite {name} is not there (a library of the machine is missing?)")
    return [tests[name] for name in SUITES if name in tests]


# -- the runs ----------------------------------------------------------------------------------------------------------------------


def set_limits():
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))


def run_suite(suite, number, timeout):
    """(passed, seconds, why not)."""
    with tempfile.TemporaryDirectory(prefix="mutant_") as scratch, open(Path(scratch, "output"), "w+", errors="replace") as output:
        os.chmod(scratch, 0o755)  # a test runs mo as another user
        environment = dict(os.environ, MO_MUTANT=str(number), GTEST_FAIL_FAST="1", TMPDIR=scratch)
        environment.setdefault("MO_SHARED", str(ROOT.parent / "shared"))
        started = time.monotonic()
        process = subprocess.Popen(suite["command"], cwd=suite["folder"], env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, preexec_fn=set_limits)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(process.pid, signal.SIGKILL)  # also its remaining files
        except ProcessLookupError:
            pass
        process.wait()
        seconds = time.monotonic() - started
        if status is None:
            return False, seconds, "too slow"
        if status == 0 or (suite["skipped"] and status == suite["skipped"]):
            return True, seconds, ""
        output.seek(0)
        lines = output.read().splitlines()
        failed = [line.split("] ", 1)[1] for line in lines if line.startswith("[  FAILED  ] ")] or [line for line in lines if "unexpected: " in line]
        return False, seconds, f"signal {-status}" if status < 0 else (failed[0] if failed else (lines[-1] if lines else f"exit code {status}"))[:100]


def sanity(suites):
    """Runs everything without a mutant, and puts the suites into the order of their time."""
    for suite in suites:
        passed, suite["seconds"], why = run_suite(suite, 0, 1200)
        if not passed:
            sys.exit(f"without any mutant, suite {suite['name']} fails: {why}")
    suites.sort(key=lambda suite: suite["seconds"])
    print("suites: " + ", ".join(f"{s['name']} {s['seconds']:.1f} s" for s in suites), flush=True)


def try_mutant(mutant, suites):
    started = time.monotonic()
    likely = next(suite for folder, suite in LIKELY if mutant.file.startswith(folder))
    for suite in sorted(suites, key=lambda suite: suite["name"] != likely):
        passed, _, why = run_suite(suite, mutant.number, max(LEAST_SECONDS, PATIENCE * suite["seconds"]))
        if not passed:
            return {"by": suite["name"], "why": why, "seconds": time.monotonic() - started}
    return {"by": "", "why": "", "seconds": time.monotonic() - started}


def report(mutant, result, equivalents):
    fate = f"killed by {result['by']}" if result["by"] else "equivalent" if mutant.name in equivalents else "SURVIVED"
    print(f"{mutant.name:40} {fate:30} {result['seconds']:6.1f} s  {result['why']}", flush=True)


def run(how):
    mutants, equivalents, problems = read_list()
    if problems:
        sys.exit("\n".join(problems))
    unknown = set(how.names) - {m.name for m in mutants}
    if unknown:
        sys.exit(f"there is no mutant {', '.join(sorted(unknown))}")
    folder = how.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    made = folder / "build" if how.reuse else build(folder, mutants, how.jobs, targets_of(how.suites))
    print(f"{len(mutants)} mutants in one build: {time.monotonic() - started:.0f} s", flush=True)
    suites = [suite for suite in read_suites(made) if not how.suites or suite["name"] in how.suites.split(",")]
    started = time.monotonic()
    sanity(suites)
    if how.sanity:
        return 0
    switch = next(m for m in mutants if m.name == SWITCH_TEST)
    if not try_mutant(switch, suites)["by"]:
        sys.exit(f"the mutant {SWITCH_TEST} survives: the switch does not work")
    wanted = queue.Queue()
    for mutant in mutants:
        if not how.names or mutant.name in how.names:
            wanted.put(mutant)
    results = {}

    def work():
        while True:
            try:
                mutant = wanted.get_nowait()
            except queue.Empty:
                return
            results[mutant.name] = try_mutant(mutant, suites)
            report(mutant, results[mutant.name], equivalents)
            (folder / "results.json").write_text(json.dumps(results, indent=1))

    with concurrent.futures.ThreadPoolExecutor(how.jobs) as pool:
        for done in [pool.submit(work) for _ in range(how.jobs)]:
            done.result()
    return summary(mutants, results, equivalents, time.monotonic() - started)


def summary(mutants, results, equivalents, seconds):
    survivors = [m for m in mutants if m.name in results and not results[m.name]["by"] and m.name not in equivalents]
    contradicted = [name for name in equivalents if name in results and results[name]["by"]]
    killers = {}
    for result in results.values():
        if result["by"]:
            killers[result["by"]] = killers.get(result["by"], 0) + 1
    print("\nkilled by " + ", ".join(f"{name}: {count}" for name, count in sorted(killers.items(), key=lambda item: -item[1])))
    print(f"{len(results)} mutants: {sum(killers.values())} killed, {len(survivors)} survived, "
          f"{len(results) - sum(killers.values()) - len(survivors)} accepted as equivalent; {seconds / 60:.0f} min")
    for mutant in survivors:
        print(f"survived: [{mutant.name}] {mutant.file}: {mutant.what}\n    - {mutant.original}\n    + {mutant.mutated}")
    for name in contradicted:
        print(f"killed, although equivalents.txt calls it equivalent: {name}")
    return 1 if survivors or contradicted else 0


def self_test():
    def refused(text, words):
        try:
            parse_list(text)
        except ListError as problem:
            assert words in str(problem), problem
        else:
            raise AssertionError(f"accepted: {text}")

    refused("[a] f.cpp\nwhat\n- x\n+ x\n", "changes nothing")
    refused("[a] f.cpp\nwhat\n- x\n+\n", "no statement")
    refused("[a] f.cpp\nwhat\n- x;\n", "+ mutated")
    refused("[a] f.cpp\nwhat\n- x\n+ y\n[a] f.cpp\nwhat\n- z\n+ y\n", "two mutants")
    refused("what\n", "begins with")
    with tempfile.TemporaryDirectory() as name:
        source = "int f(int a) {\n  if (a <\n      3) return 1;\n  g();\n  return a < 4 ? a + 1 : a < 4;\n}\n"
        Path(name, "f.cpp").write_text(source)

        def problems(text):
            return " ".join(locate(parse_list(text), name))

        entry = "[a] f.cpp\nwhat\n"
        assert problems(entry + "- a < 3\n+ a <= 3\n") == ""
        assert "found 0 times" in problems(entry + "- a < 5\n+ a <= 5\n")
        assert "found 2 times" in problems(entry + "- a < 4\n+ a <= 4\n")
        assert problems(entry + "nth 2\n- a < 4\n+ a <= 4\n") == ""
        assert "place 3" in problems(entry + "nth 3\n- a < 4\n+ a <= 4\n")
        assert problems(entry + "@ return a < 4 ?\n- a < 4\n+ a <= 4\n") == ""
        assert "context" in problems(entry + "@ return b\n- a < 4\n+ a <= 4\n")
        assert "no such .cpp" in problems("[a] f.hpp\nwhat\n- a\n+ b\n")
        assert "lies within" in problems(entry + "- a < 3\n+ b\n[b] f.cpp\nwhat\n- 3\n+ 4\n")
        mutants = parse_list(entry + "- g();\n+\n[b] f.cpp\nwhat\n- a < 3\n+ a <= 3\n[c] f.cpp\nwhat\n- a < 3\n+ true\n")
        assert locate(mutants, name) == []
        made = mutate(source, mutants)
        a, b, c = (m.number for m in mutants)
        assert f"{{ if (::mo_mutant({a})) {{  }} else {{ g(); }} }}" in made, made
        assert f"if ((::mo_mutant({b}) ? (a <= 3) : ::mo_mutant({c}) ? (true) : (a <\n      3))) return 1;" in made, made
    listed = [Mutant(n, "f.cpp", 1) for n in "abc"]
    fates = {"a": {"by": "core", "why": "", "seconds": 1}, "b": {"by": "", "why": "", "seconds": 1}}
    assert summary(listed, fates, {}, 1) == 1, "b survives"
    assert summary(listed, fates, {"b": "why"}, 1) == 0
    assert summary(listed, fates, {"a": "why", "b": "why"}, 1) == 1, "a was killed"
    slow = {"command": ["sleep", "60"], "folder": "/", "skipped": 0}
    assert run_suite(slow, 1, 0.2)[::2] == (False, "too slow")
    told = {"command": ["sh", "-c", "test $MO_MUTANT = 7"], "folder": "/", "skipped": 0}
    assert run_suite(told, 7, 10)[0] and not run_suite(told, 8, 10)[0]
    print("each check can fail")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:] == ["--check"]:
        mutants, _, problems = read_list()
        faults = parse_list((HERE / "faults.txt").read_text())
        problems += locate(faults, ROOT)
        print("\n".join(problems) or f"{len(mutants)} mutants and {len(faults)} faults, all in place")
        return 1 if problems else 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--suites")
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--sanity", action="store_true")
    parser.add_argument("names", nargs="*")
    return run(parser.parse_intermixed_args())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ListError as wrong:
        sys.exit(str(wrong))
