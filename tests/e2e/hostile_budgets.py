#!/usr/bin/env python3
"""Small models that ask for very much: each ends with a limit error or converts, within its bounds of memory and processor time.

usage: hostile_budgets.py BIN_DIR [CASE ...]     BIN_DIR holds the program `mo`; prints a table
       hostile_budgets.py --self-test

The models are written here, field by field: none of them could be made with a framework.
"""
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from wire_models import DT_INT32, INT64, Onnx, Tf, chunk, floats, int64s, real, varint  # noqa: E402

MEGA = 1_000_000
ADDRESS_SPACE = 8_000 * MEGA


# -- the cases -----------------------------------------------------------------------------------------------------------------------

def shared_constants(depth, elements=20_000):
    """Per level Relu, Sigmoid and Add of the level before: 2^depth ways, 3 * depth operations."""
    nodes, before = [], "w"
    for i in range(depth):
        nodes += [Onnx.node("Relu", [before], [f"p{i}"]), Onnx.node("Sigmoid", [before], [f"q{i}"]), Onnx.node("Add", [f"p{i}", f"q{i}"], [f"s{i}"])]
        before = f"s{i}"
    nodes.append(Onnx.node("Add", ["x", before], ["y"]))
    weights = Onnx.tensor("w", [elements], floats(0.1) * elements)
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (1,))], [Onnx.output("y")], [weights]))


def ports(count):
    relus = [Tf.node(f"a{i}", "Relu", ["x"], T=Tf.type()) for i in range(count)] + [Tf.node(f"b{i}", "Relu", [f"a{i}:1048575"], T=Tf.type()) for i in range(count)]
    return Tf.graph([Tf.input("x", (1,))] + relus)


def onnx_function_attribute(calls=200, length=4_000_000):
    body = Onnx.node("Foo", ["a"], ["o"], z=[1] * length)
    function = Onnx.function("f", ["a"], ["o"], [body])
    nodes = [Onnx.node("f", ["x" if i == 0 else f"a{i - 1}"], [f"a{i}"], domain="local") for i in range(calls)]
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (1,))], [Onnx.output(f"a{calls - 1}")]), functions=[function])


def tf_function_attribute(calls=200, length=4_000_000):
    values = chunk(1, chunk(3, b"\1" * length))
    function = Tf.function("f", [Tf.node("r", "Relu", ["a"], T=Tf.type(), _z=values)], outputs=[("o", "r:activations:0")])
    return Tf.graph([Tf.input("x", (1,))] + [Tf.node(f"c{i}", "f", ["x" if i == 0 else f"c{i - 1}"]) for i in range(calls)], [function])


def splats(count=20):
    nodes = [Tf.input("x", (1,))]
    for i in range(count):
        nodes.append(Tf.constant(f"w{i}", (2**26,), more=real(5, float(i))))
        nodes.append(Tf.node(f"a{i}", "Add", ["x" if i == 0 else f"a{i - 1}", f"w{i}"], T=Tf.type()))
    return Tf.graph(nodes)


def indices_of_a_large_constant():
    nodes = [Onnx.node("Expand", ["w", "r"], ["t"]), Onnx.node("Cast", ["t"], ["c"], to=9), Onnx.node("NonZero", ["c"], ["n"]),
             Onnx.node("Cast", ["n"], ["f"], to=1), Onnx.node("Add", ["x", "f"], ["y"])]
    tensors = [Onnx.tensor("w", [1], floats(1.0)), Onnx.tensor("r", [1], int64s(2**28), INT64)]
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (1,))], [Onnx.output("y")], tensors))


def ifs(count=20_000):
    body = Onnx.graph([Onnx.node("Relu", ["x"], ["o"])], [], [Onnx.output("o")])
    nodes = [Onnx.node("If", ["c"], [f"t{i}"], then_branch={"graph": body}, else_branch={"graph": body}) for i in range(count)]
    nodes.append(Onnx.node("Sum", [f"t{i}" for i in range(count)], ["y"]))
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (1,)), Onnx.value("c", (), 9)], [Onnx.output("y")]))


