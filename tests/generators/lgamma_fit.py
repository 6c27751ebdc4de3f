#!/usr/bin/env python3
"""Prints the coefficients of frontends/tensorflow/ops/lgamma.cpp: a fraction of two polynomials in x - 1 of degree 4 for lgamma(x) / ((x - 1) (x - 2))
on [0.5, 3], by least squares of relative errors at Chebyshev's nodes, and its largest relative error there."""
import math

import numpy as np

DEGREE = 4


def main():
    x = 1.75 + 1.25 * np.cos((2 * np.arange(400) + 1) * np.pi / 800)
    x = x[(abs(x - 1) > 1e-4) & (abs(x - 2) > 1e-4)]
    wanted = np.array([math.lgamma(v) for v in x]) / ((x - 1) * (x - 2))
    powers = np.vander(x - 1, DEGREE + 1, increasing=True)
    weights = np.ones_like(x)
    for _ in range(30):  # the denominator of the step before makes the problem linear
        rows = np.hstack([powers * weights[:, None], -(wanted * weights)[:, None] * powers[:, 1:]]) / wanted[:, None]
        solution = np.linalg.lstsq(rows, weights, rcond=None)[0]
        above, below = solution[:DEGREE + 1], np.concatenate([[1.0], solution[DEGREE + 1:]])
        weights = 1 / abs(powers @ below)
    print("above", ", ".join(f"{v:.12g}" for v in above))
    print("below", ", ".join(f"{v:.12g}" for v in below))
    print("relative error", abs(powers @ above / (powers @ below) / wanted - 1).max())


if __name__ == "__main__":
    main()
