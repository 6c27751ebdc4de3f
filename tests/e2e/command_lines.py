#!/usr/bin/env python3
"""Replays command lines of users of the original Model Optimizer on stand-in models, which are made from each line, and checks numbers.

usage: command_lines.py BIN [--all] [--file LINES.json] [--verbose]       BIN: folder of mo and mo_run; without --all a part of the lines

The lines are those of MO_SHARED's cases/command_lines.json: Open Model Zoo of all releases, READMEs and documentation. Lines of frameworks that
mo does not read must be refused by name; lines that no release accepts must be refused, too; all others must convert, and what the IR computes must be
what mean, scale, reversal and layouts mean. Options that name a sub-graph configuration are left out: stand-ins are not detectors.
"""
import collections
import json
import re
import shlex
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401

import numpy as np  # noqa: E402

from closeness import ELEMENT, Tolerance, difference  # noqa: E402
from shared_folder import shared_folder  # noqa: E402
from stand_in_models import Input, Model, write_caffe, write_mean_image, write_meta_graph, write_onnx, write_saved_model, write_tensorflow  # noqa: E402
from wire_models import put  # noqa: E402

SAMPLE = 3  # without --all: every third line
MOST_ELEMENTS = 600_000  # of all inputs, when numbers are compared
FLAGS = {"reverse_input_channels", "disable_fusing", "disable_gfusing", "static_shape", "silent", "progress", "stream_output", "keep_shape_ops",
         "disable_nhwc_to_nchw", "disable_resnet_optimization", "compress_to_fp16", "input_model_is_text", "disable_omitting_optional",
         "enable_flattening_nested_params", "generate_deprecated_IR_V7", "use_new_frontend", "use_legacy_frontend", "enable_concat_optimization",
         "remove_output_softmax", "remove_memory", "enable_ssd_gluoncv", "move_to_preprocess", "legacy_ir_generation", "disable_weights_compression",
         "save_params_from_nd", "legacy_mxnet_model", "version", "help"}
VALUES = {"input_model", "framework", "model_name", "output_dir", "log_level", "input", "output", "input_shape", "batch", "mean_values", "scale_values",
          "scale", "data_type", "freeze_placeholder_with_value", "layout", "source_layout", "target_layout", "transform", "transformations_config",
          "extensions", "finegrain_fusing", "input_checkpoint", "input_meta_graph", "saved_model_dir", "saved_model_tags",
          "tensorflow_object_detection_api_pipeline_config", "tensorflow_use_custom_operations_config", "tensorflow_custom_operations_config_update",
          "tensorboard_logdir", "tensorflow_custom_layer_libraries", "input_proto", "k", "mean_file", "mean_file_offsets", "caffe_parser_path",
          "input_symbol", "nd_prefix_name", "pretrained_model_name", "counts"}
SHORT = {"m": "input_model", "w": "input_model", "o": "output_dir", "n": "model_name", "b": "batch", "s": "scale", "ms": "mean_values", "d": "input_proto",
         "k": "k", "mf": "mean_file", "mo": "mean_file_offsets", "h": "help"}
CONFIGS = ("transformations_config", "tensorflow_use_custom_operations_config", "tensorflow_object_detection_api_pipeline_config")
SUFFIXES = {".onnx": "onnx", ".pb": "tf", ".pbtxt": "tf", ".meta": "tf", ".caffemodel": "caffe", ".params": "mxnet", ".nnet": "kaldi", ".mdl": "kaldi",
            ".pdmodel": "paddle", ".tflite": "tflite"}
REFUSED_FRAMEWORKS = {"mxnet": "MXNet", "kaldi": "Kaldi", "paddle": "Paddle", "tflite": "TensorFlow Lite"}
# Enough of a file for its kind to be seen.
BEGINNINGS = {"mxnet": struct.pack("<QQQ", 0x112, 0, 0), "kaldi": b"\0B<Nnet3> ", "paddle": put(1, put(1, 0) + put(2, -1) + put(3, put(1, "x"))),
              "tflite": b"\x1c\0\0\0TFL3" + b"\0" * 24}


class Refused(Exception):
    """No release of the original accepts the line."""


