#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The formats of 8 bits that FakeConvert rounds to.
enum class Float8 { f8e4m3, f8e5m2 };
inline constexpr std::array<std::string_view, 2> kFloat8Names{"f8e4m3", "f8e5m2"};
constexpr const auto& names_of(Float8) { return kFloat8Names; }

/// Rounds to a floating-point format of 8 bits: (f8(data * scale - shift) + shift) / scale. Scale and shift (0 when
/// absent) broadcast to the data. Numbers beyond the largest one of the format become that.
struct FakeConvert {
  static constexpr OpId id{"FakeConvert", 13};
  Float8 destination_type = Float8::f8e4m3;
  static constexpr auto attributes = Attributes{attr("destination_type", &FakeConvert::destination_type)};
  static constexpr OpTraits traits{.elementwise = true, .never_folded = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
