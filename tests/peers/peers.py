#!/usr/bin/env python3
"""Judges what mo writes by real engines: converts the cases of the corpora for each judge, lets it read, compile and compute them, and compares the numbers.

usage: peers.py BIN [--judges A,B] [--corpora A,B] [--targets v10,v11,onnx17] [--filter REGEX] [--sample N] [--jobs N] [--json FILE] [--keep DIR] [--create] [--since FILE,…] [--without avx512f] [-v]

BIN: folder of mo. --judges: names of files in requirements/ (default: all that are installed); --create installs the others. --corpora: files in corpora/.
--sample N: about every Nth case, the same ones in each run. --keep DIR: leaves IRs and arrays in DIR. -v: prints also what is right or known.
--since FILES: what --json wrote in earlier runs; a judge is not asked about an IR again that it found right then and whose bytes are the same.
--without avx512f: OpenVINO from 2022.1 to 2025.4 computes as on a processor without these instructions; other judges are not asked.
--write-known FILE: writes lines for known_faults.txt and known_refusals.txt about what is open. --print-command: the command line of mo of each line.

Prints a line for each verdict that is not right and not listed (known_faults.txt, known_refusals.txt, open_faults.txt), a line for each listed one that is right now, and the
table. The exit code is 0 when there is no such line, 77 when no judge is installed. With MO_REQUIRE_PEERS=1 each of --judges must be there, but for old
runtimes where there is no Python for them.
"""
import argparse
import concurrent.futures
import importlib
import json
import os
import queue
import re
import shutil
import sys
import tempfile
import threading
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e"), str(HERE.parent / "support")]
import numpy_python  # noqa: E402,F401  (goes on in a Python with numpy)

import earlier  # noqa: E402
import environments  # noqa: E402
import known  # noqa: E402
import processor  # noqa: E402
import verdict as verdicts  # noqa: E402
from case import Conversion, OnnxTarget, Target  # noqa: E402
from stored import NotThere  # noqa: E402
from table import Table  # noqa: E402
from worker import Worker  # noqa: E402

CORPORA = sorted(path.stem for path in (HERE / "corpora").glob("*.py") if path.stem != "__init__")
SKIPPED = 77
SOURCE = "source"  # the judge computes the model itself: are the expected numbers right?


def targets_of(judge, release=None, chosen=()):
    """What mo writes for a judge; ONNX models where they are chosen: onnx17."""
    if judge == "onnxruntime":
        return [SOURCE, *(OnnxTarget(int(name[4:])) for name in chosen or () if re.fullmatch(r"onnx\d+", name))]
    release = release or (re.search(r"\d{4}\.\d+", judge) or [None])[0]
    if judge == "openvino-newest":
        return [Target(11), Target(10)]
    return [Target(10)] if release.startswith("2021") else [Target(11, release), Target(10)]


class Pool:
    """Workers of one judge; threads borrow them."""

    def __init__(self, judge, python):
        self.judge, self.python, self.free, self.all = judge, python, queue.SimpleQueue(), []

    def borrow(self):
        try:
            return self.free.get_nowait()
        except queue.Empty:
            self.all.append(Worker(self.judge, self.python))
            return self.all[-1]

    def stop(self):
        for worker in self.all:
            worker.stop()


class Run:
    def __init__(self, options, pools):
        self.options, self.pools = options, pools
        self.known, self.table, self.records, self.problems, self.open = known.Known(known.read()), Table(), [], [], 0
        self.earlier, self.lock = earlier.Earlier(options.since), threading.Lock()

    def judge_case(self, corpus, case, folder):
        """All verdicts about one case, in the order of the judges."""
        made, found = {}, []
        loaded = None
        try:
            loaded = case.load()
        except Exception as error:  # one case must not hide the others
            found.append(("-", "-", verdicts.Verdict("broken case", repr(error)[:300])))
        for pool in self.pools if loaded else []:
            for target in targets_of(pool.judge, chosen=self.options.targets):
                name = str(target)
                if not wanted(name, self.options.targets) or (target == SOURCE and not case.source) or (target != SOURCE and target.version not in case.versions):
                    continue
                where = os.path.join(folder, pool.judge, name)
                if target == SOURCE:
                    found.append((pool.judge, name, self.ask(pool, case, None, case.source, loaded, where)))
                    continue
                if name not in made:
                    conversion = (case.convert or Conversion)(os.path.join(self.options.bin, "mo"), case, target, os.path.join(folder, name), loaded[0])
                    made[name] = conversion, earlier.fingerprint(conversion.xml)
                conversion, ir = made[name]
                if conversion.died:
                    verdict = verdicts.Verdict(verdicts.CRASH, f"mo: {conversion.died}: {conversion.why}")
                elif conversion.refused:
                    verdict = verdicts.Verdict(verdicts.REFUSED, conversion.why, code=conversion.refused)
                    if case.expected_code == conversion.refused:
                        verdict = verdicts.Verdict(verdicts.RIGHT, conversion.why)
                else:
                    verdict = self.earlier.verdict(pool.judge, corpus, case, ir) or self.ask(pool, case, target, conversion.xml, loaded, where)
                verdict.command, verdict.ir = " ".join(conversion.command), ir
                found.append((pool.judge, name, verdict))
        return found

    def ask(self, pool, case, target, model, loaded, folder):
        worker = pool.borrow()
        try:
            verdict = verdicts.judge(case, target, model, worker, *loaded, folder)
            if verdict.kind in (verdicts.WRONG, verdicts.CRASH, verdicts.UNCOMPUTED):
                worker.stop()  # a job before may have written where it should not: a new process decides
                verdict = verdicts.judge(case, target, model, worker, *loaded, folder)
            return verdict
        except Exception as error:  # an array that cannot be loaded, a broken IR: about this case only
            return verdicts.Verdict("broken case", repr(error)[:300])
        finally:
            pool.free.put(worker)

    def add(self, corpus, case, found):
        with self.lock:
            for judge, target, verdict in found:
                entry = self.known.entry_for(judge, target, corpus, case.id, verdict)
                self.records.append({"judge": judge, "target": target, "corpus": corpus, "case": case.id, "verdict": verdict.kind, "code": verdict.code,
                                     "why": verdict.why, "reached": verdict.reached, "ir": getattr(verdict, "ir", None), "known": entry.where if entry else None})
                is_new = verdict.kind != verdicts.RIGHT and entry is None and verdict.code not in case.announced and not (target == SOURCE and verdict.kind in verdicts.LACKS)
                is_listed_as_open = entry is not None and entry.is_open
                is_open = is_new or is_listed_as_open
                self.table.add(judge, corpus, target, verdict, entry is not None and not entry.is_open, is_open)
                self.open += is_listed_as_open
                if is_new:
                    self.problems.append(self.records[-1])
                if is_open or self.options.verbose:
                    print(f"{judge} {target} {corpus} {case.id} {verdict.code or verdict.kind}: {verdict.why[:300]}", flush=True)
                    if self.options.print_command and hasattr(verdict, "command"):
                        print(f"    {verdict.command}", flush=True)

    def run(self, corpus, cases, folder):
        def one(case):
            place = os.path.join(folder, corpus, case.id)
            os.makedirs(place, exist_ok=True)
            found = self.judge_case(corpus, case, place)
            if not self.options.keep:
                shutil.rmtree(place, ignore_errors=True)
            return case, found

        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as executor:
            for case, found in executor.map(one, cases):
                self.add(corpus, case, found)


