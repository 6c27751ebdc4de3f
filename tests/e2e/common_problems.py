#!/usr/bin/env python3
"""What users of model converters complain about most: a command line for each complaint, and what it ends with. Runs all of them on small models, and
is where the table of docs/common_problems.md comes from.

usage: common_problems.py BIN [--write] [NUMBER …]     BIN: folder of the programs; --write makes the table anew; NUMBER: only these rows
"""
import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy_python  # noqa: E402, F401: goes on in a Python that has numpy
import detector_exports  # noqa: E402
import detector_graphs  # noqa: E402
from shared_folder import ROOT, shared_folder  # noqa: E402
from wire_models import Onnx, floats  # noqa: E402

PAGE = ROOT / "docs" / "common_problems.md"
BEGIN, END = "<!-- rows -->\n", "<!-- end of rows -->\n"


@dataclass
class Row:
    complaint: str
    commands: list       # as a user types them, in a folder with the models of prepare(); in the table, the first one is shown
    result: str          # for the table; `says` and `check` prove it
    says: list = field(default_factory=list)       # what the last command prints, as regular expressions
    exit_code: int = 0   # of the last command; those before end with 0
    check: object = None  # of the folder and what was printed: raises when something is not as the row tells
    more: str = ""       # documentation


def layers(folder, name):
    return re.findall(r'<layer id="\d+" name="([^"]*)" type="([^"]*)"', (folder / name).read_text())


def has_types(name, *types):
    def check(folder, _):
        found = {kind for _, kind in layers(folder, name)}
        assert set(types) <= found, f"{name} has {sorted(found)}"
    return check


def has_text(name, *texts):
    def check(folder, _):
        content = (folder / name).read_text()
        for text in texts:
            assert text in content, f"{name} lacks {text}"
    return check


def same_bytes(folder, _):
    for kind in ("xml", "bin"):
        first, second = (hashlib.sha256((folder / place / f"mnist.{kind}").read_bytes()).hexdigest() for place in ("a", "b"))
        assert first == second, f".{kind} differs"


def no_network(_, printed):
    assert not re.search(r"\b(socket|connect|getaddrinfo|gethostbyname)\b", printed), printed


def says_nothing_of(folder, _):
    small = b"".join(path.read_bytes() for path in (folder / "small").iterdir())
    for name in (b"secret_weights", b"private_input"):
        assert name not in small, f"{name} is still there"
    assert floats(*SECRET)[:8] not in small, "weights are still there"


def schema_of_inspect(_, printed):
    report = json.loads(printed)
    assert report["conversion"]["refusals"], report["conversion"]


SECRET = [0.123 * (i + 1) for i in range(8)]
AUTO = "--transformations_config auto --tensorflow_object_detection_api_pipeline_config pipeline.config"

