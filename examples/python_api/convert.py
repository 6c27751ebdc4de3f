"""Converts a model, says what it is, runs it on random numbers, and checks that the IR computes what the model computes.

    python3 convert.py MODEL [FOLDER]
"""
import sys
from pathlib import Path

import mo_openvino as mo
import numpy


def main(path, folder="."):
    try:
        model = mo.convert_model(path, compress_to_fp16=True, progress=lambda share, step: print(f"{share:4.0%}  {step}", file=sys.stderr))
    except mo.MoError as error:
        print(error, f"more about it: mo explain {error.code}", sep="\n", file=sys.stderr)
        return error.status
    print(model)
    random = numpy.random.default_rng(1)
    outputs = model.run({port.name: random.random([dim if isinstance(dim, int) else 1 for dim in port.shape], numpy.float32) for port in model.inputs})
    for name, array in outputs.items():
        print(name, array.shape, array.mean())
    print(mo.verify(path, model)["verdict"])
    model.save(Path(folder) / f"{Path(path).stem}.xml")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
