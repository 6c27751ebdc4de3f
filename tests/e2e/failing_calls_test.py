#!/usr/bin/env python3
"""Lets each call to the file system of a conversion fail, or kill the process, in turn: the old files or the new ones, nothing between.

usage: failing_calls_test.py BIN CC [TEST…]

BIN: folder of the programs. CC: compiler of the library that makes calls fail (tests/support/failing_calls.c). Prints a table of outcomes.
"""
import collections
import errno
import os
import shutil
import signal
import subprocess
import sys
import unittest

import output_files
from output_files import Pairs, mo, mo_run, node, npy, onnx, read, write

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILER = ""


class FailingCalls(Pairs):
    """One call to the file system fails, or the process is killed at it: each call of a conversion in turn."""

    ERRORS = {"write": errno.ENOSPC, "fallocate": errno.ENOSPC, "open": errno.EMFILE, "openat": errno.EMFILE, "flock": errno.ENOLCK}

    def setUp(self):
        super().setUp()
        self.library = self.path("failing_calls.so")
        source = os.path.join(ROOT, "tests", "support", "failing_calls.c")
        subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True)
        self.assertEqual(mo(*self.conversion(self.models[0])).returncode, 0)

    def run_with(self, *options, **settings):
        environment = dict(os.environ, LD_PRELOAD=self.library, **{k: str(v) for k, v in settings.items()})
        return mo(*self.conversion(self.models[1]), *options, env=environment)

    def calls(self, *options):
        count = self.path("count")
        self.assertEqual(self.run_with(*options, FAIL_COUNT=count).returncode, 0)
        with open(count) as file:
            found = {name: int(number) for name, number in (line.split() for line in file)}
        self.assertEqual(self.state(), 1)
        return found

    def restore(self):
        shutil.rmtree(self.path("out"))
        shutil.copytree(self.path("alone0"), self.path("out"))

    def sweep(self, *options, outcome, only=None):
        table = collections.defaultdict(collections.Counter)
        for name, number in self.calls(*options).items():
            if only and name not in only:
                continue
            for at in range(1, number + 1):
                self.restore()
                with self.subTest(f"call {at} of {name}"):
                    table[name][outcome(name, at)] += 1
        width = max(map(len, table))
        for name, outcomes in table.items():
            print(f"  {name:<{width}} " + ", ".join(f"{what}: {n}" for what, n in sorted(outcomes.items())))
        return table

    def check_error(self, name, at, *options):
        done = self.run_with(*options, FAIL_CALL=name, FAIL_AT=at, FAIL_ERROR=self.ERRORS.get(name, errno.EIO))
        state = self.state()
        self.assertGreaterEqual(done.returncode, 0, done.stdout)
        self.assertEqual(state, 1 if done.returncode == 0 else 0, done.stdout)
        if name not in ("unlink", "rmdir"):  # what cannot be removed stays, until the next run
            self.assertEqual(self.leftovers(), [], done.stdout)
        return f"exit {done.returncode}, {'new' if state else 'old'} pair"

    def check_kill(self, name, at, *options):
        done = self.run_with(*options, FAIL_CALL=name, FAIL_AT=at, FAIL_SIGNAL=int(signal.SIGKILL))
        self.assertEqual(done.returncode, -signal.SIGKILL)
        state = self.state()
        self.assertIn(state, (0, 1, "no .xml"))
        self.assertEqual(mo(*self.conversion(self.models[0])).returncode, 0)
        self.assertEqual((self.state(), self.leftovers()), (0, []))
        return {0: "old pair", 1: "new pair"}.get(state, state)

    def test_errors(self):
        print("\none call fails:")
        self.assertIn("exit 7, old pair", self.sweep(outcome=self.check_error)["rename"])

    def test_errors_when_files_are_synchronised(self):
        print("\none call fails, --durable:")
        self.assertIn("fsync", self.sweep("--durable", only=("fsync", "open", "rename"),
                                       outcome=lambda *call: self.check_error(*call, "--durable")))

    def test_kills(self):
        print("\nkilled at one call:")
        self.sweep(outcome=self.check_kill)

    def test_results_of_mo_run_appear_all_or_none(self):
        write(self.path("two.onnxtxt"), onnx([node("Neg", ["x"], ["y"]), node("Abs", ["x"], ["z"])], ["x"], [], ["y", "z"], 64))
        self.assertEqual(mo("--input_model", self.path("two.onnxtxt"), "--output_dir", self.folder).returncode, 0)
        write(self.path("x.npy"), npy(64))
        os.mkdir(self.path("results"))
        for name in ("0.npy", "1.npy"):
            write(self.path("results", name), "old")
        run = self.path("two.xml"), "--input", self.path("x.npy"), "--output_dir", self.path("results")
        for call, at in (("write", 1), ("write", 2), ("rename", 1), ("rename", 2), ("rename", 3), ("rename", 4)):
            done = mo_run(*run, env=dict(os.environ, LD_PRELOAD=self.library, FAIL_CALL=call, FAIL_AT=str(at)))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(b"MO-EMIT-0001", done.stdout)
            self.assertEqual([read(self.path("results", name)) for name in self.files(self.path("results"))], [b"old", b"old"], (call, at))
        self.assertEqual(mo_run(*run).returncode, 0)
        self.assertEqual(self.files(self.path("results")), ["0.npy", "1.npy"])
        self.assertNotIn(b"old", [read(self.path("results", name)) for name in ("0.npy", "1.npy")])

    def test_old_files_that_cannot_come_back_are_kept_and_named(self):
        """Renaming fails from the third on: both old files are aside, nothing can be put anywhere."""
        done = self.run_with(FAIL_CALL="rename", FAIL_AT=3, FAIL_ALWAYS=1)
        self.assertEqual(done.returncode, 7)
        self.assertIn(b"could not be brought back", done.stdout)
        kept = self.leftovers()
        self.assertEqual(len(kept), 1)
        contents = [read(self.path("out", kept[0], name)) for name in self.files(self.path("out", kept[0]))]
        self.assertCountEqual(contents, self.pairs[0])


class FailingCallsOfOnnx(FailingCalls):
    """The same for an ONNX model and the file with its weights."""
    FILES = ("m.onnx", "m.onnx.data")
    OPTIONS = ("--to", "onnx", "--external-data")
    FLOATS = 512
    CALLS = ("open", "fallocate", "write", "rename")

    test_errors_when_files_are_synchronised = test_results_of_mo_run_appear_all_or_none = None

    def test_errors(self):
        print("\none call fails, ONNX:")
        self.assertIn("exit 7, old pair", self.sweep(outcome=self.check_error, only=self.CALLS)["rename"])

    def test_kills(self):
        print("\nkilled at one call, ONNX:")
        self.sweep(outcome=self.check_kill, only=self.CALLS)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    output_files.BIN, COMPILER = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
