#!/usr/bin/env python3
"""What becomes of files: inputs are never replaced, .xml and .bin always belong together, nothing unfinished stays.

usage: output_files_test.py BIN CC [--runs N] [--kills N]

BIN: folder of the programs. CC: compiler of the library that makes system calls fail (tests/support/failing_calls.c).
--runs: conversions at the same time into one folder (default 40, the long form is 600); --kills: killed conversions (default 24, long 300).
"""
import argparse
import collections
import errno
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ARGUMENTS = None

# Type numbers of ONNX.
FLOAT, BOOL = 1, 9


def onnx(nodes, inputs, tensors, outputs=("y",), size=1):
    """A model in ONNX text form."""
    def value(name):
        return f'{{ name: "{name}" type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: {size} }} }} }} }} }}'
    parts = [f"node {{ {node} }}" for node in nodes]
    parts += [f"initializer {{ {tensor} }}" for tensor in tensors]
    parts += [f"input {value(name)}" for name in inputs] + [f"output {value(name)}" for name in outputs]
    return f'ir_version: 8 opset_import {{ version: 13 }} graph {{ name: "g" {" ".join(parts)} }}'


def external(name, dims, location, kind=FLOAT):
    sizes = " ".join(f"dims: {d}" for d in dims)
    return (f'name: "{name}" data_type: {kind} {sizes} data_location: EXTERNAL '
            f'external_data {{ key: "location" value: "{location}" }}')


def node(op, inputs, outputs):
    return f'op_type: "{op}" ' + " ".join(f'input: "{i}"' for i in inputs) + " " + " ".join(f'output: "{o}"' for o in outputs)


def write(path, content):
    with open(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)
    return path


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def floats(count, value=1.5):
    return struct.pack("<f", value) * count


def program(name):
    return os.path.join(os.path.abspath(ARGUMENTS.bin), name)


def mo(*arguments, **how):
    return subprocess.run([program("mo"), "--silent", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **how)


def mo_run(*arguments, **how):
    return subprocess.run([program("mo_run"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **how)


def npy(count):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + floats(count)


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def files(self, folder=None):
        return sorted(os.listdir(folder or self.folder))

    def model(self, name, weights, ops=("Add",), kind="data"):
        """x + w …, the weights in a file of their own: returns the path of the model."""
        count = len(weights) // 4
        write(self.path(f"{name}.{kind}"), weights)
        names = ["x"] + [f"t{i}" for i in range(len(ops) - 1)] + ["y"]
        nodes = [node(op, [names[i], "w"], [names[i + 1]]) for i, op in enumerate(ops)]
        return write(self.path(f"{name}.onnxtxt"), onnx(nodes, ["x"], [external("w", [count], f"{name}.{kind}")], size=count))


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


class Pairs(Folder):
    """Two models that are written under one name into one folder."""

    def setUp(self):
        super().setUp()
        self.models = [self.model("A", floats(64, 3.0)), self.model("B", floats(1 << 18, 5.0), ("Add", "Mul"))]
        self.pairs = []
        for i, model in enumerate(self.models):
            self.assertEqual(mo(*self.conversion(model, f"alone{i}")).returncode, 0)
            self.pairs.append(self.pair(f"alone{i}"))
        self.assertNotEqual(self.pairs[0], self.pairs[1])

    def conversion(self, model, folder="out"):
        return "--input_model", model, "--model_name", "m", "--output_dir", self.path(folder)

    def pair(self, folder="out"):
        return read(self.path(folder, "m.xml")), read(self.path(folder, "m.bin"))

    def state(self, folder="out"):
        """0, 1: the pair of that model; "no .xml"; "mixed"."""
        pair = self.pair(folder)
        return self.pairs.index(pair) if pair in self.pairs else "no .xml" if pair[0] is None else "mixed"

    def leftovers(self, folder="out"):
        return [name for name in self.files(self.path(folder)) if name not in ("m.xml", "m.bin")]


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

    def test_mo_run_tells_an_xml_from_the_bin_of_another_model(self):
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

    def test_other_signals_leave_nothing(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number.name):
                process = subprocess.Popen([program("mo"), "--silent", *self.conversion(self.models[1], "new/folder")], stdout=subprocess.DEVNULL,
                                           preexec_fn=lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_CORE, (0, 0)))
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
        limits = lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_FSIZE, (1 << 20, 1 << 20))
        done = mo("--input_model", path, "--output_dir", self.path("out/deeper"), preexec_fn=limits)
        self.assertEqual(done.returncode, 7, done.stdout)
        self.assertIn(b"MO-EMIT-0001", done.stdout)
        self.assertIn(b"ulimit -f", done.stdout)
        self.assertEqual(self.files(), ["m.data", "m.onnxtxt"])  # the folder that was made for it is gone, too

    def test_folders_are_made_with_their_parents(self):
        path = self.model("m", floats(16))
        self.assertEqual(mo("--input_model", path, "--output_dir", self.path("a/b/c")).returncode, 0)
        self.assertEqual(self.files(self.path("a/b/c")), ["m.bin", "m.xml"])

    def test_durable_writes_the_same_bytes(self):
        path = self.model("m", floats(16))
        for folder, options in (("a", []), ("b", ["--durable"])):
            self.assertEqual(mo("--input_model", path, "--output_dir", self.path(folder), *options).returncode, 0)
        for name in ("m.xml", "m.bin"):
            self.assertEqual(read(self.path("a", name)), read(self.path("b", name)))


class FailingCalls(Pairs):
    """One call to the file system fails, or the process is killed at it: each call of a conversion in turn."""

    ERRORS = {"write": errno.ENOSPC, "fallocate": errno.ENOSPC, "open": errno.EMFILE, "openat": errno.EMFILE, "flock": errno.ENOLCK}

    def setUp(self):
        super().setUp()
        self.library = self.path("failing_calls.so")
        source = os.path.join(ROOT, "tests", "support", "failing_calls.c")
        subprocess.run([ARGUMENTS.cc, "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], check=True)
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

    def sweep(self, *options, outcome):
        table = collections.defaultdict(collections.Counter)
        for name, number in self.calls(*options).items():
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
        self.assertIn("fsync", self.sweep("--durable", outcome=lambda *call: self.check_error(*call, "--durable")))

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


def main():
    global ARGUMENTS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("cc")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--kills", type=int, default=24)
    ARGUMENTS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
