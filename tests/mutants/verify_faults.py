#!/usr/bin/env python3
"""Does mo verify find errors of kernels, extractors and translators? Makes one program in which every fault of faults.txt sleeps behind a switch, wakes one after
the other, and verifies conversions of real models against what an error-free program computed of each tensor: the arrays stand for those of the model's framework.

usage: verify_faults.py BUILD [-j N] [--models N] [NAME …]     BUILD: a folder for the copy of the sources and their build; --models: try each fault on N models that
                                                               show it; NAME: only these

A fault counts where it changes an output. It is found when mo verify ends with 8, or the conversion with an error. The layer is right when it is one whose numbers
are wrong and whose inputs are right, by a comparison of all tensors with numpy; or when no tensor before the output has a name in both models.
Exit code 1 when one is not found, or when no model shows it.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "e2e"), str(HERE.parent / "support")]
import numpy_python  # noqa: E402,F401
import numpy  # noqa: E402

from faults_test import Faults  # noqa: E402
from mutant_list import locate, parse_list  # noqa: E402
from run import build  # noqa: E402
from shared_folder import shared_folder  # noqa: E402
from verify_models import command_lines  # noqa: E402

# Small ones with many kinds of ops.
MODELS = ("onnx_mnist_cntk", "onnx_cifar_pytorch", "onnx_iris_pytorch", "caffe_lenet", "caffe_mtcnn_det1", "tf_cifar_frozen", "tf_mnist_conv_savedmodel", "tf_kws_cnn_s",
          "tf_kws_ds_cnn_s", "onnx_polygraphy_lstm", "onnx_polygraphy_loop", "onnx_transformer_dummy", "onnx_t5_encoder", "onnx_dtln_1", "onnx_qlstm_tract",
          "onnx_qdq_conv", "onnx_light_shufflenet", "onnx_light_squeezenet", "onnx_light_zfnet512", "onnx_selfie_seg", "onnx_sinet", "onnx_yunet_n_320",
          "onnx_ultraface_rfb320", "onnx_super_resolution", "onnx_ppocr_cls", "onnx_gtcrn_simple", "onnx_basic_pitch_nmp", "caffe_mtcnn_det2", "caffe_retinaface_mnet25",
          "caffe_syn_cifar10_full", "caffe_wechat_qr_detect", "caffe_landmark106", "tf_kws_gru_s", "tf_kws_lstm_s", "tf_t2o_gru", "tf_espcn_x2",
          "tf_hey_snips_wavenet", "tf_half_plus_two_tf2", "onnx_external_data", "onnx_nested_local_function", "onnx_silero_vad_16k_op15", "onnx_fns_candy_240",
          "tf_pose_mbv2_small", "caffe_syn_squeezenet_v11", "caffe_yoloface_50k", "caffe_mtcnn_det3")


def differs(true, made):
    """Channels may stand elsewhere in the IR than in the model; what cannot be compared counts as the same."""
    if made.dtype.kind not in "fiub" or true.ndim != made.ndim:
        return False
    front, back = (0, true.ndim - 1, *range(1, true.ndim - 1)), (0, *range(2, true.ndim), 1)
    readings = [each for each in (true, *((true.transpose(front), true.transpose(back)) if true.ndim > 2 else ())) if each.shape == made.shape]
    return bool(readings) and all(Faults.differ([each], [made]) for each in readings)


def tensor_file(folder, name):
    return Path(folder) / (name.replace("%", "%25").replace("/", "%2F") + ".npy")


class Model:
    """A model, and the arrays that an error-free program computes of it."""

    def __init__(self, mo, spec, words, shared, folder):
        self.mo, self.folder, self.id = mo, folder, spec["id"]
        # The reference has inputs of its own; the shapes are theirs.
        self.words = [words[1], *words[2:]] if words[0] == "--input_model" else words
        inputs = spec.get("reference", {}).get("inputs") or []
        self.arrays = [word for each in inputs for word in ("--input", f"{each['name']}={shared / 'models' / each['file']}")]
        self.truth = folder / "truth"
        at = self.words.index("--input") if "--input" in self.words else len(self.words)  # of mo run, --input is an array
        code, out = self.run(0, "run", *self.words[:at], *self.words[at + 2:], *self.arrays, "--dump", self.truth, "--output_dir", folder / "truth_outputs", "--portable")
        self.usable = code == 0 and self.arrays
        self.outputs = self.outputs_in(out) if self.usable else []
        if self.usable:
            code, _ = self.run(0, "verify", *self.words, "--reference", self.truth)
            self.usable = code == 0

    def run(self, fault, *words):
        done = subprocess.run([str(self.mo), *map(str, words)], env=dict(os.environ, MO_MUTANT=str(fault)), cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300, check=False)
        return done.returncode, done.stdout.decode(errors="replace")

    def outputs_in(self, printed):
        return [numpy.load(self.folder / row["file"]) for row in json.loads(printed.splitlines()[-1])["outputs"]]

    def effect(self, fault):
        """"", "refused", or "wrong"; and the folder with all tensors of the wrong IR."""
        code, _ = self.run(fault, "convert", *self.words, "--output_dir", "ir", "--model_name", "m", "--silent")
        if code != 0:
            return "refused"
        names = {each.split("=")[0]: each.split("=", 1)[1] for each in self.arrays[1::2]}
        xml = ElementTree.parse(self.folder / "ir/m.xml").getroot()
        parameters = [layer.get("name") for layer in xml.findall("layers/layer[@type='Parameter']")]
        words = [word for name in parameters for word in ("--input", f"{name}={names.get(name) or names.get(name + ':0') or 'random:1'}")]
        code, printed = self.run(fault, "run", "ir/m.xml", *words, "--dump", "wrong", "--output_dir", "wrong_outputs", "--portable")
        if code != 0:
            return "refused"
        made = self.outputs_in(printed)
        return "wrong" if len(made) != len(self.outputs) or Faults.differ(self.outputs, made) else ""

    def first_wrong(self):
        """Names of the layers, and of their tensors, that are wrong and that nothing wrong leads to, unless past what is right; empty when no tensor of both is wrong."""
        xml = ElementTree.parse(self.folder / "ir/m.xml").getroot()
        names, wrong, right, sources = {}, set(), set(), {}
        for layer in xml.findall("layers/layer"):
            ports = [port for port in layer.findall("output/port")]
            texts = {name for port in ports for name in re.split(r"(?<!\\),", port.get("names") or "")} | {layer.get("name")}
            names[layer.get("id")] = texts
            for name in texts:
                true, made = tensor_file(self.truth, name), tensor_file(self.folder / "wrong", name)
                if true.exists() and made.exists():
                    (wrong if differs(numpy.load(true), numpy.load(made)) else right).add(layer.get("id"))
        for edge in xml.findall("edges/edge"):
            sources.setdefault(edge.get("to-layer"), set()).add(edge.get("from-layer"))

        def has_wrong_source(layer, seen):
            for source in sources.get(layer, ()):
                if source not in seen and (source in wrong or source not in right):
                    seen.add(source)
                    if source in wrong or has_wrong_source(source, seen):
                        return True
            return False

        return set().union(*(names[layer] for layer in wrong if not has_wrong_source(layer, set())), set())

    def verdict(self, fault):
        code, printed = self.run(fault, "verify", *self.words, "--reference", self.truth, "--json", "--portable")
        begin = re.search(r"^{", printed, re.M)  # warnings come first, the error last
        blamed = (json.JSONDecoder().raw_decode(printed, begin.start())[0].get("layer") or {}) if code == 8 and begin else {}
        said = {blamed.get("name"), blamed.get("tensor"), blamed.get("source_node")} | set(blamed.get("sources", []) + blamed.get("region", []))
        return code, said - {None}


def read_faults():
    faults = parse_list((HERE / "faults.txt").read_text())
    problems = locate(faults, HERE.parents[1])
    if problems:
        sys.exit("\n".join(problems))
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("-j", dest="jobs", type=int, default=2)
    parser.add_argument("--models", type=int, default=2)
    how = parser.parse_args()
    sys.setrecursionlimit(100000)
    faults = read_faults()
    mo = build(how.build.resolve(), faults, how.jobs, ["--target", "mo"]) / "bin/mo"
    shared = shared_folder("tools/evaluate_models.py", "models/manifest.json")
    specs = {spec["id"]: spec for spec in json.loads((shared / "models/manifest.json").read_text())["models"]}
    lines = command_lines(shared)
    chosen = [fault for fault in faults if not how.names or fault.name in how.names]
    count = dict.fromkeys(("shown by no model", "refused", "wrong", "found", "layer right", "not found"), 0)
    with tempfile.TemporaryDirectory() as top:
        models = []
        for name in MODELS:
            (Path(top) / name).mkdir()
            models.append(Model(mo, specs[name], lines[name][11], shared, Path(top) / name))
        models = [model for model in models if model.usable]
        print(f"{len(chosen)} faults, {len(models)} models", flush=True)
        for fault in chosen:
            shown = 0
            framework = next((f for f in ("onnx", "tensorflow", "caffe") if f"frontends/{f}/" in fault.file), "")
            for model in models:
                if shown == how.models:
                    break
                if framework and not model.id.startswith({"tensorflow": "tf"}.get(framework, framework)):
                    continue
                effect = model.effect(fault.number)
                if not effect:
                    continue
                shown += 1
                count[effect] += 1
                if effect == "refused":
                    continue
                code, said = model.verdict(fault.number)
                wanted = model.first_wrong()
                right = code == 8 and (not wanted or bool(wanted & said))
                count["found" if code != 0 else "not found"] += 1
                count["layer right"] += right
                if not right:
                    print(f"{fault.name} on {model.id}: exit code {code}, says {sorted(said)[:4]}, wrong first: {sorted(wanted)[:4]}", flush=True)
            if shown == 0:
                count["shown by no model"] += 1
                print(f"{fault.name}: no model shows it", flush=True)
    print(", ".join(f"{what} {number}" for what, number in count.items()))
    return 1 if count["not found"] or count["shown by no model"] else 0


if __name__ == "__main__":
    sys.exit(main())
