#pragma once

#include "ops/support/port_map.hpp"

namespace mo::ops {

/// Runs one of two bodies: `then_body` when the condition (input 0, one boolean) holds, else `else_body`. Both bodies
/// make all outputs.
struct If {
  static constexpr OpId id{"If", 8};
  static constexpr OpTraits traits{.outputs = 0, .owns_bodies = true};
  Body then_body;
  Body else_body;
  std::vector<InputMap> then_input_map;
  std::vector<OutputMap> then_output_map;
  std::vector<InputMap> else_input_map;
  std::vector<OutputMap> else_output_map;
  static constexpr auto attributes =
      Attributes{attr("then_body", &If::then_body),           attr("else_body", &If::else_body),
                 attr("then_input_map", &If::then_input_map), attr("then_output_map", &If::then_output_map),
                 attr("else_input_map", &If::else_input_map), attr("else_output_map", &If::else_output_map)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
