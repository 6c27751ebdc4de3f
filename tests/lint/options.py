#!/usr/bin/env python3
"""Checks that every option of mo acts, or says that it does nothing: each one has a case here that fails without it.

usage: options.py BIN          BIN: folder of mo; checks all of them
       options.py BIN --json   prints what each option is, what reads it, and its case here

A case converts a stand-in model with the option and without it. What it shows (a regular expression over the output of mo, its files and the .xml) must
be there with the option, and must not be there without it. The reader is a place in the sources that must exist.
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

NO_EFFECT = "MO-CLI-003[14]: --{0} (has no effect|no longer exists)"
OTHER = "MO-CLI-0033: --{0} has no effect"
DEPRECATED = "MO-CLI-0030: --{0} is deprecated"


class Case:
    def __init__(self, arguments, shows, reader, model="onnx", besides=(), is_lack=False):
        """`arguments`: the option itself; `besides`: what stands with and without it; `is_lack`: it is shown where the option is missing."""
        self.arguments, self.shows, self.reader, self.model, self.besides, self.is_lack = arguments, shows, reader, model, list(besides), is_lack

    def text(self, name):
        words = " ".join([*self.besides, *(self.arguments if self.arguments is not None else [f"--{name}"])])
        return f"{self.model}: {words}: {'not ' if self.is_lack else ''}/{self.shows.format(name)}/"


def flag(shows, reader, **more):
    return Case(None, shows, reader, **more)


IMAGE = r'type="Parameter"[^>]*>\s*<data shape="{}"'
CASES = {
    "help": Case(["--help"], "usage: mo", "cli/run.cpp: print_help"),
    "explain": Case(["--explain", "MO-CLI-0006"], "No model was specified", "cli/run.cpp: Action::explain"),
    "version": Case(["--version"], "Version of Model Optimizer is", "cli/run.cpp: print_version"),
    "input_model": Case(["--input_model", "m.onnx"], "SUCCESS", "driver/pipeline.cpp: options.input_model", model="none", besides=["--framework", "onnx"]),
    "framework": Case(["--framework", "caffe"], "MO-CLI-0070", "driver/framework.cpp: options.framework"),
    "model_name": Case(["--model_name", "other"], r"other\.xml", "driver/options.cpp: options.model_name"),
    "output_dir": Case(["--output_dir", "there"], r"there/m\.xml", "driver/convert.cpp: options.output_dir"),
    "max-time": Case(["--max-time", "1e-9"], "MO-LIMIT-0003", "cli/general_options.cpp: budget.max_seconds"),
    "log_level": Case(["--log_level", "DEBUG"], r"read: ONNX", "cli/run.cpp: options.log_level"),
    "silent": flag("Model Optimizer arguments", "cli/run.cpp: options.silent", is_lack=True),
    "verify": flag("compute the same", "tools/verify/verify_conversion.cpp: options.verify"),
    "report": Case(["--report", "no_report"], "MO-REPORT-0001", "cli/reporter.cpp: options.report"),
    "progress": flag(r"Progress: \[", "cli/run.cpp: options.progress"),
    "stream_output": flag(r"%[^\r\n]*\n[^%]*%", "cli/run.cpp: options.stream_output", besides=["--progress"]),
    "input": Case(["--input", "x[1 3 7 9]"], IMAGE.format("1, ?3, ?7, ?9"), "driver/pipeline.cpp: options.inputs"),
    "output": Case(["--output", "y_0"], r'type="Result"[^>]*>[^$]*type="Result"', "driver/pipeline.cpp: options.outputs", model="two", is_lack=True),
    "input_shape": Case(["--input_shape", "[1,3,7,9]"], IMAGE.format("1, ?3, ?7, ?9"), "driver/pipeline.cpp: options.input_shapes"),
    "batch": Case(["--batch", "5"], IMAGE.format("5, ?3, ?4, ?4"), "driver/pipeline.cpp: options.batch"),
    "freeze_placeholder_with_value": Case(["--freeze_placeholder_with_value", "z->1"], r'type="Parameter"[^$]*type="Parameter"',
                                          "driver/pipeline.cpp: options.freeze_placeholder_with_value", model="two", is_lack=True),
    "static_shape": flag('type="ShapeOf"', "driver/pipeline.cpp: options.static_shape", model="shape", is_lack=True),
    "ignore_attribute": Case(["--ignore_attribute", "Relu.hint"], "SUCCESS", "driver/pipeline.cpp: options.ignored_attributes", model="hint"),
    "mean_values": Case(["--mean_values", "x[1,2,3]"], 'type="(Add|Subtract)"[^$]*type="Convolution"', "driver/pipeline.cpp: options.mean_values", besides=["--disable_fusing"]),
    "scale_values": Case(["--scale_values", "x[1,2,3]"], 'type="(Multiply|Divide)"', "driver/pipeline.cpp: options.scale_values",
                         besides=["--disable_fusing"]),
    "scale": Case(["--scale", "3"], 'type="(Multiply|Divide)"', "driver/pipeline.cpp: options.scale", besides=["--disable_fusing"]),
    "reverse_input_channels": flag('type="Gather"', "driver/pipeline.cpp: options.reverse_input_channels", besides=["--disable-pass", "ReverseChannelsFusion"]),
    "layout": Case(["--layout", "x(nchw)"], r'layout="\[N,C,H,W\]"', "driver/pipeline.cpp: options.layouts"),
    "source_layout": Case(["--source_layout", "nchw"], r'layout="\[N,C,H,W\]"', "driver/pipeline.cpp: options.source_layouts"),
    "target_layout": Case(["--target_layout", "nhwc"], IMAGE.format("1, ?4, ?4, ?3"), "driver/pipeline.cpp: options.target_layouts", besides=["--source_layout", "nchw"]),
    "ir_version": Case(["--ir_version", "10"], 'version="10"', "driver/options.cpp: ir_version"),
    "target_runtime": Case(["--target_runtime", "2021.4"], 'version="10"', "driver/options.cpp: target_runtime"),
    "data_type": Case(["--data_type", "FP16"], 'element_type="f16"', "driver/options.hpp: data_type"),
    "compress_to_fp16": flag('element_type="f16"', "driver/options.hpp: compress_to_fp16"),
    "disable_weights_compression": flag(NO_EFFECT, "driver/options.cpp: disable_weights_compression"),
    "finegrain_fusing": Case(["--finegrain_fusing", "y_0"], 'type="Multiply"', "extensions/middle/support/fusing.cpp: finegrain_fusing", besides=["--scale", "3"]),
    "disable_resnet_optimization": flag('strides="1, ?1"[^$]*strides="2, ?2"', "driver/pipeline.cpp: options.disable_resnet_optimization", model="strided"),
    "enable_concat_optimization": flag('port id="3"', "driver/pipeline.cpp: options.enable_concat_optimization", model="joined", is_lack=True),
    "disable_fusing": flag('type="Multiply"', "extensions/middle/support/fusing.cpp: disable_fusing", besides=["--scale", "3"]),
    "disable_gfusing": flag(DEPRECATED, "driver/pipeline.cpp: options.disable_gfusing"),
    "transformations_config": Case(["--transformations_config", "no.json"], "MO-CONFIG", "driver/replacements.cpp: options.transformations_config"),
    "custom_ops": Case(["--custom_ops", "no.json"], r"file +no\.json", "driver/assembly.cpp: options.custom_ops"),
    "extensions": Case(["--extensions", "no.so"], r"MO-PLUGIN-\d+", "driver/assembly.cpp: options.extensions"),
    "transform": Case(["--transform", "MakeStateful[param_res_names={'x':'y'}]"], 'type="ReadValue"', "driver/replacements.cpp: options.transform"),
    "disable-pass": Case(["--disable-pass", "LinearOperationFusion,MultiplyBeforeWeightsFusion"], 'type="Multiply"', "driver/pipeline.cpp: options.passes.disable",
                         besides=["--scale", "3"]),
    "only-pass": Case(["--only-pass", "Preprocessing,CanonicalInputs"], 'type="Multiply"', "driver/pipeline.cpp: options.passes.only", besides=["--scale", "3"]),
    "explain-pass": Case(["--explain-pass", "EliminateNop"], "EliminateNop", "driver/pipeline.cpp: options.passes.explain"),
    "dump-after": Case(["--dump-after", "Preprocessing"], "# after Preprocessing", "driver/pipeline.cpp: options.passes.dump_after"),
    "time-passes": flag("ms  all passes", "driver/convert.cpp: options.passes.time"),
    "print-pipeline": flag("PartialInference", "driver/options.hpp: print_pipeline"),
    "list-extensions": flag("extractors:", "driver/convert.cpp: options.list_extensions"),
    "list-options": flag("--input_model\n", "cli/run.cpp: list_options"),
    "json": flag('"name": "input_model"', "cli/run.cpp: as_json", besides=["--list-options"]),
    "list-ops": Case(["--list-ops", "onnx"], "Softmax ", "driver/convert.cpp: options.list_ops"),
    "record-usage": Case(["--record-usage", "ir/usage.xml"], "used frontends/onnx frontend onnx", "driver/convert.cpp: options.record_usage"),
    "depfile": Case(["--depfile", "ir/depends.xml"], r"m\.xml [^\n]*m\.bin: \\\n  /", "driver/convert.cpp: options.depfile"),
    "print-config": Case(["--print-config", "yolo_v3.json"], "TFYOLOV3", "driver/options.hpp: print_config"),
    "move_to_preprocess": flag(DEPRECATED, "driver/options.cpp: move_to_preprocess"),
    "keep_shape_ops": flag(NO_EFFECT, "driver/options.cpp: keep_shape_ops"),
    "generate_deprecated_IR_V7": flag(NO_EFFECT, "driver/options.cpp: generate_deprecated_ir_v7"),
    "share_weights": flag(NO_EFFECT, "driver/options.cpp: share_weights"),
    "example_input": Case(["--example_input", "x"], NO_EFFECT, "driver/options.cpp: example_input"),
    "use_new_frontend": flag(NO_EFFECT, "driver/options.cpp: use_new_frontend"),
    "share_weights": flag(NO_EFFECT, "driver/options.cpp: share_weights"),
    "example_input": Case(["--example_input", "x"], NO_EFFECT, "driver/options.cpp: example_input"),
    "use_legacy_frontend": flag(NO_EFFECT, "driver/options.cpp: use_legacy_frontend"),
    "legacy_ir_generation": flag(DEPRECATED, "driver/options.cpp: legacy_ir_generation"),
    "input_model_is_text": flag(r"MO-[A-Z]+-\d+", "driver/pipeline.cpp: given.input_model_is_text", model="tf"),
    "input_checkpoint": Case(["--input_checkpoint", "no.ckpt"], r"MO-[A-Z]+-\d+: .*no\.ckpt", "driver/pipeline.cpp: given.input_checkpoint", model="tf"),
    "input_meta_graph": Case(["--input_meta_graph", "m.meta"], "SUCCESS", "driver/pipeline.cpp: given.meta_graph|given.input_meta_graph", model="none_tf"),
    "saved_model_dir": Case(["--saved_model_dir", "saved"], "SUCCESS", "driver/pipeline.cpp: given.saved_model_dir", model="none_tf"),
    "saved_model_tags": Case(["--saved_model_tags", "gpu"], "MO-TF-0032", "driver/pipeline.cpp: given.saved_model_tags", model="none_tf",
                             besides=["--saved_model_dir", "saved"]),
    "saved_model_signature": Case(["--saved_model_signature", "other"], "MO-TF-0033", "driver/pipeline.cpp: given.saved_model_signature", model="none_tf",
                                  besides=["--saved_model_dir", "saved"]),
    "tensorflow_custom_operations_config_update": Case(["--tensorflow_custom_operations_config_update", "update.json"], "was updated",
                                                       "driver/replacements.cpp: custom_operations_config_update", model="tf"),
    "tensorflow_use_custom_operations_config": Case(["--tensorflow_use_custom_operations_config", "no.json"], "MO-CLI-0030|MO-CONFIG",
                                                    "cli/framework_options.cpp: transformations_config", model="tf"),
    "tensorflow_object_detection_api_pipeline_config": Case(["--tensorflow_object_detection_api_pipeline_config", "no.config"], r"no\.config",
                                                            "driver/pipeline.cpp: object_detection_api_pipeline_config", model="tf"),
    "tensorboard_logdir": Case(["--tensorboard_logdir", "logs"], r"The graph for TensorBoard: logs/events\.out\.tfevents\.m", "driver/convert.cpp: tensorboard_logdir", model="tf"),
    "tensorflow_custom_layer_libraries": Case(["--tensorflow_custom_layer_libraries", "a.so"], NO_EFFECT, "driver/options.cpp: custom_layer_libraries", model="tf"),
    "disable_nhwc_to_nchw": flag(r"old_api_map_order", "driver/pipeline.cpp: disable_nhwc_to_nchw", model="tf", is_lack=True),
    "input_proto": Case(["--input_proto", "elsewhere/other.prototxt"], "SUCCESS", "driver/pipeline.cpp: options.caffe.input_proto", model="caffe_alone"),
    "caffe_parser_path": Case(["--caffe_parser_path", "folder"], NO_EFFECT, "driver/options.cpp: caffe_parser_path", model="caffe"),
    "custom_layers_mapping": Case(["-k", "no.xml"], r"no\.xml", "driver/pipeline.cpp: custom_layers_mapping", model="caffe"),
    "mean_file": Case(["--mean_file", "mean.binaryproto"], 'type="Add"[^$]*type="Convolution"', "driver/pipeline.cpp: given.mean_file", model="caffe",
                      besides=["--disable_fusing"]),
    "mean_file_offsets": Case(["--mean_file_offsets", "(90,90)"], "MO-PRE-0009", "driver/pipeline.cpp: given.mean_file_offsets", model="caffe",
                              besides=["--mean_file", "mean.binaryproto"]),
    "disable_omitting_optional": flag("MO-CAFFE-0045", "driver/pipeline.cpp: disable_omitting_optional", model="caffe_custom", besides=["-k", "custom.xml"]),
    "enable_flattening_nested_params": flag("inner__number", "driver/pipeline.cpp: enable_flattening_nested_params", model="caffe_custom",
                                            besides=["-k", "custom.xml"]),
    "disable_weights": flag("SUCCESS", "driver/pipeline.cpp: options.caffe.disable_weights", model="caffe_empty"),
    "interp-zoom-multiplies": flag(r"<dim>8</dim>\s*<dim>8</dim>", "driver/pipeline.cpp: options.caffe.interp_zoom_multiplies", model="zoomed"),
    "input_symbol": Case(["--input_symbol", "net.json"], "MXNet", "driver/framework.cpp: options.mxnet.input_symbol", model="none"),
    "pretrained_model_name": Case(["--pretrained_model_name", "net"], "MXNet", "driver/framework.cpp: options.mxnet.pretrained_model_name", model="none"),
    **{name: Case([f"--{name}", "x"], OTHER, "cli/command_line.cpp: MO-CLI-0033") for name in ("nd_prefix_name", "counts")},
    **{name: flag(OTHER, "cli/command_line.cpp: MO-CLI-0033") for name in ("save_params_from_nd", "legacy_mxnet_model", "enable_ssd_gluoncv",
                                                                           "remove_output_softmax", "remove_memory")},
}
# What a conversion does not show: the test that fails without it.
ELSEWHERE = {
    "verify-each": ("driver/pipeline.cpp: options.passes.verify_each", "tests/core/pass_test.cpp", "lying.verify_each = true"),
    "max-memory": ("cli/general_options.cpp: budget.max_memory", "tests/e2e/hostile_budgets.py", '"--max-memory", "1MB"'),
    "trusted": ("cli/general_options.cpp: BudgetOptions::trusted", "tests/core/budget_test.cpp", ".trusted = true"),
    "durable": ("driver/convert.cpp: options.durable", "tests/e2e/failing_calls_test.py", '"fsync", self.sweep("--durable"'),
    "allow-links": ("driver/pipeline.cpp: options.allow_links", "tests/frontends/onnx/external_data_test.cpp", "Links::followed"),
}


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


def shown(mo, case, name, with_option):
    """All that one run shows."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        words = write_models(case.model, folder) + case.besides
        if with_option:
            words += case.arguments if case.arguments is not None else [f"--{name}"]
        if "--output_dir" not in words:
            words += ["--output_dir", "ir"]
        done = subprocess.run([mo, *words], cwd=folder, capture_output=True, timeout=120, check=False)
        return (done.stdout + done.stderr).decode() + "".join(path.read_text() for path in sorted(folder.glob("*/*.xml")))


