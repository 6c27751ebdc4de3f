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
from decoder_models import Size, decoder, weights_for

# The rows that each step continues, how many tokens it has, and whether the first row begins with filled places.
STEPS = [("new", [0, 1], 5), ("next", [0, 1], 1), ("next", [1, 0], 1), ("next", [1, 1], 1), ("new", [0], 4), ("next", [0, 0, 0], 1), ("next", [2, 0, 1], 1),
         ("next", [0], 1), ("next", [0], 3), ("new", [0, 1], 1), ("next", [1], 1)]
# The same of a decoder with an encoder. "new": the text of the encoder that each row belongs to. What is computed of this text is not reordered: a row continues
# rows of its own text, and the batch stays as large as it is.
STEPS_WITH_ENCODER = [("new", [0, 0, 1, 1], 5), ("next", [0, 1, 2, 3], 1), ("next", [1, 0, 3, 2], 1), ("next", [1, 1, 2, 2], 2), ("new", [1, 1, 1], 4),
                      ("next", [2, 0, 1], 1), ("next", [1, 1, 1], 3), ("new", [0], 1), ("next", [0], 1)]
MODELS = [(2, "plain", 32), (3, "plain", 4), (2, "group_query", 32), (4, "group_query", 4), (2, "onnx_ops", 32), (3, "onnx_ops", 4), (2, "latent", 32),
          (3, "latent", 4), (2, "latent_cache", 32), (2, "latent_cache", 4), (2, "encoder_decoder", 32), (3, "encoder_decoder", 4)]


def steps_of(session, size):
    """The arrays of each step."""
    random = np.random.default_rng(11)
    inputs = {end.name: end.shape for end in session.get_inputs()}
    outputs = [end.name for end in session.get_outputs()]
    caches = {name: shape for name, shape in inputs.items() if name.startswith("past_key_values.")}
    has_encoder = "encoder_hidden_states" in inputs
    found, mask, past, encoder = {}, None, None, {}
    for i, (kind, rows, length) in enumerate(STEPS_WITH_ENCODER if has_encoder else STEPS):
        if kind == "new":
            if has_encoder:
                encoder_length = int(random.integers(3, 8))
                encoder = {"encoder_hidden_states": random.normal(size=(2, encoder_length, size.hidden)).astype(np.float32)[rows],
                           "encoder_attention_mask": (np.arange(encoder_length) < np.array([[encoder_length], [encoder_length - 1]]))[rows].astype(np.int64)}
            rows = np.arange(len(rows))
            mask = np.ones((len(rows), 0), np.int64)
            past = {name: np.zeros((len(rows), heads, 0, width), np.float32) for name, (_, heads, _, width) in caches.items()}
            found[f"{i}/reset"] = np.array(True)
        rows = np.array(rows, np.int32)
        more = np.ones((len(rows), length), np.int64)
        if kind == "new" and "position_ids" in inputs and len(rows) > 1 and length > 2:
            more[0, :2] = 0  # the text of the first row is shorter
        mask = np.concatenate([mask[rows], more], 1)
        encoder = {name: array[rows] for name, array in encoder.items()}
        feed = {"input_ids": random.integers(0, size.vocabulary, (len(rows), length)), "attention_mask": mask,
                "position_ids": np.maximum(np.cumsum(mask, 1) - 1, 0)[:, -length:], **encoder, **{name: past[name][rows] for name in caches}}
        feed = {name: feed[name] for name in inputs}
        results = dict(zip(outputs, session.run(None, feed)))
        past = {name: results[name.replace("past_key_values", "present")] for name in caches}
        found[f"{i}/beam_idx"] = rows
        found.update({f"{i}/in/{name}": array for name, array in feed.items()})
        found.update({f"{i}/out/{name}": array for name, array in results.items()})
    return found


def compute(model, steps, output):
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "1")  # otherwise it rounds what is multiplied by compressed weights to 8 bits
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    arrays, found = np.load(steps), {}
    for i in range(sum(key.endswith("/beam_idx") for key in arrays.files)):
        feed = {end.name: arrays[f"{i}/in/{end.name}"] for end in session.get_inputs()}
        found.update({f"{i}/{end.name}": array for end, array in zip(session.get_outputs(), session.run(None, feed))})
    np.savez(output, **found)


def main():
    if sys.argv[1] == "--compute":
        return compute(*sys.argv[2:])
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for layers, attention, bits in MODELS:
        size = Size(layers=layers)
        model = decoder(size, weights_for(size, attention, layers), attention, bits).SerializeToString()
        name = f"{attention}_{bits}"
        (folder / f"{name}.onnx").write_bytes(model)
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        np.savez(folder / f"{name}.npz", **steps_of(session, size))


if __name__ == "__main__":
    sys.exit(main())
