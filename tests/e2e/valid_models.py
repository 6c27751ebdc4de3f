#!/usr/bin/env python3
"""Converts small ONNX models that converters have stumbled over, in both IR versions, runs them, and compares with numbers that are computed here in
numpy, from the files and the definitions of their operators; models that contradict themselves must be refused.

usage: valid_models.py BIN             BIN: folder of mo and mo_run
       valid_models.py --self-test     checks that a wrong number and a wrong refusal are found

The models are looked up in MO_SHARED (default: ../shared beside the sources); without them the test is skipped, which it says. Every IR must pass
MO_SHARED's checker.
"""
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generators"))

from shared_folder import SKIPPED, shared_folder  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import numpy_python  # noqa: E402,F401

import numpy as np  # noqa: E402

import formulas_attention  # noqa: E402
import formulas_onnx  # noqa: E402
import formulas_openvino  # noqa: E402
import onnx_file  # noqa: E402
from closeness import LARGEST, Tolerance, difference  # noqa: E402

ROUNDING = Tolerance(1e-5, 0, scale=LARGEST, least_scale=1)
REFUSED = {"conv_bias_4_for_1_filter": "MO-ONNX-0477", "resize_sizes_and_scales": "MO-ONNX-0477"}
# The slices of the loop's body have lengths that only the run knows.
REFUSED_IN_V10 = {"crop_and_resize": "MO-BACK-0002"}


def asked(node):
    """The node as the formulas want it."""
    return SimpleNamespace(op=node.op, outputs=node.outputs, attributes=node.attributes, get=node.attributes.get)


def attention_mha(graph, feeds):
    values = {**graph.constants, **feeds}
    for node in graph.nodes:
        inputs = [values[name] for name in node.inputs]
        if node.op == "Cast":
            made = inputs[0].astype(onnx_file.TYPES[node.attributes["to"]])
        elif node.op == "MatMul":
            made = inputs[0].astype(np.float64) @ inputs[1]
        elif node.op == "SkipLayerNormalization":
            made = formulas_onnx.skip_layer_normalization(asked(node), *inputs)
        else:
            made = formulas_attention.multi_head_attention(asked(node), *inputs)[0]
        values[node.outputs[0]] = made
    return [values["output"]]


def crop_and_resize(graph, feeds):
    """Boxes (y1, x1, y2, x2 in parts of the image) of images, bilinear; 0 where a place is outside of the image."""
    images, which = feeds["input:0"].astype(np.float64), feeds["input2:0"]
    rows, columns = (int(n) for n in graph.constants["const_fold_opt__71"])
    made = np.zeros((len(which), rows, columns, images.shape[3]))
    for n, (y1, x1, y2, x2) in enumerate(graph.constants["Const:0"].astype(np.float64)):
        height, width = images.shape[1:3]
        for y, x in np.ndindex(rows, columns):
            at = [a * (size - 1) + step * (b - a) * (size - 1) / (count - 1)
                  for a, b, size, step, count in ((y1, y2, height, y, rows), (x1, x2, width, x, columns))]
            if not (0 <= at[0] <= height - 1 and 0 <= at[1] <= width - 1):
                continue
            low = [int(np.floor(v)) for v in at]
            for dy, dx in np.ndindex(2, 2):
                weight = (1 - abs(at[0] - low[0] - dy)) * (1 - abs(at[1] - low[1] - dx))
                made[n, y, x] += weight * images[which[n], min(low[0] + dy, height - 1), min(low[1] + dx, width - 1)]
    return [made]


def if_squeeze(graph, feeds):
    x = feeds["x"]
    return [np.maximum(x.squeeze(1) if x.shape[1] == 1 else x, 0)]


def lpnorm(graph, feeds):
    x = feeds["x"].astype(np.float64)
    norm = np.sqrt((x ** 2).sum(graph.nodes[0].attributes["axis"], keepdims=True))
    return [x / np.where(norm == 0, 1, norm)]


def fake_quantize(graph, feeds):
    ranges = [node.attributes["value"] for node in graph.nodes if node.op == "Constant"]
    return [formulas_openvino.fake_quantize(asked(graph.nodes[-1]), feeds["X"], *ranges)]


def roialign_max(graph, feeds):
    """The largest of all corners times their weights in a bin; regions are taken as they are, and are at least 1 long."""
    x, find = feeds["X"].astype(np.float64), graph.nodes[0].attributes
    size, samples = (find["output_height"], find["output_width"]), find["sampling_ratio"]
    made = np.zeros((len(feeds["rois"]), x.shape[1], *size))
    for (r, c, *bin_), _ in np.ndenumerate(made):
        image = x[feeds["batch_indices"][r], c]
        begin, end = feeds["rois"][r, [1, 0]].astype(np.float64), feeds["rois"][r, [3, 2]].astype(np.float64)
        step = np.maximum(end - begin, 1) / size
        best = -np.inf
        for sample in np.ndindex(samples, samples):
            at = begin + (np.array(bin_) + (np.array(sample) + 0.5) / samples) * step
            if (at < -1).any() or (at > image.shape).any():
                best = max(best, 0)
                continue
            at = np.clip(at, 0, np.array(image.shape) - 1)
            low = np.floor(at).astype(int)
            for corner in np.ndindex(2, 2):
                place = np.minimum(low + corner, np.array(image.shape) - 1)
                weight = np.prod([share if behind else 1 - share for share, behind in zip(at - low, corner)])
                best = max(best, weight * image[tuple(place)])
        made[(r, c, *bin_)] = best
    return [made]


