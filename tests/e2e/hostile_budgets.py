#!/usr/bin/env python3
"""Small models that ask for very much: each ends with a limit error or converts, within its bounds of memory and processor time.

usage: hostile_budgets.py BIN_DIR [CASE ...]     BIN_DIR holds the program `mo`; prints a table
       hostile_budgets.py --self-test

The models are written here, field by field: none of them could be made with a framework.
"""
import os
import resource
import struct
import subprocess
import sys
import tempfile

MEGA = 1_000_000
ADDRESS_SPACE = 8_000 * MEGA


# -- protobuf ------------------------------------------------------------------------------------------------------------------------

def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, n):
    return varint(field << 3) + varint(n)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


# -- ONNX ----------------------------------------------------------------------------------------------------------------------------

def onnx_value(name, dims=(1,), element_type=1):
    shape = b"".join(message(1, number(1, d)) for d in dims)
    return message(1, name) + message(2, message(1, number(1, element_type) + message(2, shape)))


def onnx_output(name):
    return message(1, name)


def onnx_tensor(name, element_type, dims, raw):
    return b"".join(number(1, d) for d in dims) + number(2, element_type) + message(8, name) + message(9, raw)


def onnx_node(op, inputs, outputs, attributes=(), domain=""):
    return (b"".join(message(1, i) for i in inputs) + b"".join(message(2, o) for o in outputs) + message(4, op) +
            b"".join(message(5, a) for a in attributes) + (message(7, domain) if domain else b""))


def onnx_int(name, value):
    return message(1, name) + number(3, value) + number(20, 2)


def onnx_body(name, graph):
    return message(1, name) + message(6, graph) + number(20, 5)


def onnx_ints(name, values):
    return message(1, name) + message(8, b"".join(varint(v) for v in values)) + number(20, 7)


def onnx_graph(nodes, inputs, outputs, tensors=()):
    return (b"".join(message(1, n) for n in nodes) + message(2, "g") + b"".join(message(5, t) for t in tensors) +
            b"".join(message(11, i) for i in inputs) + b"".join(message(12, o) for o in outputs))


def onnx_model(graph, functions=(), domains=("",)):
    opsets = b"".join(message(8, (message(1, d) if d else b"") + number(2, 13 if not d else 1)) for d in domains)
    return number(1, 8) + message(7, graph) + opsets + b"".join(message(25, f) for f in functions)


# -- TensorFlow ----------------------------------------------------------------------------------------------------------------------

def tf_node(name, op, inputs=(), **attributes):
    return (message(1, name) + message(2, op) + b"".join(message(3, i) for i in inputs) +
            b"".join(message(5, message(1, key) + message(2, value)) for key, value in attributes.items()))


FLOAT = number(6, 1)


def tf_shape(dims):
    return b"".join(message(2, number(1, d)) for d in dims)


def tf_input(name="x", dims=(1,)):
    return tf_node(name, "Placeholder", dtype=FLOAT, shape=message(7, tf_shape(dims)))


def tf_constant(name, data_type, dims, values):
    tensor = number(1, data_type) + message(2, tf_shape(dims)) + values
    return tf_node(name, "Const", dtype=number(6, data_type), value=message(8, tensor))


def tf_function(name, inputs, outputs, nodes, returns):
    signature = message(1, name) + b"".join(message(2, message(1, i) + number(3, 1)) for i in inputs) + b"".join(
        message(3, message(1, o) + number(3, 1)) for o in outputs)
    return message(1, signature) + b"".join(message(3, n) for n in nodes) + b"".join(
        message(4, message(1, key) + message(2, value)) for key, value in returns)


def tf_graph(nodes, functions=()):
    library = b"".join(message(1, f) for f in functions)
    return b"".join(message(1, n) for n in nodes) + (message(2, library) if functions else b"")


# -- the cases -----------------------------------------------------------------------------------------------------------------------

def shared_constants(depth, elements=20_000):
    """Per level Relu, Sigmoid and Add of the level before: 2^depth ways, 3 * depth operations."""
    nodes, before = [], "w"
    for i in range(depth):
        nodes += [onnx_node("Relu", [before], [f"p{i}"]), onnx_node("Sigmoid", [before], [f"q{i}"]), onnx_node("Add", [f"p{i}", f"q{i}"], [f"s{i}"])]
        before = f"s{i}"
    nodes.append(onnx_node("Add", ["x", before], ["y"]))
    weights = onnx_tensor("w", 1, [elements], struct.pack("<f", 0.1) * elements)
    return onnx_model(onnx_graph(nodes, [onnx_value("x")], [onnx_output("y")], [weights]))


def ports(count):
    relus = [tf_node(f"a{i}", "Relu", ["x"], T=FLOAT) for i in range(count)] + [tf_node(f"b{i}", "Relu", [f"a{i}:1048575"], T=FLOAT) for i in range(count)]
    return tf_graph([tf_input()] + relus)


def onnx_function_attribute(calls=200, length=4_000_000):
    body = onnx_node("Foo", ["a"], ["o"], [onnx_ints("z", [1] * length)])
    function = message(1, "f") + message(4, "a") + message(5, "o") + message(7, body) + message(9, number(2, 13)) + message(10, "d")
    nodes = [onnx_node("f", ["x" if i == 0 else f"a{i - 1}"], [f"a{i}"], domain="d") for i in range(calls)]
    return onnx_model(onnx_graph(nodes, [onnx_value("x")], [onnx_output(f"a{calls - 1}")]), [function], ("", "d"))


