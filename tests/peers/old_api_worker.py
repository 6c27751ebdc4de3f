#!/usr/bin/env python3
"""A program for the API of 2018 to 2022 (IECore): everything by the names of inputs and outputs.

stdin    {"model": FILE, "inputs": FILE.npz, "output": FILE.npz}
stdout   {"inputs": {NAME: [PRECISION, DIMENSIONS]}, "outputs": {NAME: …}}          the arrays of the output are called as the outputs
"""
import json
import sys

import numpy as np
from openvino.inference_engine import IECore


def main():
    job = json.loads(sys.stdin.read())
    core = IECore()
    core.set_config({"ENFORCE_BF16": "NO"}, "CPU")
    net = core.read_network(job["model"])
    given = np.load(job["inputs"])
    results = core.load_network(net, "CPU").infer({name: given[name] for name in net.input_info})
    np.savez(job["output"], **results)
    ends = {"inputs": {name: info.input_data for name, info in net.input_info.items()}, "outputs": dict(net.outputs)}
    print(json.dumps({kind: {name: [data.precision, list(data.shape)] for name, data in part.items()} for kind, part in ends.items()}))


if __name__ == "__main__":
    sys.exit(main())
