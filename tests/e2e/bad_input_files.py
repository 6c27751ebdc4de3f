"""The cases of bad_input_rows.py beside a single model of ONNX or TensorFlow: Caffe, folders, configurations, options, outputs, IRs."""
import json
import struct

from bad_input_cases import GOOD, GOOD_TF, PROTOTXT, X, Y, Case
from wire_models import Onnx, Tf, chunk, floats, ir, number

MODEL = ["--input_model", "{dir}/m.onnx"]
NET = chunk(1, "n") + chunk(100, chunk(1, "other") + chunk(2, "Split"))  # unused weights


def caffe():
    """Rows 57 to 60."""
    def case(row, title, layers, exit_code, code, weights=NET, head=PROTOTXT):
        return Case(row, title, {"m.caffemodel": weights, "m.prototxt": head + layers}, exit_code, code)

    relu = 'layer { name: "r" type: "ReLU" bottom: "data" top: "r" }\n'
    yield case(57, "unknown layer", 'layer { name: "r" type: "Unheard" bottom: "data" top: "r" }', 5, "MO-FRONT-0001")
    yield case(57, "layer without its bottom", 'layer { name: "r" type: "ReLU" top: "r" }', 4, "MO-")
    yield case(57, "unknown blob", 'layer { name: "r" type: "ReLU" bottom: "dta" top: "r" }', 4, "MO-CAFFE-0007")
    yield case(57, "two layers with one top", relu + 'layer { name: "s" type: "TanH" bottom: "data" top: "r" }', 4, "MO-CAFFE-0006")
    yield case(57, "chain in place", relu + 'layer { name: "s" type: "TanH" bottom: "r" top: "r" }', 0, "")
    yield case(57, "layer of the V1 form", 'layers { name: "r" type: RELU bottom: "data" top: "r" }', 0, "")
    inner = 'layer { name: "p" type: "InnerProduct" bottom: "data" top: "p" inner_product_param { num_output: 2 bias_term: false } }\n'

    def blob(shape):
        return chunk(1, "n") + chunk(100, chunk(1, "p") + chunk(2, "InnerProduct") + chunk(7, chunk(5, floats(*[1] * 8)) + shape))

    yield case(58, "fewer weights than the shape", inner, 4, "MO-CAFFE-00", blob(chunk(7, chunk(1, b"\x02\xc0\x01"))))
    yield case(58, "negative legacy shape", inner, 4, "MO-CAFFE-00", blob(b"".join(number(f, v) for f, v in ((1, 1), (2, 1), (3, -2), (4, 4)))))
    yield case(58, "weights of another net", inner, 2, "MO-CAFFE-0031")
    for title, text in (("unterminated string", 'name: "a'), ("10,000 open brackets", "a {" * 10_000), ("NUL", "name: \0"),
                        ("number beyond double", 'layer { name: "d" type: "Dropout" bottom: "data" top: "r" dropout_param { dropout_ratio: 1e400x } }')):
        yield case(59, title, text, 4, "MO-CAFFE-0001")
    yield case(59, "comment at the end", relu + "# the end", 0, "")
    mean = number(1, 1) + number(2, 3) + number(3, 1 << 30) + number(4, 1 << 30)
    yield Case(60, "mean image of 2^60 pixels", {"m.caffemodel": NET, "m.prototxt": PROTOTXT + relu, "mean.binaryproto": mean}, 4, "MO-CAFFE-00",
               ["--input_model", "{dir}/m.caffemodel", "--mean_file", "{dir}/mean.binaryproto"])