class Line:
    """Option names and values of one command line; `True` for a switch."""

    def __init__(self, words):
        self.options = collections.OrderedDict()
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if not word.startswith("-") or word == "--":
                raise Refused(f"an argument without an option: {word}")
            name, _, value = word.lstrip("-").partition("=")
            name = self.full(name, word.startswith("--"))
            # Quotation marks are lost in the lines: what follows is one value up to the next option.
            more = []
            while at < len(words) and not re.match(r"--?[a-zA-Z]", words[at]) and words[at] != "--":
                if name in FLAGS and words[at] not in ("True", "False"):
                    break
                more.append(words[at])
                at += 1
            value = " ".join(([value] if "=" in word else []) + more)
            if name in VALUES and not value:
                raise Refused(f"--{name} without a value")
            self.options[name] = value if name in VALUES else value or True

    @staticmethod
    def full(name, long):
        if not long:
            if name in SHORT:
                return SHORT[name]
            raise Refused(f"-{name}")
        name = name.replace("-", "_")
        found = [n for n in FLAGS | VALUES if n == name] or [n for n in FLAGS | VALUES if n.startswith(name)]
        if name == "mean_value":
            found = ["mean_values"]
        if len(found) != 1:
            raise Refused(f"--{name}")
        return found[0]

    def get(self, name, default=""):
        return self.options.get(name, default)

    def is_set(self, name):
        return self.get(name, "False") in (True, "True")


def split(text):
    """At commas outside of brackets."""
    return [item.strip() for item in re.findall(r"(?:[^,\[(]|\[[^\]]*\]|\([^)]*\))+", text)] if text else []


def dimensions(text):
    dims = []
    for dim in re.findall(r"[^,\s]+", text):
        if re.fullmatch(r"-1|\?|\d+|\d*\.\.\d*", dim) is None:
            raise Refused(f"dimension {dim}")
        dims.append(int(dim) if dim.isdigit() else dim)
    return dims


def channel_lists(text):
    """Name, or None -> numbers."""
    found = {}
    for i, item in enumerate(split(text)):
        name, numbers = re.fullmatch(r"(.*?)[\[(]([^\])]*)[\])]", item).groups() if re.search(r"[\[(]", item) else ("", text)
        found[name or i] = [float(n) for n in re.findall(r"[^,\s]+", numbers)]
        if not re.search(r"[\[(]", item):
            return found
    return found


def layouts(line):
    """Name or position -> (source, target), as letters."""
    found = {}
    for option, place in (("layout", None), ("source_layout", 0), ("target_layout", 1)):
        for i, item in enumerate(split(line.get(option))):
            name, text = re.fullmatch(r"([^(\[]*?)[(\[](.*)[)\]]", item).groups() if re.search(r"[(\[]", item) else (i, item)
            parts = [p.lower() for p in text.split("->")] if place is None else [text.lower()]
            before = found.get(name, (None, None))
            if place is None:
                found[name] = (parts[0], parts[1] if len(parts) > 1 else None)
            else:
                found[name] = (text.lower(), before[1]) if place == 0 else (before[0], text.lower())
    return found


def framework_of(line):
    for option, framework in (("saved_model_dir", "tf"), ("input_meta_graph", "tf"), ("input_symbol", "mxnet"), ("pretrained_model_name", "mxnet")):
        if line.get(option):
            return framework
    if line.get("framework"):
        return line.get("framework")
    suffix = Path(line.get("input_model")).suffix
    if suffix not in SUFFIXES:
        raise Refused(f"the framework of {line.get('input_model')}")
    return SUFFIXES[suffix]


