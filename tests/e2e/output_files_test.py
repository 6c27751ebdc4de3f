#!/usr/bin/env python3
"""What becomes of files: inputs are never replaced, .xml and .bin always belong together, nothing unfinished stays.

usage: output_files_test.py BIN [--runs N] [--kills N] [TEST…]

BIN: folder of the programs.
--runs: conversions at the same time into one folder (default 40, the long form is 600); --kills: killed conversions (default 24, long 300).
"""
import argparse
import collections
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import output_files
from output_files import BOOL, Folder, Pairs, external, floats, mo, mo_run, node, npy, onnx, program, read, write

ARGUMENTS = None


class InputsAreSacred(Folder):
    """MO-EMIT-0003, exit code 7, and not a byte of any file has changed."""

    def refused(self, *arguments, code="MO-EMIT-0003", exit_code=7):
        before = {name: read(self.path(name)) for name in self.files()}
        done = mo(*arguments, cwd=self.folder)
        text = done.stdout.decode()
        self.assertIn(code, text)
        self.assertEqual(done.returncode, exit_code, text)
        self.assertEqual({name: read(self.path(name)) for name in self.files()}, before)

    def with_weights(self, tensor, nodes, content, size):
        write(self.path("model.bin"), content)
        write(self.path("model.onnxtxt"), onnx(nodes, ["x"], [tensor], size=size))

    def test_external_data_of_any_use(self):
        add = [node("Add", ["x", "w"], ["y"])]
        folded = [node("Neg", ["w"], ["n"]), node("Add", ["x", "n"], ["y"])]
        unused = [node("Relu", ["x"], ["y"])]
        for what, nodes, count in (("kept", add, 4096), ("small", add, 4), ("folded", folded, 4096), ("folded, small", folded, 4), ("unused", unused, 4096)):
            with self.subTest(what):
                self.with_weights(external("w", [count], "model.bin"), nodes, floats(count), count)
                self.refused("--input_model", "model.onnxtxt")
                self.refused("--input_model", "model.onnxtxt", "--compress_to_fp16")
                self.refused("--input_model", "model.onnxtxt", "--data_type", "FP16")

    def test_external_data_of_one_byte_each(self):
        nodes = [node("Where", ["w", "x", "x"], ["y"])]
        self.with_weights(external("w", [300], "model.bin", BOOL), nodes, b"\x01" * 300, 300)
        self.refused("--input_model", "model.onnxtxt")

    def test_links_to_external_data(self):
        self.with_weights(external("w", [64], "model.bin"), [node("Neg", ["w"], ["n"]), node("Add", ["x", "n"], ["y"])], floats(64), 64)
        os.symlink("model.bin", self.path("other.bin"))
        self.refused("--input_model", "model.onnxtxt", "--model_name", "other")

    def test_hard_links_to_the_model(self):
        write(self.path("m.onnxtxt"), onnx([node("Relu", ["x"], ["y"])], ["x"], []))
        os.link(self.path("m.onnxtxt"), self.path("other.xml"))
        self.refused("--input_model", "m.onnxtxt", "--model_name", "other")

    def test_configurations_and_operations(self):
        write(self.path("m.onnxtxt"), onnx([node("Relu", ["x"], ["y"])], ["x"], []))
        write(self.path("config.xml"), "[]")
        self.refused("--input_model", "m.onnxtxt", "--model_name", "config", "--transformations_config", "config.xml")
        write(self.path("ops.xml"), '{"framework": "onnx", "op": "FancyNorm", "domain": "com.acme", "outputs": ["in0"]}')
        os.link(self.path("ops.xml"), self.path("linked.bin"))
        self.refused("--input_model", "m.onnxtxt", "--model_name", "linked", "--custom_ops", "ops.xml")

    def test_inputs_of_mo_run(self):
        path = self.model("m", floats(16))
        self.assertEqual(mo("--input_model", path, "--output_dir", self.path("ir")).returncode, 0)
        os.mkdir(self.path("run"))
        array = npy(16)
        write(self.path("run", "0.npy"), array)
        done = mo_run(self.path("ir", "m.xml"), "--input", self.path("run", "0.npy"), "--output_dir", self.path("run"))
        self.assertIn(b"MO-EMIT-0003", done.stdout)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(read(self.path("run", "0.npy")), array)
        self.assertEqual(self.files(self.path("run")), ["0.npy"])


