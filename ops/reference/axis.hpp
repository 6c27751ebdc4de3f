#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// A shape seen from one axis: `outer` blocks of `size` slices of `inner` elements.
struct AxisView {
  std::int64_t outer = 1;
  std::int64_t size = 1;
  std::int64_t inner = 1;
};

inline AxisView view_axis(const Shape& shape, std::int64_t axis) {
  AxisView view;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(shape.size()); ++i)
    (i < axis ? view.outer : i == axis ? view.size : view.inner) *= shape[static_cast<std::size_t>(i)];
  return view;
}

}  // namespace mo::ops::reference
