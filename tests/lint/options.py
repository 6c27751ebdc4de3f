#!/usr/bin/env python3
"""Checks that every option of mo acts, or says that it does nothing.

usage: options.py BIN               BIN: folder of mo; checks all of them
       options.py BIN --json        prints what each option is, and its case here
       options.py BIN --self-test   checks that each rule can fail

The options are those of `mo --list-options --json`. Each is given to a conversion of a stand-in model, which is repeated without it:
- An option that is deprecated or has no effect by its row must say so.
- What a case here names (a regular expression over the output of mo, its files and the .xml) must be there with the option only.
- An option without a case is given as a flag or with its row's example: something of the output or of the IR must differ.
- An option whose case needs another one beside it must show something without that one, too: its effect, or a warning.
- The files of an option that does not act on the IR by its row must be the same.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

sys.path.insert(0, str(ROOT / "tests" / "support"))
import numpy_python  # noqa: E402,F401

from stand_in_models import Input, Model, onnx_info, write_caffe, write_mean_image, write_meta_graph, write_onnx, write_saved_model, write_tensorflow  # noqa: E402
from wire_models import put, puts  # noqa: E402

STANDINGS = {"deprecated": "MO-CLI-0030: --{0} is deprecated", "ignored": "MO-CLI-0031: --{0} no longer exists",
             "without effect": "MO-CLI-0034: --{0} has no effect", "of another framework": "MO-CLI-0033: --{0} has no effect"}
UNREAD = ("mxnet", "kaldi")  # frameworks whose models mo does not read


class Case:
    def __init__(self, arguments, shows, model="onnx", besides=(), is_lack=False):
        """`arguments`: the option itself; `besides`: what stands with and without it; `is_lack`: it is shown where the option is missing."""
        self.arguments, self.shows, self.model, self.besides, self.is_lack = arguments, shows, model, list(besides), is_lack

    def text(self, name):
        words = " ".join([*self.besides, *(self.arguments if self.arguments is not None else [f"--{name}"])])
        return f"{self.model}: {words}: {'not ' if self.is_lack else ''}/{self.shows}/"


def flag(shows, **more):
    return Case(None, shows, **more)


IMAGE = r'type="Parameter"[^>]*>\s*<data shape="{}"'
CASES = {
    "help": Case(["--help"], "usage: mo"),
    "explain": Case(["--explain", "MO-CLI-0006"], "No model was specified"),
    "version": Case(["--version"], "Version of Model Optimizer is"),
    "input_model": Case(["--input_model", "m.onnx"], "SUCCESS", model="none", besides=["--framework", "onnx"]),
    "framework": Case(["--framework", "caffe"], "MO-CLI-0070"),
    "model_name": Case(["--model_name", "other"], r"other\.xml"),
    "output_dir": Case(["--output_dir", "there"], r"there/m\.xml"),
    "max-time": Case(["--max-time", "1e-9"], "MO-LIMIT-0003"),
    "log_level": Case(["--log_level", "DEBUG"], r"read: ONNX"),
    "silent": flag("Model Optimizer arguments", is_lack=True),
    "verify": flag("compute the same"),
    "report": Case(["--report", "no_report"], "MO-REPORT-0001"),
    "progress": flag(r"Progress: \["),
    "stream_output": flag(r"%[^\r\n]*\n[^%]*%", besides=["--progress"]),
    "input": Case(["--input", "x[1 3 7 9]"], IMAGE.format("1, ?3, ?7, ?9")),
    "output": Case(["--output", "y_0"], r'type="Result"[^>]*>[^$]*type="Result"', model="two", is_lack=True),
    "input_shape": Case(["--input_shape", "[1,3,7,9]"], IMAGE.format("1, ?3, ?7, ?9")),
    "batch": Case(["--batch", "5"], IMAGE.format("5, ?3, ?4, ?4")),
    "freeze_placeholder_with_value": Case(["--freeze_placeholder_with_value", "z->1"], r'type="Parameter"[^$]*type="Parameter"', model="two", is_lack=True),
    "static_shape": flag('type="ShapeOf"', model="shape", is_lack=True),
    "ignore_attribute": Case(["--ignore_attribute", "Relu.hint"], "SUCCESS", model="hint"),
    "mean_values": Case(["--mean_values", "x[1,2,3]"], 'type="(Add|Subtract)"[^$]*type="Convolution"', besides=["--disable_fusing"]),
    "scale_values": Case(["--scale_values", "x[1,2,3]"], 'type="(Multiply|Divide)"',
                         besides=["--disable_fusing"]),
    "scale": Case(["--scale", "3"], 'type="(Multiply|Divide)"', besides=["--disable_fusing"]),
    "reverse_input_channels": flag('type="Gather"', besides=["--disable-pass", "ReverseChannelsFusion"]),
    "layout": Case(["--layout", "x(nchw)"], r'layout="\[N,C,H,W\]"'),
    "source_layout": Case(["--source_layout", "nchw"], r'layout="\[N,C,H,W\]"'),
    "target_layout": Case(["--target_layout", "nhwc"], IMAGE.format("1, ?4, ?4, ?3"), besides=["--source_layout", "nchw"]),
    "to": Case(["--to", "onnx"], "Generated ONNX model"),
    "onnx_opset": Case(["--onnx_opset", "13"], "op set 13", besides=["--to", "onnx"]),
    "external-data": flag(r"Weights: .*m\.onnx\.data", model="wide", besides=["--to", "onnx"]),
    "ir_version": Case(["--ir_version", "10"], 'version="10"'),
    "target_runtime": Case(["--target_runtime", "2021.4"], 'version="10"'),
    "data_type": Case(["--data_type", "FP16"], 'element_type="f16"'),
    "compress_to_fp16": flag('element_type="f16"'),
    "finegrain_fusing": Case(["--finegrain_fusing", "y_0"], 'type="Multiply"', besides=["--scale", "3"]),
    "disable_resnet_optimization": flag('strides="1, ?1"[^$]*strides="2, ?2"', model="strided"),
    "enable_concat_optimization": flag('port id="3"', model="joined", is_lack=True),
    "stateful": flag('type="ReadValue"', model="cached"),
    "disable_fusing": flag('type="Multiply"', besides=["--scale", "3"]),
    "transformations_config": Case(["--transformations_config", "no.json"], "MO-CONFIG"),
    "custom_ops": Case(["--custom_ops", "no.json"], r"file +no\.json"),
    "extensions": Case(["--extensions", "no.so"], r"MO-PLUGIN-\d+"),
    "transform": Case(["--transform", "MakeStateful[param_res_names={'x':'y'}]"], 'type="ReadValue"'),
    "disable-pass": Case(["--disable-pass", "LinearOperationFusion,MultiplyBeforeWeightsFusion"], 'type="Multiply"',
                         besides=["--scale", "3"]),
    "only-pass": Case(["--only-pass", "Preprocessing,CanonicalInputs"], 'type="Multiply"', besides=["--scale", "3"]),
    "explain-pass": Case(["--explain-pass", "EliminateNop"], "EliminateNop"),
    "dump-after": Case(["--dump-after", "Preprocessing"], "# after Preprocessing"),
    "time-passes": flag("ms  all passes"),
    "print-pipeline": flag("PartialInference"),
    "list-extensions": flag("extractors:"),
    "list-options": flag("--input_model\n"),
    "json": flag('"name": "input_model"', besides=["--list-options"]),
    "list-ops": Case(["--list-ops", "onnx"], "Softmax "),
    "record-usage": Case(["--record-usage", "ir/usage.xml"], "used frontends/onnx frontend onnx"),
    "depfile": Case(["--depfile", "ir/depends.xml"], r"m\.xml [^\n]*m\.bin: \\\n  /"),
    "print-config": Case(["--print-config", "yolo_v3.json"], "TFYOLOV3"),
    "input_model_is_text": flag(r"MO-[A-Z]+-\d+", model="tf"),
    "input_checkpoint": Case(["--input_checkpoint", "no.ckpt"], r"MO-[A-Z]+-\d+: .*no\.ckpt", model="tf"),
    "input_meta_graph": Case(["--input_meta_graph", "m.meta"], "SUCCESS", model="none_tf"),
    "saved_model_dir": Case(["--saved_model_dir", "saved"], "SUCCESS", model="none_tf"),
    "saved_model_tags": Case(["--saved_model_tags", "gpu"], "MO-TF-0032", model="none_tf",
                             besides=["--saved_model_dir", "saved"]),
    "saved_model_signature": Case(["--saved_model_signature", "other"], "MO-TF-0033", model="none_tf",
                                  besides=["--saved_model_dir", "saved"]),
    "tensorflow_custom_operations_config_update": Case(["--tensorflow_custom_operations_config_update", "update.json"], "was updated", model="tf"),
    "tensorflow_use_custom_operations_config": Case(["--tensorflow_use_custom_operations_config", "no.json"], "MO-CLI-0030|MO-CONFIG", model="tf"),
    "tensorflow_object_detection_api_pipeline_config": Case(["--tensorflow_object_detection_api_pipeline_config", "no.config"], r"no\.config", model="tf"),
    "tensorboard_logdir": Case(["--tensorboard_logdir", "logs"], r"The graph for TensorBoard: logs/events\.out\.tfevents\.m", model="tf"),
    "disable_nhwc_to_nchw": flag(r"old_api_map_order", model="tf", is_lack=True),
    "input_proto": Case(["--input_proto", "elsewhere/other.prototxt"], "SUCCESS", model="caffe_alone"),
    "custom_layers_mapping": Case(["-k", "no.xml"], r"no\.xml", model="caffe"),
    "mean_file": Case(["--mean_file", "mean.binaryproto"], 'type="Add"[^$]*type="Convolution"', model="caffe",
                      besides=["--disable_fusing"]),
    "mean_file_offsets": Case(["--mean_file_offsets", "(90,90)"], "MO-PRE-0009", model="caffe",
                              besides=["--mean_file", "mean.binaryproto"]),
    "disable_omitting_optional": flag("MO-CAFFE-0045", model="caffe_custom", besides=["-k", "custom.xml"]),
    "enable_flattening_nested_params": flag("inner__number", model="caffe_custom",
                                            besides=["-k", "custom.xml"]),
    "disable_weights": flag("SUCCESS", model="caffe_empty"),
    "interp-zoom-multiplies": flag(r"<dim>8</dim>\s*<dim>8</dim>", model="zoomed"),  # pass InterpZoom
    "input_symbol": Case(["--input_symbol", "net.json"], "MXNet", model="none"),
    "pretrained_model_name": Case(["--pretrained_model_name", "net"], "MXNet", model="none"),
}
# What a conversion does not show: the test that fails without it.
ELSEWHERE = {
    "verify-each": ("tests/core/pass_manager_test.cpp", "lying.verify_each = true"),
    "max-memory": ("tests/e2e/hostile_budgets.py", '"--max-memory", "1MB"'),
    "trusted": ("tests/core/budget_test.cpp", ".trusted = true"),
    "check": ("tests/tools/verify_engine_test.py", '"--check"'),
    "durable": ("tests/e2e/failing_calls_test.py", '"fsync", self.sweep("--durable"'),
    "allow-links": ("tests/frontends/onnx/external_data_test.cpp", "Links::followed"),
}


# Passes and layers that they name are not in every model.
OF_THE_MODEL = ("finegrain_fusing", "disable-pass", "only-pass")


def write_models(kind, folder):
    """The files of a kind of model, and the arguments that name them."""
    image = Model([Input("x", [1, 3, 4, 4], channels=1)], ["y"])
    if kind in ("onnx", "none"):
        write_onnx(image, folder / "m.onnx")
        return ["m.onnx"] if kind == "onnx" else []
    if kind == "two":
        write_onnx(Model([Input("x", [2]), Input("z", [2])], ["y_0_", "y_1_"]), folder / "m.onnx")
        return ["m.onnx"]
    if kind == "shape":
        nodes = [put(1, "x") + put(2, "shape") + put(4, "Shape"), put(1, "z") + put(1, "shape") + put(2, "y") + put(4, "Reshape")]
        ends = puts(11, [onnx_info("x", "f32", [2, 4]), onnx_info("z", "f32", [8])]) + put(12, onnx_info("y", "f32", [2, 4]))
        (folder / "m.onnx").write_bytes(put(1, 7) + put(7, puts(1, nodes) + ends) + put(8, put(2, 13)))
        return ["m.onnx"]
    if kind == "cached":
        nodes = [puts(1, ["past_key_values.0.key", "input_ids"]) + put(2, "present.0.key") + put(4, "Concat") + put(5, put(1, "axis") + put(3, 1) + put(20, 2))]
        ends = puts(11, [onnx_info("input_ids", "f32", [2, 1]), onnx_info("past_key_values.0.key", "f32", [2, 4])])
        (folder / "m.onnx").write_bytes(put(1, 7) + put(7, puts(1, nodes) + ends + put(12, onnx_info("present.0.key", "f32", [2, 5]))) + put(8, put(2, 13)))
        return ["m.onnx"]
    if kind == "hint":
        hint = put(5, put(1, "hint") + put(3, 1) + put(20, 2))
        ends = puts(11, [onnx_info("x", "f32", [2])]) + put(12, onnx_info("y", "f32", [2]))
        node = put(1, "x") + put(2, "y") + put(4, "Relu") + hint
        (folder / "m.onnx").write_bytes(put(1, 7) + put(7, puts(1, [node]) + ends) + put(8, put(2, 13)))
        return ["m.onnx"]
    if kind == "strided":
        (folder / "m.prototxt").write_text("""input: "x" input_shape { dim: 1 dim: 1 dim: 8 dim: 8 }
