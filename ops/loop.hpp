#pragma once

#include "ops/support/port_map.hpp"

namespace mo::ops {

/// Runs `body` at most as often as input 0 says (-1: no limit), while its condition holds; input 1 is the condition of
/// the first iteration. An input map with input -1 takes the number of the iteration, an output map with output -1
/// gives the condition of the next one.
struct Loop {
  static constexpr OpId id{"Loop", 5};
  static constexpr OpTraits traits{.outputs = 0, .owns_bodies = true};
  Body body;
  std::vector<InputMap> input_map;
  std::vector<OutputMap> output_map;
  std::vector<BackEdge> back_edges;
  static constexpr auto attributes =
      Attributes{attr("body", &Loop::body), attr("input_map", &Loop::input_map), attr("output_map", &Loop::output_map),
                 attr("back_edges", &Loop::back_edges)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
