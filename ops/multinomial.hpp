#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Draws `num_samples` (input 1) classes per row of probabilities (input 0). Has no evaluation: which numbers come out
/// is the runtime's business.
struct Multinomial {
  static constexpr OpId id{"Multinomial", 13};
  ElementType convert_type = ElementType::i64;
  bool with_replacement = false;
  bool log_probs = false;
  std::int64_t global_seed = 0;
  std::int64_t op_seed = 0;
  static constexpr auto attributes =
      Attributes{attr("convert_type", &Multinomial::convert_type),
                 attr("with_replacement", &Multinomial::with_replacement), attr("log_probs", &Multinomial::log_probs),
                 attr("global_seed", &Multinomial::global_seed), attr("op_seed", &Multinomial::op_seed)};
  static constexpr OpTraits traits{.stateful = true, .shape_inputs = 0b010};
  Expected<void> infer(InferContext& ctx) const;
};

}  // namespace mo::ops