class StandIn:
    """The model that a line is about, and the values of its inputs."""

    def __init__(self, line, framework):
        self.line, self.framework = line, framework
        self.layouts = layouts(line)
        self.frozen = {}  # name: text
        self.given = []  # (name as written, name, input port, shape, kind)
        self.read_inputs()
        self.outputs = [re.sub(r"^\d+:|:\d+$", "", o) for o in split(line.get("output"))]
        stateful = re.search(r"param_res_names=\{'([^']*)':'([^']*)'", line.get("transform"))
        if stateful:
            self.given.append((stateful[1], stateful[1], None, [1, 4], "f32"))
            self.outputs.append(stateful[2])
        self.model = self.make_model()

    def read_inputs(self):
        line = self.line
        if line.get("batch") and (line.get("input_shape") or "[" in line.get("input")):
            raise Refused("--batch with a shape")
        shapes = [dimensions(s.strip()[1:-1]) for s in split(line.get("input_shape"))]
        items = split(line.get("input"))
        for i, item in enumerate(items):
            text, _, value = item.partition("->")
            written, shape, kind = re.fullmatch(r"([^\[{]*)(\[[^\]]*\])?(\{\w+\})?", text.strip()).groups()
            if value:
                self.frozen[written] = value
            dims = dimensions(shape[1:-1]) if shape else shapes[i] if i < len(shapes) else None
            self.add(written.strip(), dims, (kind or "{f32}")[1:-1])
        for item in split(line.get("freeze_placeholder_with_value")):
            name, value = item.split("->")
            self.frozen[name] = value
            self.add(name, None, "f32")
        if items:
            return
        for option in ("mean_values", "scale_values"):
            for name in channel_lists(line.get(option)):
                if isinstance(name, str):
                    self.add(name, shapes[0] if shapes else None, "f32")
        for name in self.layouts:
            if isinstance(name, str):
                self.add(name, None, "f32")
        nameless = max([len(shapes)] + [sum(not isinstance(n, str) for n in found) for found in (self.layouts, channel_lists(line.get("mean_values")))])
        while sum(g[0] not in self.frozen for g in self.given) < max(1, nameless):
            i = sum(g[0] not in self.frozen for g in self.given)
            self.add(f"data_{i}", shapes[i] if i < len(shapes) else None, "f32")

    def add(self, written, dims, kind):
        if any(g[0] == written for g in self.given):
            return
        port = re.match(r"(\d+):", written)
        name = re.sub(r":\d+$", "", written[port.end():] if port else written)
        value = self.frozen.get(written, "")
        if value and not port:
            kind = "bool" if value in ("True", "False") else "i32"
            dims = [] if not value.startswith("[") and dims is None else dims or [len(value.split())]
        self.given.append((written, name, int(port[1]) if port else None, dims, kind))

    def layout_of(self, index, name):
        return self.layouts.get(name, self.layouts.get(index, (None, None)))

    def default_shape(self, index, name):
        source = self.layout_of(index, name)[0]
        count = 3
        for option in ("mean_values", "scale_values"):
            lists = channel_lists(self.line.get(option))
            values = lists.get(name, lists.get(index, []))
            count = len(values) if len(values) > 1 else count
        if source and "c" in source:
            return [{"n": 1, "c": count}.get(letter, 12) for letter in source]
        if source:
            return [1 if letter == "n" else 4 for letter in source]
        return [1, 12, 14, count] if self.framework == "tf" else [1, count, 12, 14]

    def channel_place(self, index, name, rank):
        source = self.layout_of(index, name)[0]
        if source:
            return source.index("c") if "c" in source and len(source) == rank else None
        return None if rank < 2 else rank - 1 if self.framework == "tf" and rank > 2 else 1

    def make_model(self):
        batch = int(self.line.get("batch") or 0)
        inputs, self.shapes = [], []
        for index, (written, name, port, dims, kind) in enumerate(self.given):
            dims = self.default_shape(index, written) if dims is None else dims
            concrete = []
            for d in dims:
                low, _, high = str(d).partition("..")
                concrete.append(d if isinstance(d, int) else 5 if d in ("?", "-1") else int(low or high))
            if batch and concrete:
                concrete[0] = batch
            declared = [d if isinstance(d, int) else None for d in dims]
            if batch and declared:
                declared[0] = None if self.framework != "caffe" else 1
            self.shapes.append(concrete)
            inputs.append(Input(name, declared, kind, port, self.channel_place(index, written, len(dims)), name in self.outputs))
        names = {i.name for i in inputs}
        self.same_node = any(o in names for o in self.outputs)
        outputs = [o for o in self.outputs if o not in names]
        return Model(inputs, outputs or [f"out_{i}" for i in range(len(inputs))])

    # -- files ----------------------------------------------------------------------------------------------------------------------------

    def write(self, folder):
        """The files, and the arguments that name them."""
        line, words = self.line, []
        for option, value in line.options.items():
            if option in CONFIGS or option in ("output_dir", "extensions", "tensorflow_custom_operations_config_update", "input_checkpoint"):
                continue
            if option in ("input_model", "input_proto", "input_meta_graph", "saved_model_dir", "k", "mean_file"):
                value = str(folder / Path(value.strip("/").replace("%", "_")).name)
            words.append(f"-{option}" if option == "k" else f"--{option}")
            if value is not True:
                words.append(value)
        path = Path(folder / Path(line.get("input_model").strip("/").replace("%", "_")).name)
        if self.framework == "tf":
            if line.get("saved_model_dir"):
                write_saved_model(self.model, folder / Path(line.get("saved_model_dir").strip("/")).name)
            elif line.get("input_meta_graph"):
                write_meta_graph(self.model, folder / Path(line.get("input_meta_graph")).name)
            else:
                write_tensorflow(self.model, path)
                words = [w for w in words if w != "--input_model_is_text"]  # the stand-in is not
        elif self.framework == "caffe":
            proto = folder / Path(line.get("input_proto")).name if line.get("input_proto") else path.with_suffix(".prototxt")
            write_caffe(self.model, proto, path)
        else:
            write_onnx(self.model, path)
        if line.get("mean_file"):
            write_mean_image(self.model.inputs[0].shape, folder / Path(line.get("mean_file")).name)
        if line.get("k"):
            (folder / Path(line.get("k")).name).write_text("<CustomLayers></CustomLayers>\n")
        return words

    # -- numbers --------------------------------------------------------------------------------------------------------------------------

    def feeds(self, random):
        """For each input that is left: what the IR gets, and what the model then sees."""
        made = []
        means, scales = channel_lists(self.line.get("mean_values")), channel_lists(self.line.get("scale_values"))
        position = 0
        for index, (given, model_input) in enumerate(zip(self.given, self.model.inputs)):
            written, name = given[0], given[1]
            if written in self.frozen:
                text = self.frozen[written].strip("[]")
                values = np.array([float({"True": 1, "False": 0}.get(v, v)) for v in text.replace(",", " ").split()])
                made.append((None, np.broadcast_to(values.reshape(-1) if values.size > 1 else values[0], self.shapes[index] or ())))
                continue
            axis = self.channel_place(index, written, len(self.shapes[index]))
            if model_input.kind != "f32":
                x = random.integers(0, 2, self.shapes[index])
                made.append((x.astype({"i32": np.int32, "i64": np.int64, "bool": np.bool_}[model_input.kind]), x))
                position += 1
                continue
            x = random.uniform(0, 255, self.shapes[index]).astype(np.float32)

            def each(lists):
                values = lists.get(written, lists.get(name, lists.get(position, [])))
                if len(values) < 2:
                    return np.array(values[0] if values else np.nan)
                return np.array(values).reshape([-1 if d == axis else 1 for d in range(x.ndim)])
            seen = x.astype(np.float64)
            reversible = axis is not None and x.shape[axis] == 3 and (x.ndim == 4 or self.layout_of(index, written)[0])
            if self.line.is_set("reverse_input_channels") and reversible:
                seen = np.flip(seen, axis)
            mean, scale = each(means), each(scales)
            if self.line.get("scale"):
                scale = np.array(float(self.line.get("scale")))
            seen = seen - np.where(np.isnan(mean), 0, mean)
            seen = seen / np.where(np.isnan(scale), 1, scale)
            source, target = self.layout_of(index, written)
            made.append((np.transpose(x, [source.index(letter) for letter in target]) if source and target else x, seen))
            position += 1
        return made


