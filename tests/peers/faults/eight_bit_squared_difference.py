"""SquaredDifference of u8 and i8."""
import numpy as np
from wider_type import case

ROW = "EightBitSquaredDifference"
CASES = [
    case("SquaredDifference", "u8", "i32", np.array([9, 2, 7], np.uint8), np.array([3, 5, 7], np.uint8), np.array([36, 9, 0], np.uint8)),
    case("SquaredDifference", "i8", "i32", np.array([-3, 3, -2], np.int8), np.array([3, 2, 2], np.int8), np.array([36, 1, 16], np.int8)),
]
