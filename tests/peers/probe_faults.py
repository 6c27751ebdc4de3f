#!/usr/bin/env python3
"""Asks the installed releases of OpenVINO which forms of ops they compute wrongly, and whether what mo writes instead is right in all of them.

usage: probe_faults.py [NAME …] [--mo MO] [--without avx512f]

faults/NAME.py describes one row of the table (transformations/runtime_faults): ROW, the name of its pass, and CASES, each (faulty form, replacement, inputs by
name, expected outputs): functions that build an IR (ir.py), and numbers of the op's specification. V10 = False when the form does not exist in IR version 10,
SINCE = "2024.6" when older releases do not know the op: they are asked for the replacement only. OLDEST = "2023.3" when they do not
know the ops of the replacement either: they are not asked. RESHAPE = True: the model gets the shapes of the inputs
before it is compiled. VERSION = 10: all releases are asked with that version of the IR. NEEDS = "avx512f": only kernels for these instructions have the fault.
TIMES = 60: what was in memory decides whether the faulty form is right, so that it is asked as often as that, until it is wrong. RARE = ("2022.1",): releases where
memory is hardly ever such that it shows (one time in hundreds), so that a run without it says nothing.
FEWER_WITH = "avx512f": kernels for processors with them have it in fewer releases than the row says, which is about those without; FEWER_WITHOUT: the other way round.
Prints for each row the releases that have the fault, with what they say. With --mo, the releases that the row in the program names must be those found here.
--without avx512f: the releases from 2022.1 to 2025.4 compute as on a processor without these instructions, so that one with them shows both kinds of faults; on one that
lacks them there is nothing to ask.
Exit code 1 when a replacement is wrong somewhere, a row's releases differ, no release has the fault, or a row has no probe.
"""
import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
import numpy_python  # noqa: E402,F401  (goes on in a Python with numpy)

import numpy as np  # noqa: E402

import closeness  # noqa: E402
import environments  # noqa: E402
import ir  # noqa: E402
import processor  # noqa: E402
import verdict as verdict_of_model  # noqa: E402
from worker import Worker  # noqa: E402

SKIPPED = 77
V10_ONLY = ("2021.4",)  # releases that read IR version 10 only; the others are asked with 11


