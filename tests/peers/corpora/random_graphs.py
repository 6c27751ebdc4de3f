"""Random ONNX graphs (makers/random_graphs.py): ONNX Runtime computes the source, the judge computes our IR. MO_PEERS_GRAPHS: how many (10,000).

`judge_model.py BIN MODEL --reduce DIR` makes a graph that fails smaller.
"""
import os

from closeness import Tolerance
from stored import cases_in, made_by

SAMPLES_ITSELF = True
BATCH = 500
COUNT = int(os.environ.get("MO_PEERS_GRAPHS", "10000"))


def cases(context):
    count = COUNT if context.sample == 1 else max(1, COUNT // (8 * context.sample))  # others are sampled, too, but are fewer
    for first in range(0, count, BATCH):
        yield from cases_in(made_by("random_graphs", first, min(BATCH, count - first), name=f"random_graphs_{first}"), Tolerance(1e-3, 1e-4))