layer { name: "a" type: "Convolution" bottom: "x" top: "a" convolution_param { num_output: 2 kernel_size: 3 } }
layer { name: "b" type: "Convolution" bottom: "a" top: "b" convolution_param { num_output: 2 kernel_size: 1 stride: 2 } }""")
        return ["--input_proto", "m.prototxt", "--disable_weights"]
    if kind == "wide":
        (folder / "m.prototxt").write_text("""input: "x" input_shape { dim: 1 dim: 1 dim: 8 dim: 8 }
layer { name: "y" type: "Convolution" bottom: "x" top: "y" convolution_param { num_output: 64 kernel_size: 3 } }""")
        return ["--input_proto", "m.prototxt", "--disable_weights"]
    if kind == "joined":
        (folder / "m.prototxt").write_text("".join(f'input: "{x}" input_shape {{ dim: 1 dim: 2 }} ' for x in "abc") + """
layer { name: "p" type: "Concat" bottom: "a" bottom: "b" top: "p" }
layer { name: "q" type: "Concat" bottom: "a" bottom: "b" bottom: "c" top: "q" }""")
        return ["--input_proto", "m.prototxt", "--disable_weights"]
    if kind == "zoomed":
        (folder / "m.prototxt").write_text("""input: "x" input_shape { dim: 1 dim: 1 dim: 4 dim: 4 }