class Judge:
    """An installed OpenVINO: its release as rows name releases (2021.4), and a worker process."""

    def __init__(self, name, python):
        requirements = (environments.REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")
        self.release = ".".join(re.search(r"^openvino==(\d+\.\d+)", requirements, re.M).group(1).split("."))
        self.worker = Worker(name, python)


def installed_openvinos():
    """Oldest first."""
    found = []
    for name in environments.judges():
        if name.startswith("openvino") and processor.obeys(name):
            python, _ = environments.environment(name, create=False)
            if python:
                found.append(Judge(name, python))
    return sorted(found, key=lambda judge: number(judge.release))


def why_fewer(module):
    """Why this processor has the fault in fewer releases than the row says, or in none; "" where the row is about it."""
    needed = [name for name in (getattr(module, "NEEDS", ""), getattr(module, "FEWER_WITHOUT", "")) if processor.lacks(name)]
    if needed:
        return f"which lacks {needed[0]}"
    fewer_with = getattr(module, "FEWER_WITH", "")
    return f"which has {fewer_with}" if fewer_with and not processor.lacks(fewer_with) else ""


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(HERE, "faults", f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def difference(have, want):
    """"" when the outputs are the expected ones, else what is wrong."""
    if len(have) != len(want):
        return f"{len(have)} outputs instead of {len(want)}"
    for h, w in zip(have, want):
        w = np.asarray(w)
        if h.size == 1 and w.size == 1:
            h = h.reshape(w.shape)  # 2021.4 gives a scalar as [1]
        if h.dtype.kind != w.dtype.kind and w.dtype.kind in "biu":
            w = w.astype(h.dtype)  # … and booleans and 64 bits in other types
        why = closeness.difference(h, w, closeness.Tolerance())
        if why:
            return f"{why}: {h.ravel()[:8].tolist()}"
    return ""


def verdict(judge, build, inputs, expected, folder, reshape, version):
    """"" when this release computes the form rightly, else why not."""
    graph = ir.Graph()
    build(graph)
    path = os.path.join(folder, "probe.xml")
    graph.save(path, 10 if judge.release in V10_ONLY else version)
    answer = verdict_of_model.ask(judge.worker, path, list(inputs.items()), folder, "infer", reshape)
    if "failed" in answer:
        return f"{answer.get('died', '')} {answer['failed']}: {answer['error'][-120:]}".strip()
    return difference([np.load(output["file"]) for output in answer["outputs"]], expected)


def number(release):
    return [int(n) for n in release.split(".")]


def surely(judge, *question):
    """The same by a new process when it is wrong: a form before may have written where it should not."""
    why = verdict(judge, *question)
    if why:
        judge.worker.stop()
        why = verdict(judge, *question)
    return why


def probe(module, judges, folder, row):
    """{release: what is wrong} of the faulty form, and the same of the replacement. `row`: what the program says, or None."""
    found, worse = {}, {}
    for judge in judges:
        is_older = number(judge.release) < number(getattr(module, "OLDEST", "0"))
        if is_older or judge.release in V10_ONLY and not getattr(module, "V10", True):
            continue
        for faulty, replacement, inputs, expected in module.CASES:
            is_known = number(judge.release) >= number(getattr(module, "SINCE", "0"))
            how = getattr(module, "RESHAPE", False), getattr(module, "VERSION", 11)
            ask = verdict if row and is_between(judge.release, *row[3:5]) else surely
            for _ in range(getattr(module, "TIMES", 1) if is_known and judge.release not in found else 0):
                why = ask(judge, faulty, inputs, expected, folder, *how)
                if why:
                    found[judge.release] = why
                    break
            why = surely(judge, replacement, inputs, expected, folder, *how)
            if why:
                worse.setdefault(judge.release, f"{replacement.__name__}: {why}")
    return found, worse


def is_between(release, first, last):
    return number(first) <= number(release) and (last == "latest" or number(release) <= number(last))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--mo")
    parser.add_argument("--without", choices=sorted(processor.WITHOUT))
    opts = parser.parse_args()
    if opts.without and processor.lacks(opts.without):
        print(f"skipped: this processor has no {opts.without}")
        return SKIPPED
    processor.do_without(opts.without)
    judges = installed_openvinos()
    if not judges:
        print("skipped: no OpenVINO is installed; make test-peers installs it")
        return SKIPPED
    names = opts.names or sorted(f[:-3] for f in os.listdir(os.path.join(HERE, "faults")) if f.endswith(".py"))
    rows = {}
    if opts.mo:
        listed = subprocess.run([opts.mo, "--list-ops", "ir-faults"], check=True, capture_output=True, text=True).stdout
        rows = {line.split("\t")[0]: line.split("\t") for line in listed.splitlines() if line}
    bad, probed = 0, set()
    with tempfile.TemporaryDirectory(prefix="mo_probe_") as folder:
        for name in names:
            module = load(name)
            probed.add(module.ROW)
            row = rows.get(module.ROW)
            found, worse = probe(module, judges, folder, row)
            problems = [f"replacement in {r}: {why}" for r, why in worse.items()]
            if not found and row and not any(is_between(judge.release, *row[3:5]) for judge in judges):
                print(f"{module.ROW}: no release from {row[3]} to {row[4]} is installed{''.join(chr(10) + '    ' + p for p in problems)}")
                bad += bool(problems)
                continue
            fewer = why_fewer(module)
            if not found and fewer:
                print(f"{module.ROW}: right everywhere on this processor, {fewer}")
                bad += bool(problems)
                continue
            if not found:
                problems.append("no installed release has the fault: remove the row")
            elif module.ROW in rows:
                faulty, (first, last) = list(found), rows[module.ROW][3:5]
                rare = [release for release in getattr(module, "RARE", ()) if release not in found]
                covered = [judge.release for judge in judges if is_between(judge.release, first, last) and judge.release not in rare]
                if fewer:
                    problems += [f"{release} has the fault, and the row does not cover it" for release in faulty if release not in covered]
                else:
                    if faulty[0] not in covered[:1]:
                        problems.append(f"the row says first={first}, the oldest release with the fault is {faulty[0]}")
                    if faulty[-1] not in covered[-1:]:
                        problems.append(f"the row says last={last}, the newest release with the fault is {faulty[-1]}")
            elif opts.mo:
                problems.append("the program has no such row")
            bad += bool(problems)
            print(f"{module.ROW}: {'wrong in ' + ', '.join(found) if found else 'right everywhere'}{''.join(chr(10) + '    ' + p for p in problems)}")
            for release, why in found.items():
                print(f"    {release}: {why}")
            sys.stdout.flush()
    if opts.mo and not opts.names:
        for row in sorted(set(rows) - probed):
            bad += 1
            print(f"{row}: tests/peers/faults has no probe of it")
    print(f"{len(names) - bad} passed, {bad} failed")
    for judge in judges:
        judge.worker.stop()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