def run(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def compare(stand_in, bins, xml, folder, seed):
    """Why the numbers are wrong; None when they are right; "skipped" when they were not computed."""
    if stand_in.same_node or sum(int(np.prod(s)) for s in stand_in.shapes) > MOST_ELEMENTS or stand_in.line.get("transform") or stand_in.line.get("mean_file"):
        return "skipped"
    feeds = stand_in.feeds(np.random.default_rng(seed))
    files = []
    for i, (x, _) in enumerate(feeds):
        if x is not None:
            np.save(folder / f"x{i}.npy", np.ascontiguousarray(x))
            files += ["--input", folder / f"x{i}.npy"]
    code, text = run([bins / "mo_run", xml, *files, "--output_dir", folder])
    if code != 0:
        return text.strip()[-400:]
    half = stand_in.line.get("data_type") in ("FP16", "half") or stand_in.line.is_set("compress_to_fp16")
    for k, want in enumerate(stand_in.model.expected([seen for _, seen in feeds])):
        got = np.load(folder / f"{k}.npy").astype(np.float64).reshape(-1)
        if why := difference(got, want, Tolerance(1e-2 if half else 1e-4, 1.0 if half else 1e-3, scale=ELEMENT)):
            return f"output {k}: {why}"
    return None


def replay(words, framework, bins, folder, seed):
    """What happened (a word for the table), and a text when that is wrong."""
    try:
        line = Line(words)
        if line.is_set("help"):
            return "help", None
        if not (line.get("input_model") or line.get("saved_model_dir") or line.get("input_meta_graph") or line.get("input_symbol")):
            raise Refused("no model")
        framework = framework_of(line) if framework is None else framework
        if framework in REFUSED_FRAMEWORKS:
            model = line.get("input_model") or line.get("input_symbol")
            words = ["--input_model", folder / Path(model).name] if line.get("input_model") else ["--input_symbol", model]
            (folder / Path(model).name).write_bytes(BEGINNINGS[framework])
            code, text = run([bins / "mo", *words, "--output_dir", folder / "ir"])
            right = code != 0 and REFUSED_FRAMEWORKS[framework] in text and "hint" in text
            return "framework refused", None if right else f"exit {code}: {text[-300:]}"
        stand_in = StandIn(line, framework)
    except Refused as reason:
        code, text = run([bins / "mo", *words, "--output_dir", folder / "ir"])
        return "refused by all", None if code != 0 else f"converts, although: {reason}"
    words = stand_in.write(folder)
    if framework == "onnx" and line.get("framework") == "caffe2":
        words[words.index("--framework") + 1] = "onnx"
    code, text = run([bins / "mo", *words, "--output_dir", folder / "ir"])
    config = any(line.get(c) for c in CONFIGS)
    if code != 0:
        return "failed", f"{shlex.join(map(str, words))}\n{text[-700:]}"
    xml = next((folder / "ir").glob("*.xml"))
    wrong = compare(stand_in, bins, xml, folder, seed)
    if wrong and wrong != "skipped":
        return "wrong numbers", f"{shlex.join(map(str, words))}\n{wrong}"
    return ("converted without its config" if config else "converted") + (", numbers not compared" if wrong else ", numbers right"), None


def words_of(entry):
    """The command line of Open Model Zoo's entry, with what its converter adds."""
    words = list(entry["args"])
    if not any(w.split("=")[0] == "--framework" for w in words):
        words = [f"--framework={'onnx' if entry['framework'] in ('pytorch', 'caffe2') else entry['framework']}"] + words
    names = {w.split("=")[0] for w in words}
    if entry.get("inputs"):
        inputs = entry["inputs"]
        if "--input" not in names:
            words.append("--input=" + ",".join(i["name"] for i in inputs))
        if all(i.get("layout") for i in inputs):
            words.append("--layout=" + ",".join(f"{i['name']}({i['layout']})" for i in inputs))
        if "--input_shape" not in names and all(i.get("shape") for i in inputs):
            words.append("--input_shape=" + ",".join(str(i["shape"]) for i in inputs))
        words.append("--compress_to_fp16=True")
    return words


def era_of(entry):
    releases = [re.sub(r"refs/heads/", "", r) for r in entry.get("releases", [])]
    return "2022 and later" if entry.get("inputs") else (releases[0][:4] if releases else "?")


def main():
    bins = Path(sys.argv[1]).resolve()
    everything, verbose = "--all" in sys.argv, "--verbose" in sys.argv
    path = Path(sys.argv[sys.argv.index("--file") + 1]) if "--file" in sys.argv else shared_folder("cases/command_lines.json") / "cases/command_lines.json"
    cases = json.loads(path.read_text())
    lines = [(era_of(e), words_of(e), {"pytorch": "onnx", "caffe2": "onnx"}.get(e["framework"], e["framework"])) for e in cases.get("model_zoo", [])]
    lines += [(e["source"], shlex.split(e["command"], posix=False)[1:], None) for e in cases.get("readme_and_documentation", [])]
    table, problems = collections.defaultdict(collections.Counter), []
    for number, (era, words, framework) in enumerate(lines):
        if not everything and number % SAMPLE:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                outcome, problem = replay(words, framework, bins, Path(folder), number)
            except Exception as failure:  # a line that the test itself cannot read must be seen
                outcome, problem = "not understood", f"{shlex.join(words)}\n{type(failure).__name__}: {failure}"
        table[era][outcome] += 1
        if problem:
            problems.append(f"{era}, line {number}: {outcome}: {problem}")
    for era in sorted(table):
        print(f"{era}: " + "; ".join(f"{count} {outcome}" for outcome, count in sorted(table[era].items())))
    total = sum(sum(counts.values()) for counts in table.values())
    print(f"{total} command lines, {len(problems)} problems")
    for problem in problems if verbose else problems[:10]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
