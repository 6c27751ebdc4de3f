#pragma once

#include <limits>
#include <string>

#include "core/rewrite.hpp"
#include "ops/reduce.hpp"

namespace mo::transformations {

/// What a reduction of no elements is.
constexpr double neutral_number(ops::ReduceKind kind) {
  switch (kind) {
    case ops::ReduceKind::max: return -std::numeric_limits<double>::infinity();
    case ops::ReduceKind::min: return std::numeric_limits<double>::infinity();
    case ops::ReduceKind::mean: return std::numeric_limits<double>::quiet_NaN();
    case ops::ReduceKind::prod:
    case ops::ReduceKind::logical_and: return 1;
    case ops::ReduceKind::sum:
    case ops::ReduceKind::l1:
    case ops::ReduceKind::l2:
    case ops::ReduceKind::logical_or: return 0;
  }
  return 0;
}

/// Returns true if tensors of this type have the number that a reduction of no elements is: integers have neither
/// infinity nor NaN.
constexpr bool has_neutral_number(ops::ReduceKind kind, ElementType type) {
  const bool is_finite = kind != ops::ReduceKind::max && kind != ops::ReduceKind::min && kind != ops::ReduceKind::mean;
  return is_finite || is_real(type);
}

/// Returns true if a dimension is known to be 0, whatever the others are.
inline bool has_no_elements(const PartialShape& shape) {
  if (!shape.has_rank()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == Dimension(0)) return true;
  return false;
}

/// Calls `f` with a reduction of this kind, whatever its attributes.
template <class F>
auto with_reduction(ops::ReduceKind kind, F f) {
  using enum ops::ReduceKind;
  switch (kind) {
    case max: return f(ops::Reduction<max>());
    case min: return f(ops::Reduction<min>());
    case mean: return f(ops::Reduction<mean>());
    case sum: return f(ops::Reduction<sum>());
    case l1: return f(ops::Reduction<l1>());
    case l2: return f(ops::Reduction<l2>());
    case prod: return f(ops::Reduction<prod>());
    case logical_and: return f(ops::Reduction<logical_and>());
    case logical_or: break;
  }
  return f(ops::Reduction<logical_or>());
}

/// Returns true if a reduction of this kind leaves dimensions of 1 where it took the others together.
inline bool keeps_dimensions(ops::ReduceKind kind, const Node& node) {
  return with_reduction(kind, [&]<class Op>(const Op&) { return node.as<Op>()->keep_dims; });
}

/// The reduction of `data` over `axes` that keeps its dimensions.
inline Value reduced_with_dimensions(Rewriter& rw, ops::ReduceKind kind, const Value& data, const Value& axes) {
  return with_reduction(kind, [&]<class Op>(const Op&) { return rw.create(Op{.keep_dims = true}, data, axes); });
}

using ReductionRule = Replacement (*)(ops::ReduceKind, const Node&, Rewriter&);

template <ops::ReduceKind... kinds>
GraphRewriteBuilder with_reduction_rules(GraphRewriteBuilder pass, ReductionRule replace) {
  const auto add = [&]<ops::ReduceKind kind>() {
    using Op = ops::Reduction<kind>;
    pass = std::move(pass).add(rewrite(std::string(Op::id.type))
                                   .match(pattern::op<Op>())
                                   .rule([replace](const Match& m, Rewriter& rw) -> Replacement {
                                     return replace(kind, m.root().node(), rw);
                                   }));
  };
  (add.template operator()<kinds>(), ...);
  return pass;
}

/// `pass` with a rule for each kind of reduction.
inline GraphRewriteBuilder with_all_reductions(GraphRewriteBuilder pass, ReductionRule replace) {
  using enum ops::ReduceKind;
  return with_reduction_rules<max, min, mean, sum, l1, l2, prod, logical_and, logical_or>(std::move(pass), replace);
}

}  // namespace mo::transformations