def problem_of(mo, name):
    if name in ELSEWHERE:
        _, path, text = ELSEWHERE[name]
        return None if text in (ROOT / path).read_text() else f"{path} has no {text}"
    case = CASES.get(name)
    if not case:
        return "has no case here: say what it shows"
    pattern = re.compile(case.shows.format(name) if "{0}" in case.shows else case.shows)
    with_it, without = shown(mo, case, name, True), shown(mo, case, name, False)
    if bool(pattern.search(with_it)) == case.is_lack:
        return f"with it /{pattern.pattern}/ is {'' if case.is_lack else 'not '}there:\n{with_it[-600:]}"
    if bool(pattern.search(without)) != case.is_lack:
        return f"without it /{pattern.pattern}/ is {'not ' if case.is_lack else ''}there, too:\n{without[-600:]}"
    return None


# Arguments with which a model is converted, of options whose case refuses it.
HARMLESS = {"max-time": ["--max-time", "60"], "max-memory": ["--max-memory", "1GB"], "framework": ["--framework", "onnx"],
            "output_dir": ["--output_dir", "elsewhere"], "report": ["--report", "report"], "log_level": ["--log_level", "DEBUG"]}


def ir_of(mo, arguments, model="onnx"):
    """The files of an IR, by suffix; None when there is none."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        words = write_models(model, folder) + arguments
        words += [] if "--output_dir" in words else ["--output_dir", "ir"]
        subprocess.run([mo, *words], cwd=folder, capture_output=True, timeout=120, check=False)
        made = {path.suffix: path.read_bytes() for path in folder.glob("*/m.*") if path.suffix in (".xml", ".bin")}
        return made if ".xml" in made else None


def change_by(mo, name):
    """What is wrong with an option that is said to change nothing."""
    case = CASES.get(name, Case(None, "", ""))
    arguments = HARMLESS.get(name, case.arguments if case.arguments is not None else [f"--{name}"])
    model = "onnx" if name in HARMLESS else case.model
    without, with_it = ir_of(mo, case.besides, model), ir_of(mo, case.besides + arguments, model)
    if with_it is None or without is None or with_it == without:
        return None
    return "is said to be beside the IR (cli/option_table.hpp: Acts), and its bytes differ"


def reader_of(name):
    return ELSEWHERE[name][0] if name in ELSEWHERE else CASES[name].reader


def main():
    mo = Path(sys.argv[1]).resolve() / "mo"
    options = json.loads(subprocess.run([mo, "--list-options", "--json"], capture_output=True, text=True, check=True).stdout)
    names = [option["name"] for option in options]
    if "--json" in sys.argv:
        for option in options:
            name = option["name"]
            option["reader"] = reader_of(name)
            option["test"] = ": ".join(ELSEWHERE[name][1:]) if name in ELSEWHERE else CASES[name].text(name)
        print(json.dumps(options, indent=1))
        return 0
    problems = [f"--{name} is no option of mo" for name in [*CASES, *ELSEWHERE] if name not in names]
    options_by_name = {option["name"]: option for option in options}
    compared = 0
    for name in names:
        problem = problem_of(mo, name)
        if problem:
            problems.append(f"--{name}: {problem}")
            continue
        path, places = reader_of(name).split(": ", 1)
        if not any(place in (ROOT / path).read_text() for place in places.split("|")):
            problems.append(f"--{name}: {path} does not read {places}")
        if not options_by_name[name]["affects_ir"]:
            problem = change_by(mo, name)
            compared += 1
            problems += [f"--{name}: {problem}"] if problem else []
    for problem in problems:
        print(problem)
    print(f"{len(names)} options, {compared} of them beside the IR, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