class AtTheSameTime(Pairs):
    def test_the_last_one_wins_as_a_whole(self):
        seen = collections.Counter()
        for _ in range(ARGUMENTS.runs // 4):
            # Two short and two long ones, so that ends and beginnings meet.
            with ThreadPoolExecutor(4) as pool:
                codes = list(pool.map(lambda model: mo(*self.conversion(model)).returncode, self.models * 2))
            self.assertEqual(codes, [0] * 4)
            self.assertEqual(self.leftovers(), [])
            seen[self.state()] += 1
        print(f"{ARGUMENTS.runs // 4 * 4} concurrent runs: {seen['mixed']} mixed, {seen['no .xml']} lost; {dict(seen)}")
        self.assertEqual(seen["mixed"] + seen["no .xml"], 0)

    def test_a_reader_never_finds_half_of_each(self):
        """At every instant: the old pair, the new one, or no .xml. mo_run tells an .xml and a .bin that it read before and after a change."""
        self.assertEqual(mo(*self.conversion(self.models[0])).returncode, 0)
        writers = [subprocess.Popen([program("mo"), "--silent", *self.conversion(m)], stdout=subprocess.DEVNULL) for m in self.models * 4]
        states = collections.Counter()
        while any(w.poll() is None for w in writers):
            # Read twice: only what did not change in between is one state of the folder.
            first, second = self.pair(), self.pair()
            if first == second and None not in first:
                states[self.state_of(first)] += 1
        self.assertEqual([w.returncode for w in writers], [0] * 8)
        self.assertEqual(states["mixed"], 0, states)

    def test_mo_run_detects_the_bin_of_another_model(self):
        write(self.path("x.npy"), npy(64))
        arguments = self.path("alone0", "m.xml"), "--input", self.path("x.npy"), "--output_dir", self.path("results")
        self.assertEqual(mo_run(*arguments).returncode, 0)
        write(self.path("alone0", "m.bin"), floats(64, 4.0))
        done = mo_run(*arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(b"MO-IR-0014", done.stdout)

    def state_of(self, pair):
        return self.pairs.index(pair) if pair in self.pairs else "mixed"


class Killed(Pairs):
    def test_at_any_moment(self):
        self.assertEqual(mo(*self.conversion(self.models[0])).returncode, 0)
        start = time.perf_counter()
        mo(*self.conversion(self.models[1]))
        whole = time.perf_counter() - start
        seen, hit = collections.Counter(), 0
        chance = random.Random(7)
        for i in range(ARGUMENTS.kills):
            process = subprocess.Popen([program("mo"), "--silent", *self.conversion(self.models[i % 2])], stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, whole * 1.1))
            process.kill()
            code = process.wait()
            hit += code != 0
            state = self.state()
            seen[state] += 1
            if code == 0:
                self.assertEqual(state, i % 2)
            self.assertLessEqual(len(self.leftovers()), 1)
        print(f"{ARGUMENTS.kills} kills ({hit} before the end): {seen['mixed']} mixed; {dict(seen)}")
        self.assertEqual(seen["mixed"], 0)
        self.assertEqual(mo(*self.conversion(self.models[0])).returncode, 0)
        self.assertEqual((self.state(), self.leftovers()), (0, []))

    def test_other_signals_leave_no_files(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number.name):
                process = subprocess.Popen([program("mo"), "--silent", *self.conversion(self.models[1], "new/folder")], stdout=subprocess.DEVNULL,
                                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
                # As soon as it writes.
                while process.poll() is None and not os.path.isdir(self.path("new", "folder")):
                    pass
                process.send_signal(number)
                code = process.wait()
                if code == -number:
                    self.assertIn(self.files(self.path("new", "folder")) if os.path.isdir(self.path("new", "folder")) else [], ([], ["m.bin", "m.xml"]))
                else:
                    self.assertEqual(code, 0)
                shutil.rmtree(self.path("new"), ignore_errors=True)


class Places(Folder):
    def test_a_limit_on_the_size_of_files_is_an_error(self):
        path = self.model("m", floats(1 << 20))
        done = mo("--input_model", path, "--output_dir", self.path("out/deeper"),
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.assertEqual(done.returncode, 7, done.stdout)
        self.assertIn(b"MO-EMIT-0001", done.stdout)
        self.assertIn(b"ulimit -f", done.stdout)
        self.assertEqual(self.files(), ["m.data", "m.onnxtxt"])  # the folder that was made for it is gone, too

    def test_folders_are_created_with_their_parents(self):
        """Whatever option names the place."""
        self.model("m", floats(16))
        convert = "convert m.onnxtxt --silent -o ir"
        places = {
            "convert m.onnxtxt --silent -o NEW": ["m.bin", "m.xml"],
            "convert m.onnxtxt --silent -o NEW/x.onnx": ["x.onnx"],
            f"{convert} --report NEW/r.html": ["r.html"],
            f"{convert} --depfile NEW/m.d": ["m.d"],
            f"{convert} --record-usage NEW/u.txt": ["u.txt"],
            "run m.onnxtxt --input random --output_dir NEW": ["0.npy"],
            "run m.onnxtxt --input random --output_dir ir --dump NEW": ["w.npy", "x.npy", "y.npy"],
            "draw m.onnxtxt -o NEW/m.svg": ["m.svg"],
            "diff m.onnxtxt m.onnxtxt -o NEW/m.dot": ["m.dot"],
            "verify m.onnxtxt --report NEW/v.json": ["v.json"],
            "opt m.onnxtxt --passes moc -o NEW/m.mo": ["m.mo"],
            "opt m.onnxtxt --passes moc -o ir/m.mo --trace NEW/t.json": ["t.json"],
            "transform --in_graph=m.onnxtxt --out_graph=NEW/t.onnx --transforms=fold_constants": ["m.data", "t.onnx"],
        }
        for number, (command, expected) in enumerate(places.items()):
            with self.subTest(command):
                done = subprocess.run([program("mo"), *command.replace("NEW", f"{number}/b").split()], cwd=self.folder, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.files(self.path(f"{number}/b")), expected)

    def test_durable_writes_the_same_bytes(self):
        path = self.model("m", floats(16))
        for folder, options in (("a", []), ("b", ["--durable"])):
            self.assertEqual(mo("--input_model", path, "--output_dir", self.path(folder), *options).returncode, 0)
        for name in ("m.xml", "m.bin"):
            self.assertEqual(read(self.path("a", name)), read(self.path("b", name)))


def main():
    global ARGUMENTS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--kills", type=int, default=24)
    ARGUMENTS, rest = parser.parse_known_args()
    output_files.BIN = ARGUMENTS.bin
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