def branches(count, arguments, given):
    function = Tf.function("f", [], [f"a{i}" for i in range(arguments)], [("o", "a0")])
    types = chunk(1, chunk(6, varint(1) * given))
    case = Tf.node("c", "Case", ["i"] + ["x"] * given, branches=chunk(1, chunk(9, chunk(1, "f")) * count), Tin=types,
                   Tout=chunk(1, chunk(6, varint(1))))
    return Tf.graph([Tf.input("x", (1,)), Tf.constant("i", (), bytes(4), DT_INT32), case], [function])


def long_names(calls=20, nodes=2000, length=60_000):
    inner = [Tf.node(f"n{i}", "Relu", ["a" if i == 0 else f"n{i - 1}:activations:0"], T=Tf.type()) for i in range(nodes)]
    function = Tf.function("f", inner, outputs=[("o", f"n{nodes - 1}:activations:0")])
    return Tf.graph([Tf.input("x", (1,))] + [Tf.node(f"q{i}" + "q" * length, "f", ["x"]) for i in range(calls)], [function])


def overlapping_weights(count=2000, size=1 << 22):
    """Sums of one large constant that was moved a little each time: little to read, very much to compute and to write."""
    tensors = [Onnx.tensor("w", [size // 4], bytes(size))]
    nodes, before = [], "w"
    for i in range(count):
        tensors.append(Onnx.tensor(f"c{i}", [1], floats(float(i))))
        nodes += [Onnx.node("Add", [before, f"c{i}"], [f"s{i}"]), Onnx.node("Mul", ["x", f"s{i}"], [f"y{i}"])]
        before = f"s{i}"
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (size // 4,))], [Onnx.output(f"y{i}") for i in range(count)], tensors))


class Case:
    """`exits`: what the program may end with. Bounds: megabytes beyond the size of the file, and seconds of processor time beyond two for each megabyte.
    `tool`: the subcommand that reads the model; none: it is converted."""

    def __init__(self, make, suffix, exits=(6,), megabytes=256, seconds=5, arguments=(), tool=None):
        self.make, self.suffix, self.exits, self.megabytes, self.seconds, self.arguments = make, suffix, exits, megabytes, seconds, arguments
        self.tool = tool

    def command(self, program, model, output):
        if self.tool:
            return [program, self.tool, model, *self.arguments]
        return [program, "--input_model", model, "--output_dir", output, *self.arguments]


CASES = {
    "constants that are read twice, 18 levels": Case(lambda: shared_constants(18), ".onnx", (0,)),
    "constants that are read twice, 46 levels": Case(lambda: shared_constants(46), ".onnx", (0,)),
    "output 1048575 of 20 nodes": Case(lambda: ports(20), ".pb", (4, 5, 6)),
    "output 1048575 of 1000 nodes": Case(lambda: ports(1000), ".pb", (4, 5, 6)),
    "4 million integers in a function, 200 calls, ONNX": Case(onnx_function_attribute, ".onnx", (5,)),
    "4 million integers in a function, 200 calls, TensorFlow": Case(tf_function_attribute, ".pb", (0, 6)),
    "20 constants of 256 MB that say one number": Case(splats, ".pb", (6,)),
    "indices of 2^28 numbers": Case(indices_of_a_large_constant, ".onnx", (0, 6)),
    "20000 If": Case(ifs, ".onnx", (0,)),
    "200 branches of 100000 arguments, one is given": Case(lambda: branches(200, 100_000, 1), ".pb", (4,)),
    "200 branches of 100000 arguments": Case(lambda: branches(200, 100_000, 100_000), ".pb", (6,)),
    "names of 60000 letters in front of 40000 nodes": Case(long_names, ".pb", (6,)),
    "2000 sums of a constant of 4 MB": Case(overlapping_weights, ".onnx", (6,)),
    "10 million empty nodes as text, ONNX": Case(lambda: b"graph {" + b"node{}" * 10_000_000 + b"}", ".onnxtxt", (4,)),
    "5 million empty nodes as a list in text, ONNX": Case(lambda: b"graph { node: [" + b"{}," * 5_000_000 + b"{}] }", ".onnxtxt", (4,)),
    "10 million empty nodes as text, TensorFlow": Case(lambda: b"node{}" * 10_000_000, ".pbtxt", (4,)),
    "5 million empty nodes without an end as text, TensorFlow": Case(lambda: b"library {" + b"function{}" * 5_000_000, ".pbtxt", (4,)),
    "more memory than the user allows": Case(lambda: shared_constants(5, 2_000_000), ".onnx", (6,), arguments=("--max-memory", "1MB")),
    "more time than the user allows": Case(overlapping_weights, ".onnx", (6,), seconds=0.5, arguments=("--max-time", "1")),
    "20 constants of 256 MB that say one number, mo opt": Case(splats, ".pb", (6,), tool="opt", arguments=("-o", "out.xml")),
    "names of 60000 letters in front of 40000 nodes, mo opt": Case(long_names, ".pb", (6,), tool="opt"),
    "10 million empty nodes as text, mo draw": Case(lambda: b"node{}" * 10_000_000, ".pbtxt", (4,), tool="draw"),
    "names of 60000 letters in front of 40000 nodes, mo run": Case(long_names, ".pb", (6,), tool="run"),
    "more memory than the user allows, mo opt": Case(lambda: shared_constants(5, 2_000_000), ".onnx", (6,), tool="opt", arguments=("-o", "out.xml", "--max-memory", "1MB")),
    "more time than the user allows, mo opt": Case(overlapping_weights, ".onnx", (6,), seconds=0.5, tool="opt", arguments=("-o", "out.xml", "--max-time", "1")),
}


def run(program, case, folder):
    """Exit code, megabytes, processor seconds, size of the input, what was printed, files that are left."""
    model = os.path.join(folder, "model" + case.suffix)
    with open(model, "wb") as file:
        file.write(case.make())
    output = os.path.join(folder, "out")
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    process = subprocess.Popen(case.command(os.path.abspath(program), model, output), stdout=subprocess.DEVNULL, cwd=folder,
                               stderr=open(os.path.join(folder, "log"), "wb"), preexec_fn=limit)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    with open(os.path.join(folder, "log"), errors="replace") as log:
        text = log.read(2000)
    left = os.listdir(output) if os.path.isdir(output) else []
    return process.returncode, usage.ru_maxrss * 1024 / MEGA, usage.ru_utime + usage.ru_stime, os.path.getsize(model), text, left


def judge(case, exit_code, megabytes, seconds, size, left):
    wrong = []
    if exit_code not in case.exits:
        wrong.append(f"exit code {exit_code}, expected {' or '.join(map(str, case.exits))}")
    if megabytes > size / MEGA + case.megabytes:
        wrong.append(f"{megabytes:.0f} MB for {size} bytes")
    if seconds > 2 * size / MEGA + case.seconds:
        wrong.append(f"{seconds:.1f} s for {size} bytes")
    if exit_code != 0 and left:
        wrong.append(f"files are left: {left}")
    return wrong


def self_test():
    case = Case(None, "", (6,))
    assert judge(case, 6, 100, 1, 0, []) == []
    assert len(judge(case, -11, 300, 6, 0, ["m.bin"])) == 4
    assert judge(case, 6, 300, 100, 50 * MEGA, []) == []
    assert varint(300) == b"\xac\x02" and chunk(1, "ab") == b"\n\x02ab"
    print("self test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    program = os.path.join(sys.argv[1], "mo")
    wanted = sys.argv[2:] or CASES
    failed = 0
    print(f"{'exit':>4} {'MB':>6} {'CPU s':>6} {'bytes':>9}  case")
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder:
            exit_code, megabytes, seconds, size, text, left = run(program, CASES[name], folder)
        wrong = judge(CASES[name], exit_code, megabytes, seconds, size, left)
        failed += bool(wrong)
        print(f"{exit_code:>4} {megabytes:>6.0f} {seconds:>6.2f} {size:>9}  {name}", *(f"\n     wrong: {w}" for w in wrong), flush=True)
        if wrong:
            print("     " + text.strip().replace("\n", "\n     "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
