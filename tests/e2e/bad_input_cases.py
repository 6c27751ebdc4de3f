"""The cases of bad_input_rows.py: files and wires, graphs, values."""
import gzip
import struct
from dataclasses import dataclass, field

from wire_models import DT_INT32, INT64, Onnx, Tf, chunk, chunks, floats, int64s, ir, number, varint


@dataclass
class Case:
    row: int
    title: str
    files: dict  # name -> bytes or text; "->…" is a symbolic link
    exit_code: int  # of `mo`, or of the program that `arguments` begin with
    code: str = ""  # of the first error; empty: no error is expected
    arguments: list = field(default_factory=list)  # instead of --input_model with the first file; {dir} is the folder of the files
    program: str = "mo"
    shell: str = ""  # starts the program, which is "$@", under other circumstances


X, Y = Onnx.value("x"), Onnx.value("y", None)
RELU = Onnx.node("Relu", ["x"], ["y"], "n")
GOOD = Onnx.model(Onnx.graph([RELU], [X], [Y]))
GOOD_TF = Tf.graph([Tf.input(), Tf.op("y", "Relu", "x")])
RELU_LAYER = 'layer { name: "r" type: "ReLU" bottom: "data" top: "r" }\n'
PROTOTXT = 'input: "data" input_shape { dim: 1 dim: 3 dim: 8 dim: 8 }\n'


def onnx(nodes, **more):
    return Onnx.model(Onnx.graph(nodes, [X], [Y], **more))


