"""What all workers share: jobs as lines of JSON on stdin, answers as lines of JSON on stdout. Python 3.6 and numpy are enough.

job      {"model": FILE, "inputs": [{"names": [NAME, …], "file": FILE.npy}, …], "output_dir": DIR, "nodes": true|false,
          "until": "read"|"compile"|"infer", "reshape": true|false,       reshape: give the model the shapes of the arrays before it is compiled
          "check": true|false|"form",                                     check: the package of the format judges the model as well (onnx); form: of an
                                                                          op, whose inputs and outputs may lack a rank
          "dirty": true|false,                                            dirty: free memory holds NaN before each step (see soil)
          "strict": true|false,                                           strict: inputs belong together by name only
          "tensors": [NAME, …]}                 wanted beside the outputs; those that the engine does not have are left out
         An engine may know more: "weights" of an IR; "tags", "signature" and "checkpoint" of a TensorFlow model.
first    {"engine": NAME, "version": TEXT}, or {"missing": TEXT} when the interpreter lacks the engine
answers  {"step": "read"} …                     before each step, so that a worker that dies has said where
         {"done": true, "outputs": [{"names": [NAME, …], "type": TYPE, "shape": […], "file": FILE.npy}, …], "tensors": [the same], "nodes": N}
         {"done": true, "failed": STEP, "error": TEXT}

bfloat16 and reals of at most 8 bits travel as float32, integers below 8 bits as 8-bit ones: numpy has none of them.
"""
import json
import os
import sys

try:
    import numpy as np
except ImportError as problem:
    print(json.dumps({"missing": str(problem)}), flush=True)
    sys.exit(0)

MOST_TEXT = 800


def cause(error):
    """The lines of a runtime's message that say something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " | ".join(lines)[-MOST_TEXT:] or repr(error)[:MOST_TEXT]


def bfloat16_bits(array):
    """The bits of the nearest bfloat16 numbers (ties to even), as u16; of a scalar as a vector."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    half = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    half[np.isnan(array)] = 0x7FC0
    return half


def from_bfloat16_bits(bits):
    """The same numbers as float32."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def without_port(name):
    return name[:-2] if name.endswith(":0") else name


def assign(given, ports, strict=False, needs_all=True):
    """Index of the port for each given input (None: the model has no such input). `given` and `ports` are lists of lists of names.

    Names decide; what is left over goes to the left-over ports in order when there are equally many, but not if `strict`.
    `needs_all`: a port without an array is an error.
    """
    chosen = [None] * len(given)
    free = list(range(len(ports)))
    for same in (lambda a, b: a == b, lambda a, b: without_port(a) == without_port(b)):
        for i, names in enumerate(given):
            if chosen[i] is None:
                hit = next((p for p in free if any(same(a, b) for a in names for b in ports[p])), None)
                if hit is not None:
                    chosen[i] = hit
                    free.remove(hit)
    rest = [i for i, port in enumerate(chosen) if port is None]
    if strict and rest:
        raise ValueError("the model has no input {}".format(given[rest[0]][0]))
    if len(rest) == len(free):
        for i, port in zip(rest, free):
            chosen[i] = port
        free = []
    if free and needs_all:
        raise ValueError("no array for the input {}".format(ports[free[0]][0]))
    return chosen


def stored(result, folder, file):
    names, kind, array = result
    path = os.path.join(folder, file)
    np.save(path, array)
    return {"names": names, "type": kind, "shape": list(array.shape), "file": path}


def soil():
    """Leaves NaN in the memory that the next allocations of this process get: an engine that reads what it never wrote gives NaN every time, where it
    would else give right numbers in a new process, and NaN now and then in one that has worked for a while."""
    arrays = [np.full(size, np.nan, np.float32) for size in [*range(16, 1024, 16)] * 4 + [*range(1024, 8192, 1024)] * 3]
    del arrays


def run(engine, job, say):
    step = "read"
    try:
        say({"step": step})
        engine.read(job)
        if job.get("until") == "read":
            return {"outputs": []}
        given = job.get("inputs", [])
        arrays = [np.load(entry["file"]) for entry in given]
        step = "compile"
        say({"step": step})
        if job.get("reshape"):
            ports = assign([entry["names"] for entry in given], engine.inputs())
            engine.reshape({port: list(array.shape) for port, array in zip(ports, arrays) if port is not None})
        if job.get("tensors"):
            engine.expose(set(job["tensors"]))
        if job.get("dirty"):
            soil()
        engine.compile()
        if job.get("until") == "compile":
            return {"outputs": []}
        step = "infer"
        say({"step": step})
        ports = assign([entry["names"] for entry in given], engine.inputs(), job.get("strict"), getattr(engine, "needs_all_inputs", True))
        if job.get("dirty"):
            soil()
        results = engine.infer({port: array for port, array in zip(ports, arrays) if port is not None})
        os.makedirs(job["output_dir"], exist_ok=True)
        answer = {"outputs": [stored(result, job["output_dir"], "{}.npy".format(i)) for i, result in enumerate(results)]}
        if job.get("tensors"):
            answer["tensors"] = [stored(result, job["output_dir"], "tensor_{}.npy".format(i)) for i, result in enumerate(engine.exposed())]
        if job.get("nodes"):
            answer["nodes"] = engine.nodes()
        return answer
    except Exception as error:  # whatever the engine throws is its verdict
        return {"failed": step, "error": cause(error)}


def serve(make_engine):
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # engines print where they like

    def say(answer):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        engine = make_engine()
    except ImportError as error:
        say({"missing": cause(error)})
        return 0
    say({"engine": engine.name, "version": engine.version})
    for line in sys.stdin:
        answer = run(engine, json.loads(line), say)
        answer["done"] = True
        say(answer)
        engine.forget()
    answers.flush()
    os._exit(0)  # old runtimes crash now and then while they are unloaded