ROWS = [
    Row("A wrong command line ends in a stack trace", ["mo"], "one line that names what is missing, exit code 2",
        ["MO-CLI-0006: there is no model"], 2),
    Row("Each run reports only one unsupported operation", ["mo unknown_ops.onnx"],
        "reports all of them, with all nodes, and an entry for a `--custom_ops` file", ["op own::Alpha", "op own::Beta", '"op": "Alpha"'], 5, more="custom_ops.md"),
    Row("The batch is -1", ["mo dynamic.onnx --batch 1 -o ir"], "sets the batch of every input to 1, and infers all other shapes", [],
        check=has_text("ir/dynamic.xml", 'shape="1, 8"')),
    Row("A partially known shape must be specified completely", ["mo dynamic.onnx --input_shape '[?,8]' -o ir"],
        "unknown dimensions and ranges (`1..8`) are kept", [], check=has_text("ir/dynamic.xml", 'shape="?, 8"'), more="cli.md#shapes"),
    Row("Channels are reversed on the wrong axis, or after the mean is subtracted",
        ["mo image.onnx --reverse_input_channels --mean_values '[10,20,30]' --scale_values '[2,4,8]' -o ir --verify"],
        "channels are reversed first, along dimension C; `--verify` runs model and IR on the same inputs", ["compute the same"], more="cli.md"),
    Row("Weights become FP16 without being asked", ["mo mnist.onnx -o ir", "mo run ir/mnist.xml --input random --json"],
        "weights stay FP32 without `--compress_to_fp16`", [], check=has_text("ir/mnist.xml", 'element_type="f32"')),
    Row("FP16 turns weights into infinity without saying which", ["mo large.onnx --compress_to_fp16 -o ir"],
        "a warning with the constant, the number of its values, and what to do", ["MO-HALF-000", "'huge'"]),
    Row("A detector of the Object Detection API is converted without its configuration", ["mo detector.pb -o ir"],
        "converts op by op, and prints the command line that creates a DetectionOutput", ["MO-CONFIG-0240", "--transformations_config auto"],
        more="object_detection.md"),
    Row("A retrained SSD is refused, or finds nothing", [f"mo detector.pb {AUTO} -o ir"],
        "the configuration is chosen by the graph; anchors and scales come from pipeline.config", [], check=has_types("ir/detector.xml", "DetectionOutput"),
        more="object_detection.md"),
    Row("An error in pipeline.config is an exception of protobuf",
        ["mo detector.pb --transformations_config auto --tensorflow_object_detection_api_pipeline_config broken.config"],
        "an error with line and column", [r"broken\.config:\d+:\d+"], 9),
    Row("Reading a SavedModel or a checkpoint needs the right version of TensorFlow",
        ["mo --saved_model_dir saved_model -o ir --verify"], "reads all formats without TensorFlow: frozen, SavedModel, MetaGraph, checkpoints of both versions",
        ["compute the same"], more="tensorflow.md"),
    Row("Caffe can no longer be built", ["mo lenet.caffemodel --input_proto lenet.prototxt -o ir --verify"], "reads the model without Caffe",
        ["compute the same"], more="caffe.md"),
    Row("Two conversions of one model differ", ["mo mnist.onnx -o a", "mo mnist.onnx -o b"], "the same bytes, on every machine", [], check=same_bytes),
    Row("Tensor names are lost, and code that uses them breaks", ["mo mnist.onnx -o ir"], "every port has the names of the model's tensors", [],
        check=has_text("ir/mnist.xml", 'names="Plus214_Output_0"', 'names="Input3"')),
    Row("Versions of Python, numpy and networkx must match", ["mo --version"], "mo is one program; `make static` builds it as one file", ["Version of Model Optimizer"],
        more="install.md"),
    Row("Non-ASCII paths fail", ["mo 数字/zahlen-ü.onnx -o résultat"], "work", [], check=has_text("résultat/zahlen-ü.xml", "Plus214")),
    Row("The exit code is always 1", ["mo cut_off.onnx"], "each kind of failure has its own code", [], 4, more="cli.md#exit-codes"),
    Row("The converter sends telemetry", ["nm -D --undefined-only {MO}"], "mo has none: it calls no network function", [], check=no_network),
    Row("A custom operation needs a Python class", ["mo unknown_ops.onnx --custom_ops ops.json -o ir"], "a JSON description is enough; a C++ plugin can do more", [],
        check=has_types("ir/unknown_ops.xml", "Alpha", "Beta"), more="custom_ops.md"),
    Row("An incompatible plugin crashes, or is silently ignored", ["mo mnist.onnx --extensions not_a_plugin.so"],
        "refuses it, with the reason", [r"MO-PLUGIN-\d+.*not_a_plugin\.so"], 9, more="plugins.md"),
    Row("A truncated file is reported as 'unsupported'", ["mo cut_off.onnx"], "reports a damaged file, with the offset", ["offset 30 claims", "truncated"], 4,
        more="bad_input.md"),
    Row("Which of 40 configurations is the right one?", ["mo inspect detector.pb"], "prints a command line that converts, with the configuration",
        ["it converts:", "--transformations_config auto"], more="object_detection.md"),
    Row("The wrong configuration ends in an internal exception",
        ["mo detector.pb --transformations_config faster_rcnn_support.json --tensorflow_object_detection_api_pipeline_config pipeline.config"],
        "names the nodes that the configuration expects but the model lacks, and the matching configuration",
        ["is not there", "--transformations_config auto"], 9, more="object_detection.md"),
    Row("Options of older releases disappeared silently", ["mo mnist.onnx --tensorflow_operation_patterns 'Foo.*'"],
        "an error that names the replacement", ["there is no option .* any more", "--custom_ops"], 2, more="differences.md"),
    Row("The duration of a conversion is unknown", ["mo mnist.onnx --progress --stream_output -o ir"], "share of the work, current step, time left",
        [r"100"], more="cli.md"),
    Row("Weights that a model hub stores as links are refused", ["mo linked/add_with_external_data.onnx --allow-links -o ir"],
        "follows links if you declare that you trust them", [], check=has_types("ir/add_with_external_data.xml", "Add")),
    Row("A .meta file, an .index file or a folder is not accepted as a model", ["mo checkpoint.ckpt.meta --output cls_prob,bbox_pred -o ir"],
        "detects the type of a file from its content", [], check=lambda folder, _: layers(folder, "ir/checkpoint.ckpt.xml"), more="bad_input.md#wrong-starts"),
    Row("AutoML EfficientDet is not an Object Detection API model", ["mo automl.pbtxt --transformations_config automl_efficientdet.json -o ir"],
        "has its own configuration", [], check=has_types("ir/automl.xml", "DetectionOutput"), more="object_detection.md"),
    Row("The JSON files for YOLO must be found, and edited by hand",
        ["mo --print-config yolo_v3.json", "mo yolo_v3.pbtxt --batch 1 --transformations_config yolo_v3.json -o ir"],
        "files for three generations are built in; `--print-config` prints one for editing", [], check=has_types("ir/yolo_v3.xml", "RegionYolo"), more="object_detection.md"),
    Row("The predictions are wrong, but is it the conversion?", ["mo mnist.onnx -o ir --verify"], "runs model and IR and compares them; exit code 8 if they differ",
        ["compute the same"], more="tools.md#mo-verify"),
    Row("Which layer is the first that differs?", ["mo mnist.onnx -o ir", "{DAMAGE} ir/mnist.xml", "mo verify mnist.onnx ir/mnist.xml"],
        "the layer, statistics of both values, source nodes, passes; `--bisect` names the faulty pass", ["Convolution28"], 8, more="tools.md#mo-verify"),
    Row("What are the values of this layer?", ["mo run mnist.onnx --input random --dump values"], "writes a .npy file for every tensor; `--check-numbers` finds the first NaN",
        [], check=lambda folder, _: (folder / "values" / "Plus214_Output_0.npy").stat(), more="tools.md#mo-run"),
    Row("Where does this layer come from?", ["mo explain mnist.onnx Plus214_Output_0"], "source nodes, their location in the file, the passes in order",
        ["Plus214"], more="tools.md#mo-explain"),
    Row("There is no picture of the graph", ["mo draw mnist.onnx -o mnist.dot"], "a page to search and zoom, svg, png or dot; neighbourhoods of large graphs", [],
        check=has_text("mnist.dot", "Plus214"), more="tools.md#mo-draw"),
    Row("What changed between two IRs?", ["mo mnist.onnx -o a", "mo mnist.onnx --compress_to_fp16 -o b", "mo diff a/mnist.xml b/mnist.xml"],
        "compares nodes, attributes, shapes, weights; exit code 1 if they differ", ["differences: "], 1, more="tools.md#mo-diff"),
    Row("There is no report of a conversion", ["mo mnist.onnx -o ir --report report.html"], "writes one page that needs no network, or JSON for programs", [],
        check=has_text("report.html", "Plus214"), more="tools.md#reports"),
    Row("The problem cannot be reported without disclosing the model", ["mo reduce private.onnx --error MO-FRONT-0001 -o small"],
        "the smallest model that still shows it, without your names and weights", [], check=says_nothing_of, more="tools.md#mo-reduce"),
    Row("How much of my model is supported?", ["mo inspect unknown_ops.onnx --json"], "every refused op with its nodes and a fix, and the largest part that converts",
        [], check=schema_of_inspect, more="tools.md#mo-inspect"),
    Row("The Graph Transform Tool is gone",
        ["transform_graph --in_graph=frozen.pb --out_graph=out.pb --outputs=Output --transforms='strip_unused_nodes fold_constants sort_by_execution_order'"],
        "its command lines work, for TensorFlow and ONNX", [], check=lambda folder, _: (folder / "out.pb").stat(), more="graph_transforms.md"),
    Row("There are no programs for ARM, Windows, macOS", ["mo --version"],
        "**open**: Debian packages and a static program for the processor that builds it (x86-64, aarch64 from source); no Windows, no macOS", [],
        more="install.md"),
]


