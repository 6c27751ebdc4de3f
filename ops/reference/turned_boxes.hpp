#pragma once

#include <array>

namespace mo::ops::reference {

/// A rectangle in any position.
struct TurnedBox {
  struct Point {
    double x = 0;
    double y = 0;
  };
  std::array<Point, 4> corners;  ///< in the order in which one walks around
  double area = 0;               ///< below 0 or NaN when a side is
};

/// `box`: center x, center y, width, height, angle in radians in an image whose y grows downwards.
TurnedBox turned_box(const float* box, bool is_clockwise);

/// 0 when one of them has no area.
float intersection_over_union(const TurnedBox& a, const TurnedBox& b);

}  // namespace mo::ops::reference