def tf_function_attribute(calls=200, length=4_000_000):
    values = message(1, message(3, b"\1" * length))
    function = tf_function("f", ["a"], ["o"], [tf_node("r", "Relu", ["a"], T=FLOAT, z=values)], [("o", "r:activations:0")])
    return tf_graph([tf_input()] + [tf_node(f"c{i}", "f", ["x" if i == 0 else f"c{i - 1}"]) for i in range(calls)], [function])


def splats(count=20):
    nodes = [tf_input()]
    for i in range(count):
        nodes.append(tf_constant(f"w{i}", 1, (2**26,), varint(5 << 3 | 5) + struct.pack("<f", float(i))))
        nodes.append(tf_node(f"a{i}", "Add", ["x" if i == 0 else f"a{i - 1}", f"w{i}"], T=FLOAT))
    return tf_graph(nodes)


def indices_of_a_large_constant():
    nodes = [onnx_node("Expand", ["w", "r"], ["t"]), onnx_node("Cast", ["t"], ["c"], [onnx_int("to", 9)]), onnx_node("NonZero", ["c"], ["n"]),
             onnx_node("Cast", ["n"], ["f"], [onnx_int("to", 1)]), onnx_node("Add", ["x", "f"], ["y"])]
    tensors = [onnx_tensor("w", 1, [1], struct.pack("<f", 1.0)), onnx_tensor("r", 7, [1], struct.pack("<q", 2**28))]
    return onnx_model(onnx_graph(nodes, [onnx_value("x")], [onnx_output("y")], tensors))


def ifs(count=20_000):
    body = onnx_graph([onnx_node("Relu", ["x"], ["o"])], [], [onnx_output("o")])
    nodes = [onnx_node("If", ["c"], [f"t{i}"], [onnx_body("then_branch", body), onnx_body("else_branch", body)]) for i in range(count)]
    nodes.append(onnx_node("Sum", [f"t{i}" for i in range(count)], ["y"]))
    return onnx_model(onnx_graph(nodes, [onnx_value("x"), onnx_value("c", (), 9)], [onnx_output("y")]))


def branches(count, arguments, given):
    function = tf_function("f", [f"a{i}" for i in range(arguments)], ["o"], [], [("o", "a0")])
    types = message(1, message(6, varint(1) * given))
    case = tf_node("c", "Case", ["i"] + ["x"] * given, branches=message(1, message(9, message(1, "f")) * count), Tin=types,
                   Tout=message(1, message(6, varint(1))))
    return tf_graph([tf_input(), tf_constant("i", 3, (), message(4, b"\0\0\0\0")), case], [function])


def long_names(calls=20, nodes=2000, length=60_000):
    inner = [tf_node(f"n{i}", "Relu", ["a" if i == 0 else f"n{i - 1}:activations:0"], T=FLOAT) for i in range(nodes)]
    function = tf_function("f", ["a"], ["o"], inner, [("o", f"n{nodes - 1}:activations:0")])
    return tf_graph([tf_input()] + [tf_node(f"q{i}" + "q" * length, "f", ["x"]) for i in range(calls)], [function])


def overlapping_weights(count=2000, size=1 << 22):
    """Sums of one large constant that was moved a little each time: little to read, very much to compute and to write."""
    tensors = [onnx_tensor("w", 1, [size // 4], bytes(size))]
    nodes, before = [], "w"
    for i in range(count):
        tensors.append(onnx_tensor(f"c{i}", 1, [1], struct.pack("<f", float(i))))
        nodes += [onnx_node("Add", [before, f"c{i}"], [f"s{i}"]), onnx_node("Mul", ["x", f"s{i}"], [f"y{i}"])]
        before = f"s{i}"
    return onnx_model(onnx_graph(nodes, [onnx_value("x", (size // 4,))], [onnx_output(f"y{i}") for i in range(count)], tensors))


class Case:
    """`exits`: what the program may end with. Bounds: megabytes beyond the size of the file, and seconds of processor time beyond two for each megabyte."""

    def __init__(self, make, suffix, exits=(6,), megabytes=256, seconds=5, arguments=()):
        self.make, self.suffix, self.exits, self.megabytes, self.seconds, self.arguments = make, suffix, exits, megabytes, seconds, arguments


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
    "10 million empty nodes as text, ONNX": Case(lambda: b"graph {" + b"node{}" * 10_000_000 + b"}", ".onnxtxt", (6,)),
    "10 million empty nodes as text, TensorFlow": Case(lambda: b"node{}" * 10_000_000, ".pbtxt", (6,)),
    "more memory than the user allows": Case(lambda: shared_constants(5, 2_000_000), ".onnx", (6,), arguments=("--max-memory", "1MB")),
    "more time than the user allows": Case(overlapping_weights, ".onnx", (6,), seconds=0.5, arguments=("--max-time", "1")),
}


def run(program, case, folder):
    """Exit code, megabytes, processor seconds, size of the input, what was printed, files that are left."""
    model = os.path.join(folder, "model" + case.suffix)
    with open(model, "wb") as file:
        file.write(case.make())
    output = os.path.join(folder, "out")
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    process = subprocess.Popen([program, "--input_model", model, "--output_dir", output, "--silent", *case.arguments], stdout=subprocess.DEVNULL,
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
    assert varint(300) == b"\xac\x02" and message(1, "ab") == b"\n\x02ab"
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