def unknown_ops(folder):
    nodes = [Onnx.node("Alpha", ["private_input"], ["a"], domain="own"), Onnx.node("Beta", ["a"], ["b"], domain="own"), Onnx.node("Mul", ["b", "secret_weights"], ["y"])]
    graph = Onnx.graph(nodes, [Onnx.value("private_input", (1, 8))], [Onnx.value("y", (1, 8))], [Onnx.tensor("secret_weights", [1, 8], floats(*SECRET))])
    (folder / "unknown_ops.onnx").write_bytes(Onnx.model(graph))
    (folder / "private.onnx").write_bytes(Onnx.model(graph))
    (folder / "ops.json").write_text(json.dumps([{"framework": "onnx", "domain": "own", "op": op, "outputs": ["in0"]} for op in ("Alpha", "Beta")]))


def prepare(folder, models):
    """The models that the commands name."""
    unknown_ops(folder)
    relu = [Onnx.node("Relu", ["x"], ["y"])]
    (folder / "dynamic.onnx").write_bytes(Onnx.model(Onnx.graph(relu, [Onnx.value("x", ("N", 8))], [Onnx.value("y", ("N", 8))], [])))
    (folder / "image.onnx").write_bytes(Onnx.model(Onnx.graph(relu, [Onnx.value("x", (1, 3, 4, 5))], [Onnx.value("y", (1, 3, 4, 5))], [])))
    huge = Onnx.graph([Onnx.node("Mul", ["x", "huge"], ["y"])], [Onnx.value("x", (1, 8))], [Onnx.value("y", (1, 8))],
                      [Onnx.tensor("huge", [1, 8], floats(*[1e6] * 8))])
    (folder / "large.onnx").write_bytes(Onnx.model(huge))
    mnist = (models / "onnx/onnx_mnist_cntk/mnist.onnx").read_bytes()
    (folder / "mnist.onnx").write_bytes(mnist)
    (folder / "cut_off.onnx").write_bytes(mnist[:9000])
    (folder / "not_a_plugin.so").write_bytes(b"not a library")
    (folder / "数字").mkdir()
    (folder / "数字/zahlen-ü.onnx").write_bytes(mnist)
    shutil.copy(models / "tf/tf_syn_ssdlite_mbv2/frozen_inference_graph.pb", folder / "detector.pb")
    shutil.copy(models / "tf/tf_syn_ssdlite_mbv2/pipeline.config", folder)
    (folder / "broken.config").write_text((folder / "pipeline.config").read_text()[:700] + "oops { {")
    shutil.copytree(models / "tf/tf_half_plus_two_tf1", folder / "saved_model")
    shutil.copy(models / "tf/tf_cifar_frozen/frozen_model.pb", folder / "frozen.pb")
    for path in (models / "tf/tf_mtcnn_pnet_ckpt").iterdir():
        shutil.copy(path, folder / path.name.replace("PNet-18", "checkpoint.ckpt"))
    shutil.copy(models / "caffe/caffe_lenet/lenet_iter_9000.caffemodel", folder / "lenet.caffemodel")
    shutil.copy(models / "caffe/caffe_lenet/lenet.prototxt", folder)
    (folder / "automl.pbtxt").write_text(detector_exports.automl())
    (folder / "yolo_v3.pbtxt").write_text(detector_graphs.yolo_v3())
    (folder / "linked").mkdir()
    for path in (models / "onnx/onnx_external_data").iterdir():
        shutil.copy(path, folder / f"blob_of_{path.name}")
        (folder / "linked" / path.name).symlink_to(folder / f"blob_of_{path.name}")


