#!/usr/bin/env python3
"""Computes a model several times with one infer request, so that its states are kept from call to call.

stdin    {"model": FILE, "calls": [{INPUT: FILE.npy, …} | null, …], "output": FILE.npz}       null: the states are reset
stdout   {"states": N}                        the output has an array `I/NAME` for each output of call I, by each of its names
"""
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "verify" / "engines"))
from openvino_worker import Core2021, make_engine  # noqa: E402


class Request2021:
    def __init__(self, engine):
        self.engine, self.request = engine, engine.exe.requests[0]

    def infer(self, feed):
        return self.engine.infer(feed)


class Request2022:
    def __init__(self, engine):
        self.engine, self.request = engine, engine.exe.create_infer_request()

    def infer(self, feed):
        tensors = {port: self.engine.tensor(self.engine.exe.inputs[port], array) for port, array in feed.items()}  # some releases share their memory: keep them
        self.request.infer(tensors)
        return [self.engine.result(port, self.request.get_output_tensor(i)) for i, port in enumerate(self.engine.exe.outputs)]


def main():
    job = json.loads(sys.stdin.read())
    engine = make_engine()
    engine.read(job)
    engine.compile()
    ports = {name: port for port, names in enumerate(engine.inputs()) for name in names}
    request = (Request2021 if isinstance(engine, Core2021) else Request2022)(engine)
    results, calls = {}, 0
    for files in job["calls"]:
        if files is None:
            for state in request.request.query_state():
                state.reset()
            continue
        for names, _, array in request.infer({ports[name]: np.load(file) for name, file in files.items()}):
            results.update({f"{calls}/{name}": array for name in names})
        calls += 1
    np.savez(job["output"], **results)
    print(json.dumps({"states": len(request.request.query_state())}))


if __name__ == "__main__":
    sys.exit(main())
