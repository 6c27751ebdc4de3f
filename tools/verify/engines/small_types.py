"""Element types of at most 8 bits that numpy lacks, as bytes of a tensor of OpenVINO. Python 3.6 and numpy are enough.

Their elements travel as arrays of wider types: integers as 8-bit ones, reals as float32.
"""
import numpy as np

BITS = {"i4": 4, "u2": 2, "u3": 3, "u4": 4, "u6": 6, "nf4": 4, "f4e2m1": 4, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8}
# (bits of the mantissa, bias of the exponent)
FORMATS = {"f4e2m1": (1, 1), "f8e4m3": (3, 7), "f8e5m2": (2, 15)}
NF4 = [-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334, -0.09105003625154495, 0.0,
       0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0]


def is_real(kind):
    return kind.startswith(("f", "nf"))


def values(kind):
    """The value of each bit pattern of a type of reals, as float32."""
    if kind == "nf4":
        return np.array(NF4, np.float32)
    if kind == "f8e8m0":
        return np.array([2.0 ** (i - 127) for i in range(255)] + [np.nan], np.float32)
    mantissa_bits, bias = FORMATS[kind]
    found = []
    for pattern in range(1 << BITS[kind] - 1):
        exponent, mantissa = pattern >> mantissa_bits, pattern & (1 << mantissa_bits) - 1
        hidden = 1 if exponent else 0
        found.append((hidden + mantissa / 2.0 ** mantissa_bits) * 2.0 ** (max(exponent, 1) - bias))
    if kind == "f8e4m3":
        found[-1] = np.nan
    if kind == "f8e5m2":
        found[-4:] = [np.inf, np.nan, np.nan, np.nan]
    return np.array(found + [-value for value in found], np.float32)


def patterns_of(kind, array):
    """The bit pattern of each element, which must be a value of the type (NaN becomes one of its NaNs)."""
    flat = np.asarray(array).reshape(-1)
    if not is_real(kind):
        return (flat.astype(np.int64) & (1 << BITS[kind]) - 1).astype(np.uint8)
    table = values(kind)
    bits = table.view(np.uint32)
    wanted = np.ascontiguousarray(flat, np.float32)
    wanted[np.isnan(wanted)] = next((value for value in table if np.isnan(value)), 0)
    order = np.argsort(bits, kind="stable")
    places = np.clip(np.searchsorted(bits[order], wanted.view(np.uint32)), 0, len(table) - 1)
    found = order[places]
    if not np.array_equal(bits[found], wanted.view(np.uint32)):
        raise ValueError("{} is not a value of {}".format(wanted[bits[found] != wanted.view(np.uint32)][0], kind))
    return found.astype(np.uint8)


def places(kind, count):
    """For each element, where its low and its high bits lie: (byte, shift, number of bits) for each part; the number of bytes of all."""
    at = np.arange(count)
    bits = BITS[kind]
    if bits in (3, 6):
        high = bits // 3
        low, elements = bits - high, 8 // high
        in_byte = 8 // low
        group, place = 3 * (at // elements), at % elements
        return [(group + place // in_byte, 8 - low * (place % in_byte + 1), low), (group + 2, 8 - high * (place + 1), high)], 3 * -(-count // elements)
    elements = 8 // bits
    return [(at // elements, bits * (at % elements), bits)], -(-count // elements)


def packed(kind, array):
    """The bytes of a tensor."""
    patterns = patterns_of(kind, array).astype(np.uint32)
    parts, size = places(kind, patterns.size)
    made, done = np.zeros(size, np.uint8), 0
    for byte, shift, bits in parts:
        part = (patterns >> done & (1 << bits) - 1) << shift.astype(np.uint32)
        np.bitwise_or.at(made, byte, part.astype(np.uint8))
        done += bits
    return made


def unpacked(kind, raw, count):
    """The elements in the bytes of a tensor."""
    raw = np.ascontiguousarray(raw).view(np.uint8).reshape(-1).astype(np.uint32)
    parts, _ = places(kind, count)
    patterns, done = np.zeros(count, np.uint32), 0
    for byte, shift, bits in parts:
        patterns |= (raw[byte] >> shift.astype(np.uint32) & (1 << bits) - 1) << done
        done += bits
    if is_real(kind):
        return values(kind)[patterns]
    if kind == "i4":
        return np.where(patterns > 7, patterns.astype(np.int8) - 16, patterns.astype(np.int8)).astype(np.int8)
    return patterns.astype(np.uint8)