layer { name: "y" type: "Interp" bottom: "x" top: "y" interp_param { zoom_factor: 2 } }""")
        return ["--input_proto", "m.prototxt", "--disable_weights"]
    if kind in ("tf", "none_tf"):
        nhwc = Model([Input("x", [1, 4, 4, 3], channels=3)], ["y"])
        write_tensorflow(nhwc, folder / "m.pb")
        write_meta_graph(nhwc, folder / "m.meta")
        write_saved_model(nhwc, folder / "saved")
        (folder / "update.json").write_text("[]")
        return ["m.pb"] if kind == "tf" else []
    write_caffe(image, folder / "m.prototxt", folder / "m.caffemodel")
    write_mean_image([1, 3, 4, 4], folder / "mean.binaryproto")
    if kind == "caffe_alone":
        (folder / "elsewhere").mkdir()
        (folder / "m.prototxt").rename(folder / "elsewhere" / "other.prototxt")
    if kind == "caffe_empty":
        return ["--input_proto", "m.prototxt"]
    if kind == "caffe_custom":
        text = (folder / "m.prototxt").read_text()
        layer = 'layer { name: "own" type: "Own" bottom: "y" top: "own" own_param { inner { number: 3 } } }'
        (folder / "m.prototxt").write_text(text + layer)
        (folder / "custom.xml").write_text('<CustomLayers><CustomLayer NativeType="Own" hasParam="true" protoParamName="own_param"/></CustomLayers>')
    return ["m.caffemodel"]


def arguments_of(option):
    """The option with a value that every model can be converted with."""
    return [f"--{option['name']}"] + ([] if option["takes"] == "nothing" else [option["example"] or "x"])


def shown(mo, words, model="onnx"):
    """All that one run shows."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        words = write_models(model, folder) + words
        if "--output_dir" not in words:
            words += ["--output_dir", "ir"]
        done = subprocess.run([mo, *words], cwd=folder, capture_output=True, timeout=120, check=False)
        return (done.stdout + done.stderr).decode() + "".join(path.read_text() for path in sorted(folder.glob("*/*.xml")))


