#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/permute.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "phases/middle/layout/layout_change.hpp"

namespace mo::phases {
namespace {

using namespace pattern;
using Numbers = std::vector<std::int64_t>;

/// The order of a Transpose whose rank it fits.
std::optional<Numbers> order_of(const Value& order, const PartialShape& data) {
  auto numbers = constant_integers_of(order);
  if (!numbers || !data.has_rank() || numbers->size() != data.size()) return std::nullopt;
  return numbers;
}

/// Transpose(Transpose(x, a), b) -> Transpose(x, a[b]); x when that is the identity.
RewriteRule merge_transposes() {
  const Pat x = any();
  const Pat first = constant();
  const Pat second = constant();
  const Pat inner = op<ops::Transpose>(x, first);
  return rewrite("MergeTransposes")
      .match(op<ops::Transpose>(inner, second))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const PartialShape& shape = m[x].type().shape;
        const auto a = order_of(m[first], shape);
        const auto b = order_of(m[second], shape);
        if (!a || !b) return Replacement::declined();
        Numbers merged;
        for (const std::int64_t axis : *b) merged.push_back((*a)[static_cast<std::size_t>(axis)]);
        if (is_identity_order(merged)) return m[x];
        return rw.create(ops::Transpose{}, m[x], rw.integers(merged));
      });
}

/// A Transpose that moves one dimension past dimensions of size 1 only -> Reshape. What stays in its place is copied
/// (0), the one that moves is what is left (-1), so that the model can still be reshaped. A batch that moves could be
/// more than 1 then.
RewriteRule transpose_to_reshape() {
  const Pat x = any();
  const Pat order = constant();
  return rewrite("TransposeOfOnesToReshape")
      .match(op<ops::Transpose>(x, order))
      .rule([=](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
        const PartialShape& shape = m[x].type().shape;
        const auto axes = order_of(m[order], shape);
        if (!axes || is_identity_order(*axes)) return Replacement::declined();
        if (axes->front() != 0 && !context.settings.static_shape)
          return declined("the first dimension may become another one when the model is reshaped");
        Numbers pattern;
        std::int64_t last = -1;
        for (std::size_t i = 0; i < axes->size(); ++i) {
          const Dimension& d = shape[static_cast<std::size_t>((*axes)[i])];
          // The bytes stay when the dimensions that are not 1 keep their order.
          if (d != Dimension(1) && (*axes)[i] < last) return Replacement::declined();
          if (d != Dimension(1)) last = (*axes)[i];
          if ((*axes)[i] == static_cast<std::int64_t>(i))
            pattern.push_back(0);
          else
            pattern.push_back(d == Dimension(1) ? 1 : -1);
        }
        if (std::count(pattern.begin(), pattern.end(), -1) > 1) return Replacement::declined();
        // An empty dimension would leave -1 open.
        for (const Dimension& d : shape)
          if (d == Dimension(0)) return Replacement::declined();
        return rw.create(ops::Reshape{.special_zero = true}, m[x], rw.integers(pattern));
      });
}

/// Reshape(Reshape(x, _), shape) -> Reshape(x, shape), when no 0 in it copies a dimension that x does not have in that
/// place.
RewriteRule merge_reshapes() {
  const Pat x = any();
  const Pat shape = constant();
  const Pat inner = op<ops::Reshape>(x, any()).one_use();
  const Pat outer = op<ops::Reshape>(inner, shape);
  return rewrite("MergeReshapes").match(outer).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const auto pattern = constant_integers_of(m[shape]);
    const PartialShape& before = m[x].type().shape;
    const PartialShape& between = m[inner].type().shape;
    const bool copies = m.node(outer).as<ops::Reshape>()->special_zero;
    if (!pattern) return Replacement::declined();
    for (std::size_t i = 0; i < pattern->size() && copies; ++i) {
      if ((*pattern)[i] != 0) continue;
      if (!before.has_rank() || !between.has_rank() || i >= before.size() || i >= between.size() ||
          !before[i].same_value(between[i]))
        return Replacement::declined();
    }
    return rw.create(ops::Reshape{.special_zero = copies}, m[x], m[shape]);
  });
}

