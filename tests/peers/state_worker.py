#!/usr/bin/env python3
"""Computes a model several times with one infer request, so that its states are kept from call to call.

stdin    {"model": FILE, "calls": [FILE.npy | null, …], "output": FILE.npz}       null: the states are reset
stdout   {"states": N}                                                             the output has the arrays `0`, `1`, …, one for each call
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

    def infer(self, array):
        return self.engine.infer({0: array})[0][2]


class Request2022:
    def __init__(self, engine):
        self.engine, self.request = engine, engine.exe.create_infer_request()

    def infer(self, array):
        self.request.infer({0: array})
        return np.array(self.request.get_output_tensor(0).data)


def main():
    job = json.loads(sys.stdin.read())
    engine = make_engine()
    engine.read(job)
    engine.compile()
    engine.inputs()
    request = (Request2021 if isinstance(engine, Core2021) else Request2022)(engine)
    results = []
    for file in job["calls"]:
        if file is None:
            for state in request.request.query_state():
                state.reset()
        else:
            results.append(request.infer(np.load(file)))
    np.savez(job["output"], **{str(i): result for i, result in enumerate(results)})
    print(json.dumps({"states": len(request.request.query_state())}))


if __name__ == "__main__":
    sys.exit(main())