def problem_of_standing(mo, option):
    """What is wrong with an option that has to warn; None where it need not."""
    name, standing = option["name"], option["standing"]
    if option["framework"] in UNREAD and name not in CASES:
        standing = "of another framework"
    if standing not in STANDINGS:
        return None
    model = option["framework"] if option["framework"] in ("tf", "caffe") else "onnx"
    pattern = STANDINGS[standing].format(name)
    return None if re.search(pattern, shown(mo, arguments_of(option), model)) else f"is {standing}, and /{pattern}/ is not there"


def problem_of_case(mo, name, case):
    pattern = re.compile(case.shows)
    with_it = shown(mo, case.besides + (case.arguments if case.arguments is not None else [f"--{name}"]), case.model)
    without = shown(mo, case.besides, case.model)
    if bool(pattern.search(with_it)) == case.is_lack:
        return f"with it /{pattern.pattern}/ is {'' if case.is_lack else 'not '}there:\n{with_it[-600:]}"
    if bool(pattern.search(without)) != case.is_lack:
        return f"without it /{pattern.pattern}/ is {'not ' if case.is_lack else ''}there, too:\n{without[-600:]}"
    return None


def problem_alone(mo, name, case):
    """What is wrong with an option that acts beside another one only; None when it acts without it, or says that it does not."""
    if case is None or not case.besides or case.model.startswith("none") or name in OF_THE_MODEL:
        return None
    arguments = case.arguments if case.arguments is not None else [f"--{name}"]
    with_it, without = (without_banner(what_matters(shown(mo, words, case.model))) for words in (arguments, []))
    if with_it != without or bin_of(mo, arguments, case.model) != bin_of(mo, [], case.model):
        return None
    return f"has no effect without {' '.join(case.besides)}, and does not say so"