def tree_leaf(graph, feeds):
    find = graph.nodes[0].attributes
    nodes = {(t, n): i for i, (t, n) in enumerate(zip(find["nodes_treeids"], find["nodes_nodeids"]))}
    labels = find["classlabels_int64s"]
    scores = np.zeros((len(feeds["X"]), len(labels)))
    for row, x in enumerate(feeds["X"]):
        for tree in sorted(set(find["nodes_treeids"])):
            at = nodes[tree, 0]
            while find["nodes_modes"][at] != "LEAF":
                yes = x[find["nodes_featureids"][at]] <= np.float32(find["nodes_values"][at])
                at = nodes[tree, find["nodes_truenodeids" if yes else "nodes_falsenodeids"][at]]
            for t, n, label, weight in zip(find["class_treeids"], find["class_nodeids"], find["class_ids"], find["class_weights"]):
                if (t, n) == (tree, find["nodes_nodeids"][at]):
                    scores[row, label] += weight
    return [np.array(labels)[scores.argmax(1)], scores]


def random(shape, scale=1.0, kind=np.float32):
    return (np.random.default_rng(7).uniform(-1, 1, shape) * scale).astype(kind)


def with_zeros(shape):
    x = random(shape)
    x[:, 0, 1] = 0
    return x


MODELS = {
    "attention_mha": (attention_mha, {"input_1": random((1, 3, 16)), "input_2": random((1, 3, 16), 2), "input_mask": np.array([[1, 1, 0]])}),
    "crop_and_resize": (crop_and_resize, {"input:0": random((2, 36, 36, 3)), "input2:0": np.array([1, 0], np.int32)}),
    "if_squeeze_opset11_static": (if_squeeze, {"x": random((2, 3, 4))}),
    "lpnorm_zero": (lpnorm, {"x": with_zeros((2, 2, 3))}),
    "org_openvinotoolkit_FakeQuantize": (fake_quantize, {"X": random((1, 2, 3, 4), 20)}),
    "roialign_max": (roialign_max, {"X": random((1, 1, 10, 10)), "rois": np.array([[0, 0, 9, 9], [0, 5, 4, 9.3], [5.2, -3, 9, 0.4]], np.float32),
                                    "batch_indices": np.zeros(3, np.int64)}),
    "tree_leaf_feature_minus2": (tree_leaf, {"X": np.array([[2, 100, -100]], np.float32)}),
}


def said(out):
    return (out.stdout + out.stderr).strip()[-2000:]


def problem_of(out, code, refused):
    """What is wrong about the end of a conversion."""
    if refused:
        return "" if out.returncode != 0 and refused in said(out) else f"expected {refused}, got {out.returncode}: {said(out)}"
    return "" if code == 0 else said(out)


def try_model(shared, bin_folder, path, version, folder):
    name = path.stem
    refused = REFUSED.get(name) or (REFUSED_IN_V10.get(name) if version == 10 else None)
    out = subprocess.run([bin_folder / "mo", "--input_model", path, "--output_dir", folder, "--ir_version", str(version), "--silent"], capture_output=True, text=True,
                         check=False)
    if refused or out.returncode:
        return problem_of(out, out.returncode, refused)
    xml = Path(folder, name + ".xml")
    checked = subprocess.run([sys.executable, shared / "tools" / "check_ir.py", xml, "--no-warn", "--runtime", "auto"], capture_output=True, text=True, check=False)
    if checked.returncode or checked.stdout.strip():
        return said(checked)
    compute, feeds = MODELS[name]
    graph, _ = onnx_file.read(path)
    inputs = []
    for input_name, array in feeds.items():
        file = Path(folder, f"{len(inputs)}_in.npy")
        np.save(file, array)
        inputs += ["--input", f"{input_name}={file}"]
    ran = subprocess.run([bin_folder / "mo_run", xml, "--output_dir", folder, "--portable", *inputs], capture_output=True, text=True, check=False)
    if ran.returncode:
        return said(ran)
    wanted = compute(graph, feeds)
    found = [difference(np.load(Path(folder, f"{i}.npy")), want, ROUNDING) for i, want in enumerate(wanted)]
    return "; ".join(f"output {i}: {what}" for i, what in enumerate(found) if what)


def self_test():
    done, failed = SimpleNamespace(returncode=0, stdout="", stderr=""), SimpleNamespace(returncode=1, stdout="", stderr="MO-ONNX-0477: no")
    wrong = [bool(difference(np.ones(2), np.array([1, 1.1]), ROUNDING)), bool(difference(np.ones(2), np.ones(3), ROUNDING)), bool(problem_of(done, 0, "MO-ONNX-0477")),
             bool(problem_of(failed, 1, "MO-ONNX-0001")), bool(problem_of(failed, 1, None))]
    right = [difference(np.ones(2), np.ones(2), ROUNDING), problem_of(failed, 1, "MO-ONNX-0477"), problem_of(done, 0, None)]
    failures = wrong.count(False) + sum(map(bool, right))
    print(f"self-test: {failures} problems")
    return 1 if failures else 0


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    bin_folder = Path(sys.argv[1]).resolve()
    shared = shared_folder("tools/check_ir.py")
    if not (shared / "cases" / "valid_models").exists():
        print(f"skipped: {shared} has no cases/valid_models")
        return SKIPPED
    paths = sorted((shared / "cases" / "valid_models").glob("*.onnx"))
    problems = [f"{name}: is not there" for name in (MODELS.keys() | REFUSED.keys()) - {path.stem for path in paths}]
    for path in paths:
        if path.stem not in MODELS and path.stem not in REFUSED:
            problems.append(f"{path.name}: no numbers are computed for it")
            continue
        for version in (10, 11):
            with tempfile.TemporaryDirectory() as folder:
                if problem := try_model(shared, bin_folder, path, version, folder):
                    problems.append(f"{path.name}, IR version {version}: {problem}")
    print("\n".join(problems + [f"{len(paths)} models in two IR versions: {len(problems)} problems"]))
    return 1 if problems or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