def damage(path):
    """The first convolution of an IR strides twice as far, and pads so that its output keeps its shape."""
    text = path.read_text()
    changed = re.sub(r'(name="Convolution28"[^>]*>\s*<data [^>]*)dilations="1, 1"([^>]*)auto_pad="same_upper"', r'\1dilations="2, 2"\2auto_pad="same_upper"', text, count=1)
    assert changed != text, "the IR has no such convolution"
    path.write_text(changed)


def problems_of(row, folder, programs):
    printed, code = "", 0
    for i, command in enumerate(row.commands):
        if command.startswith("{DAMAGE}"):
            damage(folder / command.split()[1])
            continue
        words = shlex.split(command.replace("{MO}", str(programs / "mo")))
        if (programs / words[0]).exists():
            words[0] = str(programs / words[0])
        done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
        printed, code = done.stdout.decode(errors="replace"), done.returncode
        if i + 1 < len(row.commands) and code != 0:
            return [f"{command}: exit code {code}\n{printed}"]
    found = [] if code == row.exit_code else [f"exit code {code} instead of {row.exit_code}"]
    found += [f"does not say {said!r}" for said in row.says if not re.search(said, printed)]
    if row.check and not found:
        try:
            row.check(folder, printed)
        except (AssertionError, OSError, KeyError, ValueError) as problem:
            found.append(f"{type(problem).__name__}: {problem}")
    return [f"{each}\n{printed[-3000:]}" for each in found]


