"""Subtract and Minimum of unsigned types: there is no -1 to multiply with."""
import numpy as np
from wider_type import case

ROW = "UnsignedSubtraction"
TYPES = [("u8", np.uint8, "i32"), ("u16", np.uint16, "i32"), ("u64", np.uint64, "i64")]
CASES = [case("Subtract", name, wide, np.array([255, 200, 7], type), np.array([3, 100, 7], type), np.array([252, 100, 0], type)) for name, type, wide in TYPES[1:]]
CASES += [case("Minimum", name, wide, np.array([255, 1, 7], type), np.array([3, 100, 7], type), np.array([3, 1, 7], type)) for name, type, wide in TYPES]
