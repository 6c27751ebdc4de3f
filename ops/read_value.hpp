#pragma once

#include "core/op.hpp"

namespace mo::ops {

// The value that a state variable has; the matching Assign changes it for the next run. The reference executor knows
// one run only, so it gives the initial value.

namespace v3 {

/// The initial value is the input.
struct ReadValue {
  static constexpr OpId id{"ReadValue", 3};
  std::string variable_id;
  static constexpr auto attributes = Attributes{attr("variable_id", &ReadValue::variable_id)};
  static constexpr OpTraits traits{.stateful = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v3

namespace v6 {

/// The initial value is the input, or zeros without one. Type and shape of the variable may be given (2023 runtimes and
/// later read them); they only have to be compatible with the input.
struct ReadValue {
  static constexpr OpId id{"ReadValue", 6};
  std::string variable_id;
  std::optional<ElementType> variable_type;
  std::optional<PartialShape> variable_shape;
  static constexpr auto attributes = Attributes{attr("variable_id", &ReadValue::variable_id),
                                                attr("variable_type", &ReadValue::variable_type).optional(),
                                                attr("variable_shape", &ReadValue::variable_shape).optional()};
  static constexpr OpTraits traits{.stateful = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v6

using v6::ReadValue;

}  // namespace mo::ops
