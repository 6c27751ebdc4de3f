#!/usr/bin/env python3
"""Computes a stateful decoder with paged caches, as pipelines of OpenVINO GenAI do (ATTENTION_BACKEND="PA"): one text, some tokens at a time.

stdin    {"model": FILE, "tokens": [[TOKEN, …], …], "output": FILE.npz}
stdout   {"layers": N}                        the output has an array `I/logits` [tokens, vocabulary] for each part of the text
"""
import json
import sys

import numpy as np
import openvino
from openvino._offline_transformations import paged_attention_transformation

EXACT = {"DYNAMIC_QUANTIZATION_GROUP_SIZE": "0", **{name: "f32" for name in ("INFERENCE_PRECISION_HINT", "KV_CACHE_PRECISION", "KEY_CACHE_PRECISION", "VALUE_CACHE_PRECISION")}}


def main():
    job = json.loads(sys.stdin.read())
    core = openvino.Core()
    model = core.read_model(job["model"])
    paged_attention_transformation(model)
    compiled = core.compile_model(model, "CPU", EXACT)
    request = compiled.create_infer_request()
    caches = {port.any_name: port.partial_shape for port in compiled.inputs if "_cache." in port.any_name}
    count = sum(map(len, job["tokens"]))
    for name, shape in caches.items():
        rest = [shape[axis].get_length() for axis in (1, 2, 3)]
        blocks = -(-count // rest[1])
        request.set_tensor(name, openvino.Tensor(np.full([blocks, *rest], np.nan, np.float32)))
    wanted, past, results = {port.any_name for port in compiled.inputs}, 0, {}
    for i, tokens in enumerate(job["tokens"]):
        length, whole = len(tokens), past + len(tokens)
        feed = {"input_ids": np.array(tokens, np.int64), "position_ids": np.arange(past, whole), "max_context_len": np.array(whole, np.int32),
                "past_lens": np.array([past], np.int32), "subsequence_begins": np.array([0, length], np.int32),
                "block_indices": np.arange(blocks, dtype=np.int32)[:-(-whole // rest[1])]}
        feed["block_indices_begins"] = np.array([0, len(feed["block_indices"])], np.int32)
        request.infer({name: array for name, array in feed.items() if name in wanted})
        results[f"{i}/logits"] = request.get_tensor("logits").data.reshape(length, -1).copy()
        past = whole
    np.savez(job["output"], **results)
    print(json.dumps({"layers": len(caches) // 2}))


if __name__ == "__main__":
    main()