def saved_models():
    """Rows 61 to 64."""
    folder = ["--saved_model_dir", "{dir}/s"]
    good = Tf.saved_model(GOOD_TF)
    yield Case(61, "folder without a model", {"s/a": ""}, 3, "MO-TF-0030", folder)
    yield Case(61, "two models", {"s/saved_model.pb": good, "s/saved_model.pbtxt": ""}, 4, "MO-TF-0031", folder)
    yield Case(61, "tags that are not there", {"s/saved_model.pb": good}, 4, "MO-TF-0032", folder + ["--saved_model_tags", "train"])
    variable = [Tf.input(), Tf.node("v", "VarHandleOp", dtype=Tf.type(), shape=chunk(7, Tf.shape([2]))),
                Tf.node("r", "ReadVariableOp", ["v"], dtype=Tf.type()), Tf.op("y", "AddV2", "x", "r")]
    variables = {"s/saved_model.pb": Tf.saved_model(Tf.graph(variable))}
    yield Case(61, "no variables", variables, 5, "MO-TF-0040", folder)
    index, data = "s/variables/variables.index", "s/variables/variables.data-00000-of-00001"
    yield Case(62, "index without a magic number", {**variables, index: bytes(64), data: b""}, 4, "MO-TF-04", folder)
    footer = struct.pack("<Q", 0xDB4775248B80FB57)
    handles = (b"\xff" * 9 + b"\x01") * 4
    yield Case(62, "block outside of the index", {**variables, index: bytes(48) + handles[:40] + footer, data: b""}, 4, "MO-TF-04", folder)
    yield Case(63, "empty index", {**variables, index: b"", data: b""}, 4, "MO-", folder)
    yield Case(64, "index that is cut off", {**variables, index: footer, data: b""}, 4, "MO-TF-04", folder)


def configurations():
    """Rows 66 to 70."""
    def config(text, title, code, row=66):
        return Case(row, title, {"m.onnx": GOOD, "c.json": text}, 9, code, MODEL + ["--transformations_config", "{dir}/c.json"])

    for title, text in (("comma at the end", "[{},]"), ("two keys of one name", '[{"id": "a", "id": "b"}]'), ("100,000 open lists", "[" * 100_000),
                        ("number beyond double", "[1e999]"), ("no UTF-8", b'["\xff"]'), ("half of a pair of surrogates", r'["\ud800"]'),
                        ("no list", '"text"'), ("unknown match_kind", '[{"id": "a", "match_kind": "some"}]'),
                        ("unknown id", '[{"id": "a", "match_kind": "general"}]')):
        yield config(text, title, "MO-CONFIG-")
    scope = [{"id": "ObjectDetectionAPISSDPostprocessorReplacement", "match_kind": "scope", "instances": ["(a+)+$"], "inputs": [], "outputs": []}]
    names = Onnx.model(Onnx.graph([Onnx.node("Relu", ["x"], ["y"], "a" * 5000 + "b")], [X], [Y]))
    yield Case(67, "expression that backtracks", {"m.onnx": names, "c.json": json.dumps(scope)}, 9, "MO-CONFIG-0241",
               MODEL + ["--transformations_config", "{dir}/c.json"])
    points = [{"id": "any", "op": "Z", "match_kind": "points", "instances": {"start_points": ["nowhere"], "end_points": ["n"]}}]
    yield Case(68, "start point that does not exist", {"m.onnx": GOOD, "c.json": json.dumps(points)}, 0, "",
               MODEL + ["--transformations_config", "{dir}/c.json"])
    pipeline = "--tensorflow_object_detection_api_pipeline_config"
    for title, text, code in (("garbage", "model { ssd { \x01", "MO-CONFIG-0200"), ("no model", "train_config { }", "MO-CONFIG-0203"),
                              ("nested", "a {" * 10_000, "MO-CONFIG-0200")):
        yield Case(69, title, {"m.pb": GOOD_TF, "p.config": text}, 9, code, ["--input_model", "{dir}/m.pb", pipeline, "{dir}/p.config"])
    for text, code in (("LowLatency2(use=true", "MO-CONFIG-0040"), ("LowLatency2[use_const_initializer=\u201ctrue\u201d]", "MO-CONFIG-0040"),
                       ("LowLatency2\nX", "MO-CONFIG-0041"), ("Unheard", "MO-CONFIG-0041"), ("LowLatency2[x=1;x=1]", "MO-PASS-0026"),
                       ("LowLatency2,LowLatency2", "MO-CONFIG-0040"), ("LowLatency2[use_const_initialiser=true]", "MO-PASS-0022")):
        yield Case(70, f"--transform {text!r}", {"m.onnx": GOOD}, 2, code, MODEL + ["--transform", text])