/// Squeeze(Transpose(x, order), axes) -> Transpose(Squeeze(x, order[axes]), what is left of the order): convolutions
/// over one dimension end like this, and the Transpose after the Squeeze often cancels the one before it.
RewriteRule squeeze_before_transpose() {
  const Pat x = any();
  const Pat order = constant();
  const Pat axes = constant();
  const Pat inner = op<ops::Transpose>(x, order).one_use();
  return rewrite("SqueezeBeforeTranspose")
      .match(op<ops::Squeeze>(inner, axes))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const auto moved = order_of(m[order], m[x].type().shape);
        const auto squeezed = constant_integers_of(m[axes]);
        if (!moved || !squeezed || squeezed->empty()) return Replacement::declined();
        const auto rank = static_cast<std::int64_t>(moved->size());
        std::vector<bool> gone(moved->size());   // by dimension of x
        std::vector<bool> taken(moved->size());  // by place in the order
        Numbers places;
        for (const std::int64_t axis : *squeezed) {
          const auto place = normalize_axis(axis, rank);
          if (!place || taken[static_cast<std::size_t>(*place)]) return Replacement::declined();
          taken[static_cast<std::size_t>(*place)] = true;
          places.push_back((*moved)[static_cast<std::size_t>(*place)]);
          gone[static_cast<std::size_t>(places.back())] = true;
        }
        Numbers left;
        for (std::size_t i = 0; i < moved->size(); ++i) {
          if (taken[i]) continue;
          const auto dimension = (*moved)[i];
          left.push_back(dimension - std::count(gone.begin(), gone.begin() + dimension, true));
        }
        std::sort(places.begin(), places.end());
        const Value smaller = rw.create(ops::Squeeze{}, m[x], rw.integers(places));
        if (is_identity_order(left)) return smaller;
        return rw.create(ops::Transpose{}, smaller, rw.integers(left));
      });
}

/// Rows of `weights` (columns when `transposed`), which are the elements of `dims` in the order `order`, as the
/// elements of `dims` in their own order.
Value reordered(Rewriter& rw, const Value& weights, const Numbers& dims, const Numbers& order, bool transposed) {
  const Shape shape = *weights.type().shape.to_shape();
  const std::int64_t others = shape[transposed ? 0 : 1];
  Numbers split;
  Numbers places(dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    split.push_back(dims[static_cast<std::size_t>(order[i])]);
    places[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i) + (transposed ? 1 : 0);
  }
  split.insert(transposed ? split.begin() : split.end(), others);
  places.insert(transposed ? places.begin() : places.end(), transposed ? 0 : static_cast<std::int64_t>(dims.size()));
  const Value taken_apart = rw.fold(ops::Reshape{}, weights, rw.integers(split));
  const Value moved = rw.fold(ops::Transpose{}, taken_apart, rw.integers(places));
  return rw.fold(ops::Reshape{}, moved, rw.integers(shape));
}

/// MatMul(Reshape(Transpose(x, order), [N, rest]), w) -> MatMul(Reshape(x, [N, rest]), w with its rows in the order of
/// x): a flattened image needs no Transpose when the weights are constant.
RewriteRule transpose_into_weights() {
  const Pat x = any();
  const Pat order = constant();
  const Pat shape = constant();
  const Pat weights = constant().static_shape().rank(2);
  const Pat flat = op<ops::Reshape>(op<ops::Transpose>(x, order).one_use(), shape).one_use();
  const Pat product = op<ops::MatMul>(flat, weights);
  return rewrite("TransposeIntoWeights").match(product).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const PartialShape& data = m[x].type().shape;
    const PartialShape& flattened = m[flat].type().shape;
    const auto axes = order_of(m[order], data);
    const auto pattern = constant_integers_of(m[shape]);
    const ops::MatMul& op = *m.node(product).as<ops::MatMul>();
    if (!axes || !pattern || pattern->size() != 2 || (*pattern)[1] == 0 || axes->size() < 3 || axes->front() != 0 ||
        op.transpose_a)
      return Replacement::declined();
    Numbers dims;
    Numbers within;  // the order of the dimensions after the batch
    std::int64_t rest = 1;
    for (std::size_t i = 1; i < axes->size(); ++i) {
      if (!data[i].is_known() || data[i].value() < 1 || data[i].value() > (std::int64_t{1} << 40) / rest)
        return Replacement::declined();
      dims.push_back(data[i].value());
      within.push_back((*axes)[i] - 1);
      rest *= data[i].value();
    }
    const std::int64_t rows = (*m[weights].type().shape.to_shape())[op.transpose_b ? 1 : 0];
    if (flattened[1] != Dimension(rest) || rows != rest) return Replacement::declined();
    const Value moved = reordered(rw, m[weights], dims, within, op.transpose_b);
    const Value reshaped = rw.create(ops::Reshape{*m.node(flat).as<ops::Reshape>()}, m[x], m[shape]);
    return rw.create(ops::MatMul{op}, reshaped, moved);
  });
}

}  // namespace

Pass transpose_fusion() {
  return graph_rewrite("TransposeFusion")
      .run_before({"ConstantFolding"})
      .add(merge_transposes())
      .add(transpose_to_reshape())
      .add(squeeze_before_transpose())
      .add(merge_reshapes())
      .add(transpose_into_weights());
}

}  // namespace mo::phases
