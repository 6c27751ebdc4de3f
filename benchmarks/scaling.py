#!/usr/bin/env python3
"""Time per element over the size of the model, for many shapes of graph: bookkeeping that is not linear shows as a row that grows.

usage: scaling.py BIN [--only TEXT] [--largest N] [--quick]
         BIN: folder of the programs; --only: shapes whose name contains TEXT; --largest: no model of more elements
         --quick: only 1,024 against 16,384 elements; exit code 1 when an element of the larger model takes much longer

CPU time of the best of some runs, less what a model of one element takes. A row is flat when from 4,096 elements on (below, the clock decides)
no element takes twice as long as in the best of its sizes.
"""
import argparse
import math
import os
import subprocess
import sys
import tempfile

from scaling_shapes import SHAPES

SMALL, LARGE = 1024, 16384
FLAT = 2.0
QUICK = 4.0  # the machine runs other tests as well
CLOCK = 0.002  # seconds that a measurement may be off
GIVEN_UP = 300


def seconds(binaries, model, folder):
    """CPU seconds of the program; None when it ends otherwise than it should."""
    for name, content in model.files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    arguments = model.arguments or ("--input_model", "{dir}/" + next(iter(model.files)))
    command = [os.path.join(binaries, model.program), *(a.replace("{dir}", folder) for a in arguments), "--output_dir", os.path.join(folder, "out")]
    limit = f"ulimit -t {GIVEN_UP}; exec \"$@\""
    process = subprocess.Popen(["sh", "-c", limit, "sh", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime if process.returncode == model.exit_code else None


def best(binaries, make, size, runs):
    with tempfile.TemporaryDirectory() as folder:
        model = make(size)
        times = [seconds(binaries, model, folder) for _ in range(runs)]
    return None if None in times else min(times)


def sizes_up_to(largest):
    sizes = [SMALL]
    while sizes[-1] * 4 <= largest:
        sizes.append(sizes[-1] * 4)
    if sizes[-1] < largest:
        sizes.append(largest)
    return sizes


def quick(binaries, chosen):
    """Names and factors of the shapes whose elements get slower."""
    slow = []
    for name, (largest, make) in chosen.items():
        large = min(LARGE, largest)
        for attempt in (1, 3):  # measured with more care before it is an error
            base, small, big = (best(binaries, make, size, attempt) for size in (1, SMALL, large))
            if None in (small, big):
                factor = math.nan
                break
            per_small = max(small - (base or 0), CLOCK) / SMALL
            factor = (big - (base or 0)) / large / per_small
            if factor <= QUICK:
                break
        if not factor <= QUICK:
            slow.append((name, factor))
    return slow


def table(binaries, chosen, largest):
    print("| shape | " + " | ".join(f"{size:,}" for size in sizes_up_to(1_000_000)) + " | growth |")
    print("|---|" + "---|" * (len(sizes_up_to(1_000_000)) + 1))
    for name, (limit, make) in chosen.items():
        base = best(binaries, make, 1, 3) or 0
        cells, rates = [], []
        for size in sizes_up_to(1_000_000):
            if size > min(limit, largest):
                cells.append("")
                continue
            time = best(binaries, make, size, 3 if size <= LARGE else 1)
            cells.append("fails" if time is None else f"{max(time - base, 0) / size * 1e6:.2f}")
            if time is not None and size >= 4 * SMALL:
                rates.append(max(time - base, CLOCK) / size)
        growth = rates[-1] / min(rates) if rates else math.nan
        print(f"| {name} | " + " | ".join(cells) + f" | {growth:.2f}{'' if growth <= FLAT else ' !'} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries")
    parser.add_argument("--only", default="")
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true")
    how = parser.parse_args()
    chosen = {name: shape for name, shape in SHAPES.items() if how.only in name}
    if not how.quick:
        table(how.binaries, chosen, how.largest)
        return 0
    slow = quick(how.binaries, chosen)
    for name, factor in slow:
        print(f"{name}: an element takes {factor:.1f} times as long among {LARGE} as among {SMALL}")
    print(f"{len(chosen)} shapes, {len(slow)} problems")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
