#pragma once

#include <array>

#include "core/op.hpp"

namespace mo::ops {

enum class RandomAlignment { tensorflow, pytorch };
inline constexpr std::array<std::string_view, 2> kRandomAlignmentNames{"tensorflow", "pytorch"};
constexpr const auto& names_of(RandomAlignment) { return kRandomAlignmentNames; }

/// A tensor of the shape in input 0, filled with uniform random numbers of [input 1, input 2).
/// With both seeds 0 a runtime gives other numbers in each run; evaluation gives the sequence of these seeds, which is
/// one of them.
struct RandomUniform {
  static constexpr OpId id{"RandomUniform", 8};
  ElementType output_type = ElementType::f32;
  std::int64_t global_seed = 0;
  std::int64_t op_seed = 0;
  /// whose generator to follow; only newer runtimes know the attribute
  RandomAlignment alignment = RandomAlignment::tensorflow;
  static constexpr auto attributes =
      Attributes{attr("output_type", &RandomUniform::output_type), attr("global_seed", &RandomUniform::global_seed),
                 attr("op_seed", &RandomUniform::op_seed), attr("alignment", &RandomUniform::alignment).optional()};
  static constexpr OpTraits traits{.stateful = true, .shape_inputs = 0b001};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
