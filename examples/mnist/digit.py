#!/usr/bin/python3
"""Digits as text for the demo.

usage: digit.py to_npy DRAWING.txt OUT.npy     28 lines of 28 characters become the f32[1,1,28,28] input of the classifier
       digit.py show DRAWING.txt SCORES.npy    prints the drawing and what the classifier makes of it
"""
import sys

import numpy as np

INK = {" ": 0, ".": 0, "+": 128, "#": 255}


def read_drawing(path):
    with open(path) as f:
        lines = [line.rstrip("\n").ljust(28)[:28] for line in f][:28]
    lines += [" " * 28] * (28 - len(lines))
    return np.array([[INK.get(c, 255) for c in line] for line in lines], dtype=np.float32)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("to_npy", "show"):
        sys.exit(__doc__)
    drawing = read_drawing(sys.argv[2])
    if sys.argv[1] == "to_npy":
        np.save(sys.argv[3], drawing.reshape(1, 1, 28, 28))
        return
    scores = np.load(sys.argv[3]).reshape(-1).astype(np.float64)
    probabilities = np.exp(scores - scores.max())
    probabilities /= probabilities.sum()
    for row in drawing[4:24]:
        print("    " + "".join("##" if v > 200 else "++" if v > 0 else "  " for v in row[2:26]).rstrip())
    print(f"\nThis is a {scores.argmax()} (probability {probabilities.max():.3f}; next: {np.argsort(-scores)[1]}).")


if __name__ == "__main__":
    main()
