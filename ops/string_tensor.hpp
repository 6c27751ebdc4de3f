#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Strings from parts of a list of bytes: where each begins and ends in the UTF-8 characters [N]. The strings have the
/// shape of the beginnings.
struct StringTensorPack {
  static constexpr OpId id{"StringTensorPack", 15};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// The inverse: where each string begins and ends (i32) in the characters of all, one string after the other.
struct StringTensorUnpack {
  static constexpr OpId id{"StringTensorUnpack", 15};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.outputs = 3};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
