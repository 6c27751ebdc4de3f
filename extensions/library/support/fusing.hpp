#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/pass/library.hpp"
#include "core/rewrite.hpp"
#include "extensions/middle/support/matching.hpp"
#include "ops/pattern.hpp"

/// What the fusions of the library ask and share. Unlike the conversion's fusions these follow nGraph: where others read what lies inside of a
/// match, it stays for them.
namespace mo::library {

using middle::number;
using middle::number_of;
using middle::one_number;

/// Nothing that is known of types and shapes contradicts `by` in the place of `old`.
bool can_stand_for(const Value& old, const Value& by);

/// A fusion of `root`, a function of x alone, element by element, into one op: where the shape stays that of x.
template <OpLike T>
Pass activation_fusion(std::string name, const Pat& root, const Pat& x, T op, std::string before, std::string after) {
  return rewrite(std::move(name))
      .described(std::move(before), std::move(after), "x is real; the constants do not change its shape")
      .match(root)
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        if (!is_real(m[x].type().element_type) || !can_stand_for(m.root(), m[x])) return declined("x is not real, or the constants change its shape");
        return rw.create(op, m[x]);
      });
}

/// The axes of a reduction if these are a Const: from the front, sorted. Nothing when something is unknown.
std::optional<std::vector<std::int64_t>> reduced_axes(const Node& reduction);

/// Whether the result of a reduction, dimensions kept or not, is aligned with its data when both meet in an op that broadcasts.
bool meets_its_data(const Node& reduction);

/// The dimensions of `shape` are stretched when a tensor of that shape meets one of shape `other` (numpy's rule); unknown ones may be.
bool is_stretched_by(const PartialShape& shape, const Shape& other);

/// Whether a constant may give `value` another shape where both meet in an op that broadcasts. One number never does.
bool may_be_stretched_by(const Value& value, const Value& constant);

/// All elements of a Const that is not large; nothing for anything else.
std::optional<std::vector<double>> constant_reals_of(const Value& value);

/// A real Const of the type of `like` (f32 while that is unknown).
Value reals_like(Rewriter& rw, const Value& like, const Shape& shape, const std::vector<double>& values);

/// The shape of a Const.
const Shape& shape_of_constant(const Value& constant);

/// x -> Convert -> (Subtract) -> this Multiply, where the Convert is of quantised integers: kept for low precision.
bool is_dequantization(const Node& multiply);

}  // namespace mo::library