def bin_of(mo, arguments, model):
    return (ir_of(mo, arguments, model) or {}).get(".bin")


def without_banner(text):
    return re.sub(r"(?s)Model Optimizer arguments:.*?Model Optimizer version[^\n]*", "", text)


def what_matters(text):
    """Without what tells only that an option was given, and what no two runs have in common."""
    text = re.sub(r"(?s)<conversion_parameters>.*</conversion_parameters>|<checksums>.*</checksums>|\[ SUCCESS \] (Total|Memory)[^\n]*", "", text)
    return re.sub(rf"{re.escape(tempfile.gettempdir())}/\w+", "FOLDER", text)


def problem_of_example(mo, option):
    if option["takes"] != "nothing" and not option["example"]:
        return "has neither a case here nor an example in its row"
    with_it, without = (what_matters(shown(mo, ["--silent", *words])) for words in (arguments_of(option), []))
    return "shows nothing: give it a case here" if with_it == without else None


def problem_of(mo, option):
    name = option["name"]
    problem = problem_of_standing(mo, option)
    if problem or name in ELSEWHERE:
        path, text = ELSEWHERE.get(name, ("", ""))
        return problem or (None if text in (ROOT / path).read_text() else f"{path} has no {text}")
    if name in CASES:
        return problem_of_case(mo, name, CASES[name])
    return problem_of_example(mo, option) if option["standing"] == "current" and option["framework"] not in UNREAD else None


