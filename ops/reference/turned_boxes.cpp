#include "ops/reference/turned_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mo::ops::reference {
namespace {

using Point = TurnedBox::Point;

/// Twice the area of the triangle a, b, p: above 0 when p lies inside of a polygon whose edge goes from a to b.
double side_of(const Point& a, const Point& b, const Point& p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// The part of the polygon on the inner side of the line from a to b.
std::vector<Point> cut_off(const std::vector<Point>& polygon, const Point& a, const Point& b) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& from = polygon[i];
    const Point& to = polygon[(i + 1) % polygon.size()];
    const double before = side_of(a, b, from);
    const double after = side_of(a, b, to);
    if (before >= 0) kept.push_back(from);
    if ((before > 0 && after < 0) || (before < 0 && after > 0)) {
      const double share = before / (before - after);
      kept.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
    }
  }
  return kept;
}

double area_of(const std::vector<Point>& polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) twice += side_of(polygon[0], polygon[i - 1], polygon[i]);
  return twice / 2;
}

}  // namespace

TurnedBox turned_box(const float* box, bool is_clockwise) {
  const double angle = is_clockwise ? box[4] : -box[4];
  const double sine = std::sin(angle);
  const double cosine = std::cos(angle);
  const double half_width = box[2] / 2.0;
  const double half_height = box[3] / 2.0;
  const auto corner = [&](double x, double y) {
    return Point{box[0] + x * cosine - y * sine, box[1] + x * sine + y * cosine};
  };
  return {{corner(-half_width, -half_height), corner(half_width, -half_height), corner(half_width, half_height),
           corner(-half_width, half_height)},
          static_cast<double>(box[2]) * static_cast<double>(box[3])};
}

float intersection_over_union(const TurnedBox& a, const TurnedBox& b) {
  if (!(a.area > 0) || !(b.area > 0)) return 0;
  std::vector<Point> common(a.corners.begin(), a.corners.end());
  for (std::size_t i = 0; i < b.corners.size(); ++i)
    common = cut_off(common, b.corners[i], b.corners[(i + 1) % b.corners.size()]);
  const double intersection = std::max(area_of(common), 0.0);
  return static_cast<float>(intersection / (a.area + b.area - intersection));
}

}  // namespace mo::ops::reference