def table():
    lines = ["| | complaint | command | what happens |\n", "|---|---|---|---|\n"]
    for number, row in enumerate(ROWS, 1):
        commands = "; ".join(f"`{command}`" for command in row.commands if "{" not in command) or "–"
        more = f" ([more]({row.more}))" if row.more else ""
        lines.append(f"| {number} | {row.complaint} | {commands} | {row.result}{more} |\n")
    return "".join(lines)


def main():
    words = sys.argv[1:]
    programs = Path(words[0]).resolve()
    page = PAGE.read_text()
    wanted = page[:page.index(BEGIN) + len(BEGIN)] + table() + page[page.index(END):]
    if "--write" in words:
        PAGE.write_text(wanted)
    elif page != wanted:
        print(f"{PAGE} does not say what the rows say: run with --write")
        return 1
    models = shared_folder("models/manifest.json") / "models"
    numbers = {int(word) for word in words[1:] if word.isdigit()} or set(range(1, len(ROWS) + 1))
    failed = 0
    with tempfile.TemporaryDirectory() as top:
        pristine = Path(top) / "pristine"
        pristine.mkdir()
        prepare(pristine, models)
        for number in sorted(numbers):
            folder = Path(top) / str(number)
            shutil.copytree(pristine, folder, symlinks=True)
            for problem in problems_of(ROWS[number - 1], folder, programs):
                failed += 1
                print(f"row {number}, {ROWS[number - 1].complaint}: {problem}")
            shutil.rmtree(folder)
    print(f"{len(numbers)} rows, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