def wanted(name, chosen):
    return not chosen or any(name == choice or name.startswith(choice + "@") for choice in chosen)


def in_sample(corpus, case_id, every):
    return every <= 1 or zlib.crc32(f"{corpus}/{case_id}".encode()) % every == 0


def cases_of(corpus, options, notes):
    try:
        module = importlib.import_module(f"corpora.{corpus}")
        every = 1 if getattr(module, "SAMPLES_ITSELF", False) else options.sample
        for case in module.cases(options):
            if re.search(options.filter, case.id) and in_sample(corpus, case.id, every):
                yield case
    except NotThere as problem:
        notes.append(f"skipped corpus {corpus}: {problem}")
    except SystemExit as problem:  # the shared folder is not there, which it has said
        if problem.code != SKIPPED:
            raise
        notes.append(f"skipped corpus {corpus}")


def judges(options):
    """Pools of the judges that are there; names of those that are missing although they are required."""
    pools, missing = [], []
    for judge in options.judges or [name for name in environments.judges() if name not in environments.ONLY_WHEN_NAMED]:
        if not processor.obeys(judge):
            continue
        python, problem = environments.environment(judge, options.create)
        if python:
            pools.append(Pool(judge, python))
        else:
            required = bool(options.judges) and environments.is_required(judge)
            missing += [judge] * required
            print(f"{'error: missing' if required else 'skipped'} judge {judge}: {problem}", flush=True)
    return pools, missing


def write_known(path, problems):
    with open(path, "w", encoding="utf-8") as file:
        for record in problems:
            file.write("{judge} {target} {corpus} {case} {}: {why}\n".format(record["code"] or record["verdict"], **record))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    names = lambda text: [name for name in text.split(",") if name]  # noqa: E731
    for option in ("--judges", "--corpora", "--targets", "--since"):
        parser.add_argument(option, type=names, default=[])
    parser.add_argument("--filter", default="")
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json")
    parser.add_argument("--keep")
    parser.add_argument("--create", action="store_true")
    parser.add_argument("--write-known")
    parser.add_argument("--print-command", action="store_true")
    parser.add_argument("--without", choices=sorted(processor.WITHOUT))
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    processor.do_without(options.without)
    for corpus in options.corpora:
        if corpus not in CORPORA:
            parser.error(f"unknown corpus '{corpus}', expected one of {', '.join(CORPORA)}")
    pools, missing = judges(options)
    if missing or not pools:
        return 1 if missing else SKIPPED
    run, notes = Run(options, pools), []
    folder = options.keep or tempfile.mkdtemp(prefix="mo_peers_")
    try:
        for corpus in options.corpora or CORPORA:
            run.run(corpus, cases_of(corpus, options, notes), folder)
    finally:
        for pool in pools:
            pool.stop()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        Path(options.json).write_text(json.dumps(run.records, indent=0), encoding="utf-8")
    if options.write_known:
        write_known(options.write_known, run.problems)
    for entry, *row in run.known.stale:
        print(f"{entry.where}: {' '.join(row)} is right now, remove it from the list or narrow the pattern")
    print("\n".join(notes + ["", processor.description(), "", run.table.text()]))
    print(f"{len(run.records)} verdicts ({run.earlier.taken_over} of an earlier run), {len(run.problems)} open, {run.open} more open ones listed, {len(run.known.stale)} listed that are right")
    return 1 if run.problems or run.known.stale or not run.records else 0


if __name__ == "__main__":
    sys.exit(main())
