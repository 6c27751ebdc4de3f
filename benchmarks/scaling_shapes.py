"""The shapes of graph of scaling.py: each makes a model of about `n` nodes, or whatever it counts."""
import os
import sys
from dataclasses import dataclass

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "support"))
from wire_models import FLOAT, INT64, Onnx, Tf, chunk, floats, int64s, ir, number  # noqa: E402


@dataclass
class Model:
    files: dict  # name -> bytes or text; the first is the model
    exit_code: int = 0
    arguments: tuple = ()  # instead of --input_model
    program: str = "mo"


def onnx(nodes, shape=(4,), tensors=(), outputs=("y",), inputs=None, **more):
    values = [Onnx.value(name, shape) for name in inputs or ("x",)]
    graph = Onnx.graph(nodes, values, [Onnx.value(name, None) for name in outputs], tensors)
    return Model({"m.onnx": Onnx.model(graph, **more)})


def chain(n, make, shape=(4,), tensors=(), per_link=1):
    """x -> t0 -> t1 … -> y; `make(i, source, target)` gives the nodes of link i, which count for `per_link`."""
    links = max(n // per_link, 1)
    nodes = []
    for i in range(links):
        made = make(i, "x" if i == 0 else f"t{i - 1}", "y" if i == links - 1 else f"t{i}")
        nodes += made if isinstance(made, list) else [made]
    return onnx(nodes, shape, tensors)


def ops(*cycle, **attributes):
    """Links of these operators in turn, each with one input."""
    return lambda i, a, b: Onnx.node(cycle[i % len(cycle)], [a], [b], f"n{i}", **attributes)


def binary(op):
    return lambda i, a, b: Onnx.node(op, [a, "w"], [b], f"n{i}")


W = Onnx.tensor("w", [4], floats(1, 2, 3, 4))


def ints(name, *values):
    return Onnx.tensor(name, [len(values)], int64s(*values), INT64)


def conv_bn_relu(i, a, b):
    return [Onnx.node("Conv", [a, "k"], [f"c{i}"], f"conv{i}"), Onnx.node("BatchNormalization", [f"c{i}", "s", "s", "s", "s"], [f"b{i}"], f"bn{i}"),
            Onnx.node("Relu", [f"b{i}"], [b], f"relu{i}")]


def quantized(i, a, b):
    return [Onnx.node("QuantizeLinear", [a, "s", "z"], [f"q{i}"], f"q{i}"), Onnx.node("DequantizeLinear", [f"q{i}", "s", "z"], [b], f"d{i}")]


def read_shape(i, a, b):
    return [Onnx.node("Shape", [a], [f"s{i}"]), Onnx.node("Reshape", [a, f"s{i}"], [b])]


def hard_swish(i, a, b):
    return [Onnx.node("Add", [a, "three"], [f"a{i}"]), Onnx.node("Clip", [f"a{i}", "zero", "six"], [f"c{i}"]), Onnx.node("Mul", [a, f"c{i}"], [f"m{i}"]),
            Onnx.node("Div", [f"m{i}", "six"], [b])]


def scalar(name, value):
    return Onnx.tensor(name, [], floats(value))


def fan(n):
    return onnx([Onnx.node("Relu", ["x"], [f"y{i}"], f"n{i}") for i in range(n)], outputs=[f"y{i}" for i in range(n)])


def star(n):
    leaves = [Onnx.node("Sigmoid", ["x"], [f"t{i}"], f"n{i}") for i in range(n)]
    return onnx(leaves + [Onnx.node("Concat", [f"t{i}" for i in range(n)], ["y"], axis=0)])


def many_inputs(n):
    return onnx([Onnx.node("Relu", [f"x{i}"], [f"y{i}"]) for i in range(n)], inputs=[f"x{i}" for i in range(n)], outputs=[f"y{i}" for i in range(n)])


def many_constants(n):
    return chain(n, lambda i, a, b: Onnx.node("Max", [a, f"w{i}"], [b]), tensors=[Onnx.tensor(f"w{i}", [4], floats(i, 2, 3, 4)) for i in range(n)])


def long_concat_of_constants(n):
    return onnx([Onnx.node("Concat", ["x"] + [f"w{i}" for i in range(n)], ["y"], axis=0)], tensors=[Onnx.tensor(f"w{i}", [1], floats(i)) for i in range(n)])


def split(n):
    node = Onnx.node("Split", ["x"], [f"y{i}" for i in range(n)], axis=0)
    return onnx([node], shape=(n,), outputs=[f"y{i}" for i in range(n)])


def lattice(n):
    nodes, row = [], ["x", "x"]
    for i in range(n // 2):
        nodes += [Onnx.node("Add", row, [f"a{i}"]), Onnx.node("Mul", row[::-1], [f"b{i}"])]
        row = [f"a{i}", f"b{i}"]
    return onnx(nodes + [Onnx.node("Add", row, ["y"])])


def sequential_ifs(n):
    def branch(op, a):
        return {"graph": Onnx.graph([Onnx.node(op, [a], ["r"])], outputs=[Onnx.value("r", None)])}

    nodes = [Onnx.node("If", ["c"], [f"t{i}" if i < n - 1 else "y"], f"if{i}", then_branch=branch("Relu", "x" if i == 0 else f"t{i - 1}"),
                       else_branch=branch("Sigmoid", "x" if i == 0 else f"t{i - 1}")) for i in range(n)]
    graph = Onnx.graph(nodes, [Onnx.value("x", (4,)), Onnx.value("c", (), 9)], [Onnx.value("y", None)])
    return Model({"m.onnx": Onnx.model(graph)})


def big_body(n):
    inner = [Onnx.node("Mul", ["x" if i == 0 else f"u{i - 1}", "w"], [f"u{i}"], f"n{i}") for i in range(n)]
    then = {"graph": Onnx.graph(inner, outputs=[Onnx.value(f"u{n - 1}", None)])}
    other = {"graph": Onnx.graph([Onnx.node("Relu", ["x"], ["r"])], outputs=[Onnx.value("r", None)])}
    graph = Onnx.graph([Onnx.node("If", ["c"], ["y"], then_branch=then, else_branch=other)], [Onnx.value("x", (4,)), Onnx.value("c", (), 9)],
                       [Onnx.value("y", None)], [W])
    return Model({"m.onnx": Onnx.model(graph)})


def functions(n, count):
    """`count` functions, `n` calls."""
    made = [Onnx.function(f"f{i}", ["a"], ["b"], [Onnx.node("Relu", ["a"], ["b"], "r")]) for i in range(count)]
    nodes = [Onnx.node(f"f{i % count}", ["x" if i == 0 else f"t{i - 1}"], [f"t{i}" if i < n - 1 else "y"], f"n{i}", "local") for i in range(n)]
    return onnx(nodes, functions=made)


def unknown_operators(n):
    return Model(chain(n, lambda i, a, b: Onnx.node(f"Unheard{i}", [a], [b])).files, 5)


def unknown_tensors(n):
    return Model(onnx([Onnx.node("Relu", [f"nowhere{i}"], [f"y{i}"]) for i in range(n)], outputs=[f"y{i}" for i in range(n)]).files, 4)


def equal_names(n):
    return chain(n, lambda i, a, b: Onnx.node("Sigmoid", [a], [b], "same"))


def unused_tensors(n):
    return onnx([Onnx.node("Relu", ["x"], ["y"])], tensors=[Onnx.tensor(f"w{i}", [1], floats(i)) for i in range(n)])


def tf(nodes, functions_=(), exit_code=0):
    return Model({"m.pb": Tf.graph(nodes, functions_)}, exit_code)


def tf_chain(n, op, *more):
    return tf([Tf.input("x", (4,)), *more] + [Tf.op(f"t{i}", op, "x" if i == 0 else f"t{i - 1}", *(["w"] if more else [])) for i in range(n)])


def tf_unknown_inputs(n):
    return tf([Tf.input("x", (4,))] + [Tf.op(f"t{i}", "Relu", f"nowhere{i}") for i in range(n)], exit_code=4)


def tf_inputs_unused(n):
    return tf([Tf.input(f"x{i}", (4,)) for i in range(n)] + [Tf.op("y", "Relu", "x0")])


def tf_functions(n):
    made = [Tf.function(f"f{i}", [Tf.op("z", "Relu", "a")], outputs=(("r", "z:activations:0"),)) for i in range(n)]
    return tf([Tf.input("x", (4,))] + [Tf.node(f"t{i}", f"f{i}", ["x" if i == 0 else f"t{i - 1}:0"]) for i in range(n)], made)


def tf_signature(n):
    def entry(kind, name, tensor):
        info = chunk(1, tensor) + number(2, 1) + chunk(3, Tf.shape([4]))
        return chunk(kind, chunk(1, name) + chunk(2, info))

    graph = Tf.graph([Tf.input(f"x{i}", (4,)) for i in range(n)] + [Tf.op(f"y{i}", "Relu", f"x{i}") for i in range(n)])
    signature = b"".join(entry(1, f"in{i}", f"x{i}:0") + entry(2, f"out{i}", f"y{i}:0") for i in range(n))
    meta = chunk(1, chunk(4, "serve")) + chunk(2, graph) + chunk(5, chunk(1, "serving_default") + chunk(2, signature))
    return Model({"s/saved_model.pb": number(1, 1) + chunk(2, meta)}, arguments=("--saved_model_dir", "{dir}/s"))


def tf_convolutions(n):
    nodes = [Tf.input("x", (1, 8, 8, 2)), Tf.constant("k", (1, 1, 2, 2), floats(1, 2, 3, 4)), Tf.constant("b", (2,), floats(1, 2))]
    strides = chunk(1, chunk(3, b"\1\1\1\1"))
    for i in range(max(n // 3, 1)):
        nodes += [Tf.op(f"c{i}", "Conv2D", "x" if i == 0 else f"r{i - 1}", "k", strides=strides, padding=chunk(2, "SAME")),
                  Tf.op(f"b{i}", "BiasAdd", f"c{i}", "b"), Tf.op(f"r{i}", "Relu", f"b{i}")]
    return tf(nodes)


def caffe_chain(n, in_place):
    text = 'input: "data" input_shape { dim: 1 dim: 4 }\n'
    blob = "data"
    for i in range(n):
        top = blob if in_place and i else f"t{i}"
        text += f'layer {{ name: "l{i}" type: "{"TanH" if i % 2 else "ReLU"}" bottom: "{blob}" top: "{top}" }}\n'
        blob = top
    weights = chunk(1, "n") + chunk(100, chunk(1, "other") + chunk(2, "Split"))
    return Model({"m.caffemodel": weights, "m.prototxt": text})


def ir_names(n):
    """One port with n names; mo_run reads the file and then misses the input."""
    port = ((0, (2,)),)
    text = ir([(0, "Parameter", "opset1", {"shape": "2", "element_type": "f32"}, (), port), (1, "Result", "opset1", {}, port, ())], [(0, 0, 1, 0)])
    text = text.replace('<port id="0" precision="FP32">', f'<port id="0" precision="FP32" names="{",".join(f"name{i}" for i in range(n))}">', 1)
    return Model({"m.xml": text}, 2, ("{dir}/m.xml",), "mo_run")


MILLION = 1_000_000
MOST_CALLS, MOST_LAYERS = 262_144, 65_536  # more are refused: MO-ONNX-0043, MO-CAFFE-0001
SHAPES = {  # name -> (largest size, maker)
    "Relu, Sigmoid": (MILLION, lambda n: chain(n, ops("Relu", "Sigmoid"))),
    "Identity": (MILLION, lambda n: chain(n, ops("Identity"))),
    "Mul by a constant": (MILLION, lambda n: chain(n, binary("Mul"), tensors=[W])),
    "Add of a constant": (MILLION, lambda n: chain(n, binary("Add"), tensors=[W])),
    "Mul and Add of constants": (MILLION, lambda n: chain(n, lambda i, a, b: binary("Mul" if i % 2 else "Add")(i, a, b), tensors=[W])),
    "Div, Sub": (MILLION, lambda n: chain(n, lambda i, a, b: binary("Div" if i % 2 else "Sub")(i, a, b), tensors=[W])),
    "Reshape": (MILLION, lambda n: chain(n, lambda i, a, b: Onnx.node("Reshape", [a, f"s{i % 2}"], [b], f"n{i}"), tensors=[ints("s0", 2, 2), ints("s1", 4)])),
    "Transpose": (MILLION, lambda n: chain(n, ops("Transpose", perm=[1, 0]), shape=(2, 3))),
    "Squeeze, Unsqueeze": (MILLION, lambda n: chain(n, lambda i, a, b: Onnx.node("Squeeze" if i % 2 else "Unsqueeze", [a, "a"], [b]), tensors=[ints("a", 0)])),
    "Cast": (MILLION, lambda n: chain(n, lambda i, a, b: Onnx.node("Cast", [a], [b], to=FLOAT if i % 2 else INT64))),
    "Clip": (MILLION, lambda n: chain(n, lambda i, a, b: Onnx.node("Clip", [a, "lo", "hi"], [b]), tensors=[scalar("lo", 0), scalar("hi", 6)])),
    "Pad": (MILLION, lambda n: chain(n, lambda i, a, b: Onnx.node("Pad", [a, "p"], [b]), tensors=[ints("p", 0, 1)])),
    "Concat, pairs": (MILLION, lambda n: chain(n, lambda i, a, b: Onnx.node("Concat", [a, "w"], [b], axis=0), tensors=[W])),
    "Conv, BatchNormalization, Relu": (MILLION, lambda n: chain(n, conv_bn_relu, (1, 1, 4, 4), [
        Onnx.tensor("k", [1, 1, 1, 1], floats(2)), Onnx.tensor("s", [1], floats(1))], 3)),
    "QuantizeLinear, DequantizeLinear": (MILLION, lambda n: chain(n, quantized, tensors=[scalar("s", 0.1), Onnx.tensor("z", [], b"\0", 3)], per_link=2)),
    "Shape, Reshape": (MILLION, lambda n: chain(n, read_shape, shape=("a", "b"), per_link=2)),
    "MatMul": (MILLION, lambda n: chain(n, binary("MatMul"), (1, 2), [Onnx.tensor("w", [2, 2], floats(1, 2, 3, 4))])),
    "spelled-out HardSwish": (MILLION, lambda n: chain(n, hard_swish, tensors=[scalar("three", 3), scalar("zero", 0), scalar("six", 6)], per_link=4)),
    "fan: many readers and outputs": (MILLION, fan),
    "star: many inputs of one node": (MILLION, star),
    "many inputs of the model": (MILLION, many_inputs),
    "many constants": (MILLION, many_constants),
    "constants that nobody reads": (MILLION, unused_tensors),
    "Concat of many constants": (MILLION, long_concat_of_constants),
    "Split with many outputs": (MILLION, split),
    "lattice": (MILLION, lattice),
    "many Ifs": (MILLION, sequential_ifs),
    "Mul by a constant in a branch": (MILLION, big_body),
    "many functions": (MOST_CALLS, lambda n: functions(n, n)),
    "one function, many calls": (MOST_CALLS, lambda n: functions(n, 1)),
    "nodes of one name": (MILLION, equal_names),
    "unknown operators": (MILLION, unknown_operators),
    "unknown tensors": (MILLION, unknown_tensors),
    "TensorFlow: Relu": (MILLION, lambda n: tf_chain(n, "Relu")),
    "TensorFlow: Mul by a constant": (MILLION, lambda n: tf_chain(n, "Mul", Tf.constant("w", (4,), floats(1, 2, 3, 4)))),
    "TensorFlow: Conv2D, BiasAdd, Relu": (MILLION, tf_convolutions),
    "TensorFlow: unknown inputs": (MILLION, tf_unknown_inputs),
    "TensorFlow: inputs that nobody reads": (MILLION, tf_inputs_unused),
    "TensorFlow: functions": (MILLION, tf_functions),
    "TensorFlow: tensors of a signature": (MILLION, tf_signature),
    "Caffe: layers": (MOST_LAYERS, lambda n: caffe_chain(n, False)),
    "Caffe: layers in place": (MOST_LAYERS, lambda n: caffe_chain(n, True)),
    "IR: names of one port": (MILLION, ir_names),
}