def ir_of(mo, arguments, model="onnx"):
    """The files of an IR, by suffix; None when there is none."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        words = write_models(model, folder) + arguments
        words += [] if "--output_dir" in words else ["--output_dir", "ir"]
        subprocess.run([mo, *words], cwd=folder, capture_output=True, timeout=120, check=False)
        made = {path.suffix: path.read_bytes() for path in folder.glob("*/m.*") if path.suffix in (".xml", ".bin")}
        return made if ".xml" in made else None


def change_by(mo, option):
    """What is wrong with an option that is said to change nothing."""
    case = CASES.get(option["name"], Case(None, ""))
    of_row = option["example"] or case.arguments is None
    arguments, model = arguments_of(option) if of_row else case.arguments, "onnx" if option["example"] else case.model
    without, with_it = ir_of(mo, case.besides, model), ir_of(mo, case.besides + arguments, model)
    if with_it is None or without is None or with_it == without:
        return None
    return "is said to be beside the IR (its row: acts), and its bytes differ"


def unknown_names(names):
    """Options that the sources ask for by name, and that there are not."""
    asks = re.compile(r'\b(?:(?:given_option|given_flag)\([^()"]*|(?:is_given|given_text)\()"([^"]+)"')
    for folder in ("core", "extensions", "transformations", "phases", "driver", "cli", "tools", "api", "plugins"):
        for path in sorted([*(ROOT / folder).rglob("*.cpp"), *(ROOT / folder).rglob("*.hpp")]):
            for name in asks.findall(path.read_text()):
                if name not in names:
                    yield f"{path.relative_to(ROOT)}: asks for --{name}, which is no option of mo"


def self_test(mo, options):
    """What the rules do not find."""
    rows = {option["name"]: option for option in options}
    static = rows["static_shape"]
    refused = [("an option that shows nothing", problem_of_example(mo, rows["durable"])),
               ("a value without an example", problem_of_example(mo, rows["model_name"])),
               ("a warning that does not come", problem_of_standing(mo, {**static, "standing": "deprecated"})),
               ("bytes that differ", change_by(mo, static)),
               ("a case whose text is always there", problem_of_case(mo, "batch", Case(["--batch", "5"], "SUCCESS"))),
               ("a case whose text is never there", problem_of_case(mo, "batch", Case(["--batch", "5"], "no such text"))),
               ("an option that needs another one and is silent about it", problem_alone(mo, "durable", Case(None, "", besides=["--silent"]))),
               ("a name that is no option", next(unknown_names([name for name in rows if name != "input_symbol"]), None))]
    allowed = [("an option that shows", problem_of_example(mo, rows["time-passes"])), ("bytes that are the same", change_by(mo, rows["time-passes"]))]
    failures = [f"must be refused: {what}" for what, problem in refused if not problem]
    return failures + [f"must be allowed: {what}: {problem}" for what, problem in allowed if problem]


def main():
    mo = Path(sys.argv[1]).resolve() / "mo"
    options = json.loads(subprocess.run([mo, "--list-options", "--json"], capture_output=True, text=True, check=True).stdout)
    names = [option["name"] for option in options]
    if "--json" in sys.argv:
        for option in options:
            name = option["name"]
            option["test"] = ": ".join(ELSEWHERE[name]) if name in ELSEWHERE else CASES[name].text(name) if name in CASES else "its row"
        print(json.dumps(options, indent=1))
        return 0
    if "--self-test" in sys.argv:
        problems = self_test(mo, options)
        print("\n".join([*problems, f"self-test: {len(problems)} problems"]))
        return 1 if problems else 0
    problems = [f"--{name} is no option of mo" for name in [*CASES, *ELSEWHERE] if name not in names]
    problems += unknown_names(names)
    compared = 0
    for option in options:
        problem = problem_of(mo, option) or problem_alone(mo, option["name"], CASES.get(option["name"]))
        if not problem and not option["affects_ir"]:
            problem = change_by(mo, option)
            compared += 1
        problems += [f"--{option['name']}: {problem}"] if problem else []
    for problem in problems:
        print(problem)
    print(f"{len(names)} options, {compared} of them beside the IR, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