def options():
    """Rows 71 to 74: command line and places of outputs."""
    for text in ("x[1,,3]", "x[-2]", "x[99999999999]", "x{f99}", "x[1"):
        yield Case(71, f"--input {text}", {"m.onnx": GOOD}, 2, "MO-CLI-001", MODEL + ["--input", text])
    yield Case(71, "--input of another model", {"m.onnx": GOOD}, 2, "MO-CUT-0001", MODEL + ["--input", "z"])
    yield Case(72, "--output_dir is a file", {"m.onnx": GOOD, "out": "x"}, 7, "MO-DRIVER-0002", MODEL + ["--output_dir", "{dir}/out"])
    yield Case(72, "--output_dir below a file", {"m.onnx": GOOD, "out": "x"}, 7, "MO-", MODEL + ["--output_dir", "{dir}/out/deep"])
    for name, exit_code in (("../../z", 2), ("a/../b", 2), ("a/b", 0), ("n" * 300, 2), ("größe", 0)):
        yield Case(73, f"--model_name {name[:20]}", {"m.onnx": GOOD}, exit_code, "MO-" if exit_code else "", MODEL + ["--model_name", name])
    data = Onnx.tensor("w", [200], more=Onnx.external(location="m.bin"))
    graph = Onnx.graph([Onnx.node("Add", ["x", "w"], ["y"])], [Onnx.value("x", (200,))], [Y], [data])
    yield Case(74, "output in the place of external data", {"m.onnx": Onnx.model(graph), "m.bin": floats(*[1] * 200)}, 7, "MO-EMIT-0003",
               MODEL + ["--output_dir", "{dir}"])


def intermediate_representations():
    """Row 77, by mo_run."""
    parameter = (0, "Parameter", "opset1", {"shape": "2", "element_type": "f32"}, (), ((0, (2,)),))
    relu = (1, "ReLU", "opset1", {}, ((0, (2,)),), ((1, (2,)),))
    result = (2, "Result", "opset1", {}, ((0, (2,)),), ())
    edges = [(0, 0, 1, 0), (1, 1, 2, 0)]
    good = ir([parameter, relu, result], edges)

    def case(title, text, code="MO-IR-", exit_code=4, **more):
        return Case(77, title, {"m.xml": text, **more}, exit_code, code, ["{dir}/m.xml"], "mo_run")

    yield case("document type", good.replace("<net", "<!DOCTYPE net [<!ENTITY a 'b'>]><net", 1))
    laughs = "".join(f"<!ENTITY l{i} '{f'&l{i - 1};' * 10}'>" for i in range(1, 10))
    yield case("billion laughs", good.replace("<net", f"<!DOCTYPE net [<!ENTITY l0 'lol'>{laughs}]><net", 1).replace('name="n"', 'name="&l9;"'))
    yield case("external entity", good.replace("<net", "<!DOCTYPE net [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><net", 1))
    many = "".join(f'a{i}="" ' for i in range(1_000_000))
    yield case("a million attributes, which say nothing", good.replace("<net ", "<net " + many, 1), "MO-RUN-0004", 2)
    yield case("two layers of one id", ir([parameter, relu, relu, result], edges))
    yield case("edge to a port that is not there", ir([parameter, relu, result], [(0, 0, 1, 7), (1, 1, 2, 0)]))
    yield case("unknown operation", ir([parameter, (1, "Unheard", "opset1", {}, ((0, (2,)),), ((1, (2,)),)), result], edges), "MO-IR-0010", 5)
    for title, offset, size, shape in (("offset and size that wrap", (1 << 64) - 4, 8, "2"), ("shape that overflows", 0, 8, f"{1 << 40}, {1 << 40}"),
                                       (".bin shorter than its constant", 4, 8, "2")):
        constant = (0, "Const", "opset1", {"element_type": "f32", "shape": shape, "offset": offset, "size": size}, (), ((0, (2,)),))
        yield case(title, ir([constant, relu, result], edges), "MO-I", **{"m.bin": bytes(8)})
    yield case("no input was given", good, "MO-RUN-0004", 2)
    yield Case(77, "no such file", {"m.xml": good}, 3, "MO-IO-0001", ["{dir}/gone.xml"], "mo_run")


def circumstances():
    """Row 80: what the caller left open."""
    for title, shell in (("stdin is closed", 'exec "$@" <&-'), ("stdout and stderr are closed", 'exec "$@" >&- 2>&-'),
                         ("stdout is full", 'exec "$@" >/dev/full'), ("decimal comma", 'LC_ALL=de_DE.UTF-8 exec "$@"'),
                         ("Turkish", 'LC_ALL=tr_TR.UTF-8 exec "$@"')):
        yield Case(80, title, {"m.onnx": GOOD}, 0, "", shell=shell)