def files_and_wires():
    """Rows 1 to 16: files that are not models, or not protobuf messages."""
    for ending in ("onnx", "pb", "caffemodel"):
        yield Case(1, f"empty .{ending}", {f"m.{ending}": b"", "m.prototxt": PROTOTXT + RELU_LAYER}, 4, "MO-IO-0020")
    yield Case(2, "random bytes", {"m.onnx": bytes((i * 197 + 89) & 255 for i in range(4096))}, 4, "MO-PB-")
    yield Case(3, "text as binary", {"m.caffemodel": PROTOTXT, "m.prototxt": PROTOTXT + RELU_LAYER}, 4, "MO-CLI-0071")
    yield Case(3, "binary as text", {"m.caffemodel": chunk(1, "n") + chunk(100, chunk(1, "l") + chunk(2, "Split")), "m.prototxt": bytes(range(1, 32)) * 9}, 4, "MO-CAFFE-0001")
    yield Case(4, "Git LFS pointer", {"m.onnx": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"}, 4, "MO-IO-0021")
    yield Case(4, "web page", {"m.pb": "<!DOCTYPE html>\n<html></html>"}, 4, "MO-IO-0022")
    for size in (1, len(GOOD) // 3, len(GOOD) - 1):
        yield Case(5, f"cut off after {size} bytes", {"m.onnx": GOOD[:size]}, 4, "MO-")
    yield Case(6, "varint of 11 bytes", {"m.onnx": GOOD + b"\x08" + b"\xff" * 10 + b"\x01"}, 4, "MO-PB-0004")
    yield Case(7, "length of 2^63-1", {"m.onnx": GOOD + b"\x3a" + varint((1 << 63) - 1)}, 4, "MO-PB-0001")
    yield Case(8, "length of 2^32 that is not there", {"m.pb": GOOD_TF + b"\x0a" + varint(1 << 32)}, 4, "MO-PB-0001")
    body = b""
    for _ in range(200):
        body = Onnx.graph([Onnx.node("If", ["x"], ["y"], then_branch={"graph": body}, else_branch={"graph": body[:0]})])
    yield Case(9, "graphs in graphs, 200 deep", {"m.onnx": Onnx.model(body)}, 6, "MO-ONNX-0017")
    yield Case(10, "10 million open groups", {"m.pb": GOOD_TF + b"\x9b" * 10_000_000}, 4, "MO-PB-")
    yield Case(10, "200 groups in each other", {"m.pb": GOOD_TF + b"\x9b\x06" * 200 + b"\x9c\x06" * 200}, 4, "MO-PB-0005")
    yield Case(11, "field number 0", {"m.onnx": GOOD + b"\x02\x00"}, 4, "MO-PB-0002")
    yield Case(11, "wire types 6", {"m.onnx": GOOD + b"\x0e"}, 4, "MO-PB-0003")
    yield Case(11, "wire types 7", {"m.pb": GOOD_TF + b"\x0f"}, 4, "MO-PB-0003")
    packed = Onnx.attribute("perm", [1, 0])
    single = chunk(1, "perm") + number(8, 1) + number(8, 0) + number(20, 7)
    for title, attribute in (("packed", packed), ("one by one", single), ("mixed", chunk(1, "perm") + number(8, 1) + chunk(8, b"\0") + number(20, 7))):
        node = chunk(1, "x") + chunk(2, "y") + chunk(4, "Transpose") + chunk(5, attribute)
        yield Case(13, f"repeated integers, {title}", {"m.onnx": Onnx.model(Onnx.graph([node], [Onnx.value("x", (2, 3))], [Y]))}, 0)
    yield Case(14, "names that are no UTF-8", {"m.onnx": Onnx.model(Onnx.graph([Onnx.node("Relu", ["x"], [b"\xff\xfe"], b"\xc3(")], [X],
                                                                                [chunk(1, b"\xff\xfe")]))}, 0)
    yield Case(15, "control characters and markup in names", {"m.onnx": onnx([Onnx.node("Relu", ["x"], ["y"], "a\0\x1b<&\"]]>")])}, 0)
    yield Case(16, "name of 64 MB", {"m.onnx": onnx([Onnx.node("Relu", ["x"], ["y"], "n" * (64 << 20))])}, 6, "MO-PB-0008")
    yield Case(65, "gzip", {"m.onnx": gzip.compress(GOOD)}, 4, "MO-IO-0023")
    yield Case(65, "zip", {"m.onnx": b"PK\x03\x04\x14\0\0\0"}, 4, "MO-IO-0023")


def names_and_edges():
    """Rows 17 to 31."""
    y = Tf.op("y", "Relu", "x")
    yield Case(17, "two nodes of one name", {"m.pb": Tf.graph([Tf.input(), y, y])}, 4, "MO-TF-0004")
    twice = Onnx.tensor("w", [2], floats(1, 2))
    yield Case(17, "two initializers of one name", {"m.onnx": onnx([RELU], tensors=[twice, twice])}, 4, "MO-ONNX-0010")
    yield Case(18, "two producers of one tensor", {"m.onnx": onnx([RELU, RELU])}, 4, "MO-ONNX-0010")
    yield Case(19, "unknown tensor", {"m.onnx": onnx([Onnx.node("Relu", ["xx"], ["y"])])}, 4, "MO-ONNX-0011")
    yield Case(19, "unknown node", {"m.pb": Tf.graph([Tf.input(), Tf.op("y", "Relu", "xx")])}, 4, "MO-TF-0006")
    cycle = [Onnx.node("Add", ["x", "b"], ["a"]), Onnx.node("Relu", ["a"], ["b"]), Onnx.node("Relu", ["b"], ["y"])]
    yield Case(20, "cycle", {"m.onnx": onnx(cycle)}, 4, "MO-GRAPH-0010")
    yield Case(21, "node that reads itself", {"m.pb": Tf.graph([Tf.input(), Tf.op("y", "AddV2", "x", "y")])}, 4, "MO-TF-0009")
    yield Case(22, "Exit without Enter", {"m.pb": Tf.graph([Tf.input(), Tf.op("y", "Exit", "x")])}, 4, "MO-TF-")
    yield Case(22, "NextIteration without Merge", {"m.pb": Tf.graph([Tf.input(), Tf.op("y", "NextIteration", "x")])}, 4, "MO-TF-")
    call = Tf.node("z", "f", ["a"])
    outer = [Tf.input(), Tf.node("y", "f", ["x"])]
    yield Case(23, "function that calls itself", {"m.pb": Tf.graph(outer, [Tf.function("f", [call], outputs=(("r", "z:r:0"),))])}, 4, "MO-TF-0014")
    doubling = [Tf.function("f0", [Tf.op("z", "Relu", "a")], outputs=(("r", "z:activations:0"),))]
    for i in range(1, 41):
        doubling.append(Tf.function(f"f{i}", [Tf.node("u", f"f{i - 1}", ["a"]), Tf.node("z", f"f{i - 1}", ["u:r:0"])], outputs=(("r", "z:r:0"),)))
    yield Case(24, "2^40 nodes in functions", {"m.pb": Tf.graph([Tf.input(), Tf.node("y", "f40", ["x"])], doubling)}, 6, "MO-TF-0010")
    calls = [Onnx.function("f0", ["a"], ["b"], [Onnx.node("Relu", ["a"], ["b"])])]
    for i in range(1, 41):
        calls.append(Onnx.function(f"f{i}", ["a"], ["b"], [Onnx.node(f"f{i - 1}", ["a"], ["c"], domain="local"),
                                                           Onnx.node(f"f{i - 1}", ["c"], ["b"], domain="local")]))
    top = Onnx.graph([Onnx.node("f40", ["x"], ["y"], domain="local")], [X], [Y])
    yield Case(24, "2^40 nodes in ONNX functions", {"m.onnx": Onnx.model(top, functions=calls)}, 6, "MO-ONNX-0043")
    own = [Onnx.function("f", ["a"], ["b"], [Onnx.node("f", ["a"], ["b"], domain="local")])]
    yield Case(25, "ONNX function that calls itself",
               {"m.onnx": Onnx.model(Onnx.graph([Onnx.node("f", ["x"], ["y"], domain="local")], [X], [Y]), functions=own)}, 4, "MO-ONNX-0041")
    branch = Onnx.graph([Onnx.node("Identity", ["x"], ["b"])], outputs=[Onnx.value("b", None)])
    for _ in range(40):
        inner = Onnx.node("If", ["c"], ["b"], then_branch={"graph": branch}, else_branch={"graph": branch if len(branch) < 200 else
                          Onnx.graph([Onnx.node("Identity", ["x"], ["b"])], outputs=[Onnx.value("b", None)])})
        branch = Onnx.graph([inner], outputs=[Onnx.value("b", None)])
    deep = Onnx.node("If", ["c"], ["y"], then_branch={"graph": branch}, else_branch={"graph": branch})
    condition = Onnx.value("c", (), 9)
    yield Case(26, "If in If, 41 deep", {"m.onnx": Onnx.model(Onnx.graph([deep], [X, condition], [Y]))}, 6, "MO-EMIT-0009")
    loop = Onnx.graph([Onnx.node("Identity", ["c"], ["d"]), Onnx.node("Relu", ["nowhere"], ["r"])],
                      [Onnx.value("i", (), INT64), Onnx.value("c", (), 9), Onnx.value("s", None)], [Onnx.value("d", (), 9), Onnx.value("r", None)])
    count = Onnx.tensor("k", [], int64s(3), INT64)
    yield Case(27, "body that reads an unknown name", {"m.onnx": onnx([Onnx.node("Loop", ["k", "", "x"], ["y"], body={"graph": loop})], tensors=[count])},
               4, "MO-ONNX-0011")
    yield Case(28, "control edges only", {"m.pb": Tf.graph([Tf.node("a", "NoOp"), Tf.node("b", "NoOp", ["^a"])])}, 4, "MO-TF-0013")
    for text in ("x:999999999999", ":0", "^", "", "x:-1", "x:a"):
        yield Case(29, f"input {text!r}", {"m.pb": Tf.graph([Tf.input(), Tf.op("y", "Relu", text)])}, 4, "MO-TF-0005")
    yield Case(30, "attribute of another kind", {"m.onnx": Onnx.one("Softmax", axis="one")}, 4, "MO-FRONT-0003")
    yield Case(30, "attribute that is missing", {"m.onnx": Onnx.one("DepthToSpace", (1, 4, 2, 2))}, 4, "MO-FRONT-0004")
    yield Case(30, "attributes that have defaults", {"m.onnx": Onnx.one("Conv", tensors=[("w", Onnx.tensor("w", [2, 3, 3, 3], floats(*[1] * 54)))])}, 0)
    yield Case(30, "outputs that the op does not have", {"m.onnx": Onnx.model(Onnx.graph([Onnx.node("Constant", [], ["a", "b"], value_float=1.0),
               Onnx.node("Add", ["x", "a"], ["y"])], [X], [Y]))}, 4, "MO-FRONT-0020")


def tensors():
    """Rows 32 to 45."""
    for dim, exit_code, code in ((-1, 0, ""), (0, 0, ""), (1 << 31, 0, ""), (-5, 4, "MO-ONNX-0023")):
        yield Case(32, f"dimension {dim}", {"m.onnx": Onnx.model(Onnx.graph([RELU], [Onnx.value("x", (dim,))], [Y]))}, exit_code, code)
    add = Onnx.node("Add", ["x", "w"], ["y"])
    yield Case(32, "number of elements beyond 64 bits", {"m.onnx": onnx([add], tensors=[Onnx.tensor("w", [1 << 40, 1 << 40], b"")])}, 4, "MO-")
    yield Case(33, "too few bytes", {"m.onnx": onnx([add], tensors=[Onnx.tensor("w", [2], floats(1))])}, 4, "MO-ONNX-")
    yield Case(33, "too many bytes", {"m.onnx": onnx([add], tensors=[Onnx.tensor("w", [2], floats(1, 2, 3))])}, 4, "MO-ONNX-")
    yield Case(33, "too few bytes of TensorFlow", {"m.pb": Tf.graph([Tf.input(), Tf.constant("w", [2], floats(1)), Tf.op("y", "AddV2", "x", "w")])},
               4, "MO-TF-002")
    both = Onnx.tensor("w", [1], floats(1), more=chunk(4, floats(1)))
    yield Case(34, "data twice", {"m.onnx": onnx([add], tensors=[both])}, 4, "MO-ONNX-")
    yield Case(34, "no data", {"m.onnx": onnx([add], tensors=[Onnx.tensor("w", [2])])}, 4, "MO-ONNX-")
    splat = Tf.constant("w", [1 << 40], more=chunk(5, floats(1)))
    yield Case(35, "one value for 2^40 elements", {"m.pb": Tf.graph([Tf.input(), splat, Tf.op("y", "AddV2", "x", "w")])}, 6, "MO-TF-0023")
    for element in (0, 99):
        yield Case(36, f"data type {element}", {"m.onnx": onnx([add], tensors=[Onnx.tensor("w", [2], floats(1, 2), element)])}, 4, "MO-ONNX-")
    indices = Onnx.tensor("", [1], int64s(7), INT64)
    sparse = chunk(1, Onnx.tensor("w", [1], floats(1))) + chunk(2, indices) + number(3, 2)
    yield Case(37, "index of a sparse tensor out of range", {"m.onnx": onnx([add], more=chunk(15, sparse))}, 4, "MO-ONNX-")
    for location in ("/etc/passwd", "../w.bin", "a/../../w.bin", "a\\w.bin", "C:w.bin", "", "."):
        tensor = Onnx.tensor("w", [2], more=Onnx.external(location=location))
        yield Case(38, f"external data at {location!r}", {"m.onnx": onnx([add], tensors=[tensor])}, 4, "MO-")
    outside = Onnx.tensor("w", [2], more=Onnx.external(location="w.bin"))
    yield Case(39, "external data behind a link", {"m.onnx": onnx([add], tensors=[outside]), "w.bin": "->/etc/hostname"}, 4, "MO-IO-0011")
    for offset in (str((1 << 64) - 4), "100", "-1", "0x10", "1e1", " 5"):
        tensor = Onnx.tensor("w", [2], more=Onnx.external(location="w.bin", offset=offset, length="8"))
        yield Case(40, f"external offset {offset!r}", {"m.onnx": onnx([add], tensors=[tensor]), "w.bin": bytes(16)}, 4, "MO-IO-001")
    many = [Onnx.tensor(f"w{i}", [2], more=Onnx.external(location="w.bin")) for i in range(2000)]
    nodes = [Onnx.node("Add", ["x" if i == 0 else f"t{i - 1}", f"w{i}"], ["y" if i == 1999 else f"t{i}"]) for i in range(2000)]
    yield Case(42, "2,000 tensors on one range", {"m.onnx": onnx(nodes, tensors=many), "w.bin": floats(1, 2)}, 0)
    unknown = Onnx.tensor("w", [2], more=Onnx.external(location="w.bin", owner="me"))
    yield Case(43, "unknown key of external data", {"m.onnx": onnx([add], tensors=[unknown]), "w.bin": floats(1, 2)}, 0)
    graph = Onnx.graph([RELU], [X], [Y])
    for title, imports, code in (("none", [], "MO-"), ("0", [("", 0)], "MO-"), ("2^62", [("", 1 << 62)], "MO-"), ("two", [("", 9), ("", 13)], "MO-")):
        yield Case(44, f"op set: {title}", {"m.onnx": Onnx.model(graph, imports=imports)}, 4, code)
    yield Case(45, "no IR version", {"m.onnx": chunk(7, graph) + chunk(8, number(2, 13))}, 4, "MO-ONNX-")


def operators():
    """Rows 46 to 56."""
    def weights(*dims):
        count = 1
        for d in dims:
            count *= d
        return [("w", Onnx.tensor("w", dims, floats(*[0.5] * count)))]

    three = weights(2, 3, 3, 3)
    for title, tensors_, attributes in (("filter of rank 1", weights(4), {}), ("filter of rank 0", weights(), {}), ("group 0", three, {"group": 0}),
                                        ("group 7", three, {"group": 7}), ("stride 0", three, {"strides": [0, 1]}),
                                        ("dilation 0", three, {"dilations": [0, 1]}), ("kernel larger than the input", weights(2, 3, 20, 20), {})):
        yield Case(46, f"Conv: {title}", {"m.onnx": Onnx.one("Conv", tensors=tensors_, **attributes)}, 4, "MO-")
    for target in ([-1, -1], [5, 7], [0, 0, 0, 0, 0]):
        shape = [("s", Onnx.tensor("s", [len(target)], int64s(*target), INT64))]
        yield Case(47, f"Reshape to {target}", {"m.onnx": Onnx.one("Reshape", tensors=shape)}, 4, "MO-OPS-02")
    for op, attributes in (("Softmax", {"axis": 4}), ("Softmax", {"axis": -5}), ("LogSoftmax", {"axis": 9}), ("Flatten", {"axis": 99}),
                           ("Flatten", {"axis": -99}), ("Hardmax", {"axis": 7}), ("ArgMax", {"axis": 4}), ("ArgMin", {"axis": -5}),
                           ("ReduceMean", {"axes": [4]}), ("ReduceMax", {"axes": [1, 1]}), ("Transpose", {"perm": [0, 0, 1, 2]}),
                           ("Transpose", {"perm": [0, 1]}), ("Concat", {"axis": 4}), ("Concat", {"axis": -5}), ("Split", {"axis": 4}),
                           ("LayerNormalization", {"axis": 4}), ("LpNormalization", {"axis": 4}), ("DepthToSpace", {"blocksize": 0}),
                           ("SpaceToDepth", {"blocksize": 0}), ("Gather", {"axis": 4}), ("GatherElements", {"axis": -5}), ("ScatterElements", {"axis": 4}),
                           ("EyeLike", {}), ("TopK", {"axis": 4}), ("CumSum", {}), ("OneHot", {"axis": 9}), ("Compress", {"axis": 4}),
                           ("Unique", {"axis": 4}), ("QuantizeLinear", {"axis": 9}), ("DequantizeLinear", {"axis": 9})):
        inputs = {"Gather": ["x", "i"], "GatherElements": ["x", "i4"], "ScatterElements": ["x", "i4", "x"], "TopK": ["x", "k"], "CumSum": ["x", "k"],
                  "OneHot": ["i", "k", "v"], "Compress": ["x", "b"], "Concat": ["x", "x"], "LayerNormalization": ["x", "v"],
                  "QuantizeLinear": ["x", "v"], "DequantizeLinear": ["q", "v"]}.get(op, ["x"])
        constants = [("i", Onnx.tensor("i", [1], int64s(0), INT64)), ("i4", Onnx.tensor("i4", [1, 1, 1, 1], int64s(0), INT64)),
                     ("k", Onnx.tensor("k", [1] if op == "TopK" else [], int64s(9), INT64)), ("v", Onnx.tensor("v", [2], floats(1, 2))),
                     ("b", Onnx.tensor("b", [1], b"\1", 9)), ("q", Onnx.tensor("q", [1, 3, 8, 8], bytes(192), 2))]
        opset = {"LayerNormalization": 17}.get(op, 13)
        wanted = (0, "") if op == "EyeLike" else (4, "MO-")
        if op == "EyeLike":
            continue  # takes a matrix; its rank is what the next rows check
        outputs = {"TopK": ["y", "j"], "Split": ["y", "z"]}.get(op, ["y"])
        yield Case(48, f"{op} {attributes or 'axis 9'}", {"m.onnx": Onnx.one(op, tensors=constants, opset=opset, inputs=inputs, outputs=outputs,
                                                                             **attributes)}, *wanted)
    for title, start, end, step, exit_code in (("step 0", 0, 1, 0, 4), ("bounds of 2^63", -(1 << 63), (1 << 63) - 1, 1, 0)):
        constants = [(n, Onnx.tensor(n, [1], int64s(v), INT64)) for n, v in (("s", start), ("e", end), ("a", 1), ("t", step))]
        yield Case(49, f"Slice: {title}", {"m.onnx": Onnx.one("Slice", tensors=constants)}, exit_code, "MO-" if exit_code else "")
    masked = [Tf.input("x", (4,))] + [Tf.constant(n, [1], struct.pack("<i", 1), DT_INT32) for n in "bes"]
    masked.append(Tf.op("y", "StridedSlice", "x", "b", "e", "s", Index=Tf.type(DT_INT32), begin_mask=number(3, 1 << 40)))
    yield Case(49, "mask beyond 31 bits", {"m.pb": Tf.graph(masked)}, 4, "MO-TF-0555")
    pads = [("p", Onnx.tensor("p", [8], int64s(0, 0, -9, 0, 0, 0, 0, 0), INT64))]
    yield Case(50, "Pad that cuts more than there is", {"m.onnx": Onnx.one("Pad", tensors=pads)}, 4, "MO-OPS-")
    tile = [("r", Onnx.tensor("r", [4], int64s(1, 1, 1, 10**9), INT64))]
    yield Case(50, "Tile by 10^9", {"m.onnx": Onnx.one("Tile", tensors=tile)}, 0)
    expand = [("s", Onnx.tensor("s", [5], int64s(10**12, 1, 3, 8, 8), INT64))]
    yield Case(50, "Expand to 10^12", {"m.onnx": Onnx.one("Expand", tensors=expand)}, 0)
    nan = [("w", Onnx.tensor("w", [2], floats(float("nan"), 1e38)))]
    yield Case(52, "NaN and overflow in f16", {"m.onnx": Onnx.one("Add", (2,), tensors=nan)}, 0, arguments=["--input_model", "{dir}/m.onnx",
                                                                                                           "--data_type", "FP16"])
    chain = [Onnx.node("Relu" if i % 2 else "Sigmoid", ["x" if i == 0 else f"t{i - 1}"], ["y" if i == 19_999 else f"t{i}"]) for i in range(20_000)]
    yield Case(53, "chain of 20,000 nodes", {"m.onnx": onnx(chain)}, 0)
    products = [Onnx.node("Mul", ["x" if i == 0 else f"t{i - 1}", "w"], ["y" if i == 9_999 else f"t{i}"]) for i in range(10_000)]
    yield Case(53, "chain of 10,000 products that are fused", {"m.onnx": onnx(products, tensors=[Onnx.tensor("w", [1], floats(1))])}, 0)
    star = [Onnx.node("Relu", ["x"], [f"t{i}"]) for i in range(20_000)] + [Onnx.node("Sum", [f"t{i}" for i in range(20_000)], ["y"])]
    yield Case(54, "one tensor with 20,000 readers", {"m.onnx": onnx(star)}, 0)
    lattice, row = [], ["x", "x"]
    for i in range(5_000):
        lattice += [Onnx.node("Add", row, [f"a{i}"]), Onnx.node("Add", row[::-1], [f"b{i}"])]
        row = [f"a{i}", f"b{i}"]
    yield Case(55, "lattice of 10,000 additions", {"m.onnx": onnx(lattice + [Onnx.node("Add", row, ["y"])])}, 0)
