#pragma once

#include "ops/support/port_map.hpp"

namespace mo::ops {

/// Runs `body` once for each slice of the inputs that are sliced.
struct TensorIterator {
  static constexpr OpId id{"TensorIterator", 0};
  static constexpr OpTraits traits{.outputs = 0, .owns_bodies = true};
  Body body;
  std::vector<InputMap> input_map;
  std::vector<OutputMap> output_map;
  std::vector<BackEdge> back_edges;
  static constexpr auto attributes =
      Attributes{attr("body", &TensorIterator::body), attr("input_map", &TensorIterator::input_map),
                 attr("output_map", &TensorIterator::output_map), attr("back_edges", &TensorIterator::back_edges)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
