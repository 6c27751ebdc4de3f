#!/usr/bin/env python3
"""Stands in for a Python that has an engine: answers the protocol of tools/verify/engines/serving.py as MO_PRETENDED says, whatever program it is to run.

It computes relu(x + 1) of a vector, with the tensors a and y; of an IR with the layers of the same names.
"""
import array
import ast
import json
import os
import signal
import sys
import time


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[8:10], "little")
    return array.array("f", data[10 + size:]).tolist(), ast.literal_eval(data[10:10 + size].decode())["shape"]


def stored(folder, name, values, shape):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    path = os.path.join(folder, name + ".npy")
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + array.array("f", values).tobytes())
    return {"names": [name], "type": "f32", "shape": list(shape), "file": path}


def say(answer):
    print(json.dumps(answer), flush=True)


def answer_of(job, how):
    values, shape = read(job["inputs"][0]["file"])
    a = [x + 1 for x in values]
    y = [max(x, 0) + (0.5 if how == "wrong" else 0) for x in a]
    tensors = [stored(job["output_dir"], name, of, shape) for name, of in (("a", a), ("y", y)) if name in job["tensors"]]
    return {"outputs": [stored(job["output_dir"], "y", y, shape)], "tensors": tensors, "done": True}


def main():
    how = os.environ.get("MO_PRETENDED", "right")
    if how == "missing":
        return say({"missing": "No module named 'engine'"})
    if how == "nonsense":
        return print("Welcome!", flush=True)
    if how == "silent":
        sys.exit("cannot open shared object file")
    if how == "flood":
        while True:
            print("x" * 65536, end="", flush=True)
    say({"engine": "pretended", "version": "2.1.2021.4.2-3974-releases/2021/4" if how == "old" else "2024.6.0-17404-4c0f47d2335-releases/2024/6"})
    for line in sys.stdin:
        job = json.loads(line)
        say({"step": "read"})
        if how == "refuses":
            say({"failed": "read", "error": "Unsupported opset", "done": True})
            continue
        if job.get("until") == "read":
            say({"outputs": [], "done": True})
            continue
        say({"step": "compile"})
        if how == "crash":
            print("a wild pointer", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGSEGV)
        say({"step": "infer"})
        while how == "spin":
            pass
        if how == "sleep":
            time.sleep(1000)
        if how == "list":
            say([1, 2])
            continue
        if how == "steps":
            for _ in range(1000):
                say({"step": "infer"})
        if how == "lost":
            say({"outputs": [{"names": 7, "file": "/nowhere"}], "done": True})
            continue
        say(answer_of(job, how))


if __name__ == "__main__":
    main()
