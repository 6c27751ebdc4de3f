#!/usr/bin/env python3
"""Stores small decoders, and what ONNX Runtime computes of them step by step. Runs in the environment of ONNX Runtime.

usage: decoder_steps.py FOLDER
       decoder_steps.py --compute MODEL.onnx STEPS.npz OUTPUT.npz       what the model computes of these inputs: arrays `i/OUTPUT`

FOLDER/NAME.onnx, and FOLDER/NAME.npz: for step i the arrays `i/in/INPUT`, of which the caches are those that step i - 1 returned, with the rows of
`i/beam_idx`; `i/out/OUTPUT`; `i/reset` where a new text begins.
"""
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from decoder_models import Size, decoder, random_weights

# The rows that each step continues, how many tokens it has, and whether the first row begins with filled places.
STEPS = [("new", 2, 5), ("next", [0, 1], 1), ("next", [1, 0], 1), ("next", [1, 1], 1), ("new", 1, 4), ("next", [0, 0, 0], 1), ("next", [2, 0, 1], 1), ("next", [0], 1),
         ("next", [0], 3), ("new", 2, 1), ("next", [1], 1)]


def steps_of(session, size, is_plain):
    """The arrays of each step."""
    random = np.random.default_rng(11)
    inputs = [end.name for end in session.get_inputs()]
    outputs = [end.name for end in session.get_outputs()]
    caches = [name for name in inputs if name.startswith("past_key_values.")]
    found, mask, past = {}, None, None
    for i, (kind, rows, length) in enumerate(STEPS):
        if kind == "new":
            rows = np.arange(rows)
            mask = np.ones((len(rows), 0), np.int64)
            past = {name: np.zeros((len(rows), size.shared, 0, size.width), np.float32) for name in caches}
            found[f"{i}/reset"] = np.array(True)
        rows = np.array(rows, np.int32)
        more = np.ones((len(rows), length), np.int64)
        if kind == "new" and is_plain and len(rows) > 1 and length > 2:
            more[0, :2] = 0  # the text of the first row is shorter
        mask = np.concatenate([mask[rows], more], 1)
        feed = {"input_ids": random.integers(0, size.vocabulary, (len(rows), length)), "attention_mask": mask}
        if is_plain:
            feed["position_ids"] = np.maximum(np.cumsum(mask, 1) - 1, 0)[:, -length:]
        feed.update({name: past[name][rows] for name in caches})
        results = dict(zip(outputs, session.run(None, feed)))
        past = {name: results[name.replace("past_key_values", "present")] for name in caches}
        found[f"{i}/beam_idx"] = rows
        found.update({f"{i}/in/{name}": array for name, array in feed.items()})
        found.update({f"{i}/out/{name}": array for name, array in results.items()})
    return found


def compute(model, steps, output):
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    arrays, found = np.load(steps), {}
    for i in range(len(STEPS)):
        feed = {end.name: arrays[f"{i}/in/{end.name}"] for end in session.get_inputs()}
        found.update({f"{i}/{end.name}": array for end, array in zip(session.get_outputs(), session.run(None, feed))})
    np.savez(output, **found)


def main():
    if sys.argv[1] == "--compute":
        return compute(*sys.argv[2:])
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for layers, attention, bits in ((2, "plain", 32), (3, "plain", 4), (2, "group_query", 32), (4, "group_query", 4)):
        size = Size(layers=layers)
        model = decoder(size, random_weights(size, layers), attention, bits).SerializeToString()
        name = f"{attention}_{bits}"
        (folder / f"{name}.onnx").write_bytes(model)
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        np.savez(folder / f"{name}.npz", **steps_of(session, size, attention == "plain"))


if __name__ == "__main__":
    sys.exit(main())
