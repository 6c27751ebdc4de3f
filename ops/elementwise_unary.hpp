#pragma once

#include <array>

#include "core/op.hpp"
#include "ops/reference/elementwise_unary.hpp"
#include "ops/support/element_kinds.hpp"

namespace mo::ops {

using reference::UnaryKind;

struct UnaryRow {
  UnaryKind kind;
  OpId id;  ///< type, class version, first op set
  ElementKind elements;
};

inline constexpr std::array kUnaryRows{
    UnaryRow{UnaryKind::abs, {"Abs", 0}, kNumber},          UnaryRow{UnaryKind::acos, {"Acos", 0}, kNumber},
    UnaryRow{UnaryKind::acosh, {"Acosh", 3, 4}, kNumber},   UnaryRow{UnaryKind::asin, {"Asin", 0}, kNumber},
    UnaryRow{UnaryKind::asinh, {"Asinh", 3, 4}, kNumber},   UnaryRow{UnaryKind::atan, {"Atan", 0}, kNumber},
    UnaryRow{UnaryKind::atanh, {"Atanh", 3, 4}, kNumber},   UnaryRow{UnaryKind::ceiling, {"Ceiling", 0}, kNumber},
    UnaryRow{UnaryKind::cos, {"Cos", 0}, kNumber},          UnaryRow{UnaryKind::cosh, {"Cosh", 0}, kNumber},
    UnaryRow{UnaryKind::erf, {"Erf", 0}, kNumber},          UnaryRow{UnaryKind::exp, {"Exp", 0}, kNumber},
    UnaryRow{UnaryKind::floor, {"Floor", 0}, kNumber},      UnaryRow{UnaryKind::hsigmoid, {"HSigmoid", 5}, kReal},
    UnaryRow{UnaryKind::hswish, {"HSwish", 4}, kReal},      UnaryRow{UnaryKind::log, {"Log", 0}, kNumber},
    UnaryRow{UnaryKind::mish, {"Mish", 4}, kReal},          UnaryRow{UnaryKind::negative, {"Negative", 0}, kNumber},
    UnaryRow{UnaryKind::relu, {"ReLU", 0}, kNumber},        UnaryRow{UnaryKind::sigmoid, {"Sigmoid", 0}, kNumber},
    UnaryRow{UnaryKind::sign, {"Sign", 0}, kNumber},        UnaryRow{UnaryKind::sin, {"Sin", 0}, kNumber},
    UnaryRow{UnaryKind::sinh, {"Sinh", 0}, kNumber},        UnaryRow{UnaryKind::soft_plus, {"SoftPlus", 4}, kReal},
    UnaryRow{UnaryKind::soft_sign, {"SoftSign", 9}, kReal}, UnaryRow{UnaryKind::sqrt, {"Sqrt", 0}, kNumber},
    UnaryRow{UnaryKind::tan, {"Tan", 0}, kNumber},          UnaryRow{UnaryKind::tanh, {"Tanh", 0}, kNumber},
};

constexpr bool unary_rows_in_order() {
  for (std::size_t i = 0; i < kUnaryRows.size(); ++i)
    if (static_cast<std::size_t>(kUnaryRows[i].kind) != i) return false;
  return true;
}
static_assert(unary_rows_in_order(), "kUnaryRows is indexed by the enumerator");

namespace detail {
Expected<void> infer_unary(InferContext& ctx, const UnaryRow& row);
Expected<void> evaluate_unary(EvalContext& ctx, UnaryKind kind);
}  // namespace detail

/// A function of each element, without parameters; the output has the type of the input.
template <UnaryKind K>
struct Unary {
  static constexpr const UnaryRow& row = kUnaryRows[static_cast<std::size_t>(K)];
  static constexpr OpId id = row.id;
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const { return detail::infer_unary(ctx, row); }
  Expected<void> evaluate(EvalContext& ctx) const { return detail::evaluate_unary(ctx, K); }
};

using Abs = Unary<UnaryKind::abs>;
using Acos = Unary<UnaryKind::acos>;
using Acosh = Unary<UnaryKind::acosh>;
using Asin = Unary<UnaryKind::asin>;
using Asinh = Unary<UnaryKind::asinh>;
using Atan = Unary<UnaryKind::atan>;
using Atanh = Unary<UnaryKind::atanh>;
using Ceiling = Unary<UnaryKind::ceiling>;
using Cos = Unary<UnaryKind::cos>;
using Cosh = Unary<UnaryKind::cosh>;
using Erf = Unary<UnaryKind::erf>;
using Exp = Unary<UnaryKind::exp>;
using Floor = Unary<UnaryKind::floor>;
using HSigmoid = Unary<UnaryKind::hsigmoid>;  ///< min(max(x + 3, 0), 6) / 6
using HSwish = Unary<UnaryKind::hswish>;      ///< x * HSigmoid(x)
using Log = Unary<UnaryKind::log>;
using Mish = Unary<UnaryKind::mish>;  ///< x * tanh(SoftPlus(x))
using Negative = Unary<UnaryKind::negative>;
using ReLU = Unary<UnaryKind::relu>;
using Sigmoid = Unary<UnaryKind::sigmoid>;
using Sign = Unary<UnaryKind::sign>;
using Sin = Unary<UnaryKind::sin>;
using Sinh = Unary<UnaryKind::sinh>;
using SoftPlus = Unary<UnaryKind::soft_plus>;  ///< log(1 + exp(x))
using SoftSign = Unary<UnaryKind::soft_sign>;  ///< x / (1 + |x|)
using Sqrt = Unary<UnaryKind::sqrt>;
using Tan = Unary<UnaryKind::tan>;
using Tanh = Unary<UnaryKind::tanh>;

enum class RoundMode { half_to_even, half_away_from_zero };
inline constexpr std::array<std::string_view, 2> kRoundModeNames{"half_to_even", "half_away_from_zero"};
constexpr const auto& names_of(RoundMode) { return kRoundModeNames; }

/// To the nearest integer; `mode` says where halves go.
struct Round {
  static constexpr OpId id{"Round", 5};
  RoundMode mode = RoundMode::half_to_even;
  static constexpr auto attributes = Attributes{attr("mode", &Round::mode)};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// The input under another name; any element type.
struct Identity {
  static constexpr OpId id{"Identity", 16};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true, .reinterprets = true, .moves_elements = 1};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
