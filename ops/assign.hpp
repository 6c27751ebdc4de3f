#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v3 {

/// Gives the state variable `variable_id` the value of the input for the next run, and passes it on.
struct Assign {
  static constexpr OpId id{"Assign", 3};
  std::string variable_id;
  static constexpr auto attributes = Attributes{attr("variable_id", &Assign::variable_id)};
  static constexpr OpTraits traits{.stateful = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v3

namespace v6 {

/// As opset3, for variables of opset6.
struct Assign {
  static constexpr OpId id{"Assign", 6};
  std::string variable_id;
  static constexpr auto attributes = Attributes{attr("variable_id", &Assign::variable_id)};
  static constexpr OpTraits traits{.stateful = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v6

using v6::Assign;

}  // namespace mo::ops
