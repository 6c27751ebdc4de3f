#pragma once

#include <array>

#include "core/op.hpp"

namespace mo::ops {

/// x for x >= 0, else alpha * (exp(x) - 1).
struct Elu {
  static constexpr OpId id{"Elu", 0};
  double alpha = 1.0;
  static constexpr auto attributes = Attributes{attr("alpha", &Elu::alpha)};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// x for x >= 0, else slope * x. A 1-D slope as long as dimension 1 of the data holds one slope per channel; any other
/// slope broadcasts to the data (IR PReLU-1). Not `elementwise`: the slope is not aligned at the last dimension.
struct PReLU {
  static constexpr OpId id{"PReLU", 0};
  static constexpr Attributes<> attributes{};
  static constexpr LayoutRule layout_rule{.follows = true, .data_inputs = 0b11, .broadcasts = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

/// lambda * (x for x >= 0, else alpha * (exp(x) - 1)); inputs 1 (alpha) and 2 (lambda) have one element.
struct Selu {
  static constexpr OpId id{"Selu", 0};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// alpha * x + beta limited to [0, 1]; inputs 1 (alpha) and 2 (beta) have one element.
struct HardSigmoid {
  static constexpr OpId id{"HardSigmoid", 0};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// x * sigmoid(beta * x); input 1 (beta, one element) may be absent and is 1 then.
struct Swish {
  static constexpr OpId id{"Swish", 4};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

namespace v0 {

/// x * Phi(x), where Phi is the normal distribution; by erf.
struct Gelu {
  static constexpr OpId id{"Gelu", 0, 2};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

enum class GeluMode { erf, tanh };
inline constexpr std::array<std::string_view, 2> kGeluModeNames{"erf", "tanh"};
constexpr const auto& names_of(GeluMode) { return kGeluModeNames; }

namespace v7 {

/// x * Phi(x); Phi by erf, or approximated with tanh.
struct Gelu {
  static constexpr OpId id{"Gelu", 7};
  GeluMode approximation_mode = GeluMode::erf;
  static constexpr auto attributes = Attributes{attr("approximation_mode", &Gelu::approximation_mode)};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v7

using v7::Gelu;

}  // namespace mo::ops
