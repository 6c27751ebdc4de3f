#include <algorithm>

#include "core/tensor/convert.hpp"
#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/bucketize.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/range.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// The number of elements, an i64 vector of one element.
Value element_count_of(Rewriter& rw, const Value& x) {
  return rw.create(ops::ReduceProd{.keep_dims = true}, shape_of(rw, x), rw.integers({0}));
}

/// Weights in the shape of `numbers`. TensorFlow takes an empty tensor for ones everywhere: if that is known only at
/// run time, the missing ones are appended to the weights. Empty when all weights are one for certain.
Value count_weights(Rewriter& rw, const Value& weights, const Value& numbers) {
  const auto count = weights.type().shape.element_count();
  if (count == 0) return {};
  if (count) return rw.create(ops::Reshape{}, weights, shape_of(rw, numbers));
  const Value missing = rw.create(ops::Subtract{}, element_count_of(rw, numbers), element_count_of(rw, weights));
  const Value filler = rw.create(ops::Broadcast{}, number_like(rw, weights, 1), missing);
  return rw.create(ops::Reshape{}, join(rw, {flattened(rw, weights), filler}), shape_of(rw, numbers));
}

/// How `count_numbers` counts.
struct Counting {
  bool by_row = false;  ///< keeps all dimensions but the last
  bool binary = false;  ///< asks only whether a number occurs
};

/// Bincount(numbers, size, weights) -> the sum over all elements of (number == place) * weight, for each place from 0
/// to size - 1. The counts have the type of the weights.
Replacement count_numbers(const FrameworkNode& node, Rewriter& rw, Counting how) {
  const Value weights = node.input(2);
  const Value numbers = how.by_row ? node.input(0) : flattened(rw, node.input(0));
  const ElementType type =
      numbers.type().element_type == ElementType::dynamic ? ElementType::i32 : numbers.type().element_type;
  const Value behind = rw.integers({-1});
  const Value zero = rw.constant(*from_integers(type, {}, {0}));
  const Value one = rw.constant(*from_integers(type, {}, {1}));
  const Value places = rw.create(ops::Range{.output_type = type}, zero, node.input(1), one);
  const Value same = rw.create(ops::Equal{}, rw.create(ops::Unsqueeze{}, numbers, behind), places);
  const Value elements = rw.integers({-2});
  if (how.binary) return as_type_of(rw, rw.create(ops::ReduceLogicalOr{.keep_dims = false}, same, elements), weights);
  Value counts = as_type_of(rw, same, weights);
  if (const Value shaped = count_weights(rw, weights, numbers))
    counts = rw.create(ops::Multiply{}, counts, rw.create(ops::Unsqueeze{}, shaped, behind));
  return rw.create(ops::ReduceSum{.keep_dims = false}, counts, elements);
}

Replacement bincount(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(number_type(node, "Tidx"));
  return count_numbers(node, rw, {});
}

Replacement dense_bincount(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(number_type(node, "Tidx"));
  return count_numbers(node, rw, {.by_row = true, .binary = node.attr("binary_output", false)});
}

/// Bucketize(x) {boundaries}: how many boundaries are not above x. They are f32 in TensorFlow, whatever x is.
Replacement bucketize(const FrameworkNode& node, Rewriter& rw) {
  const auto numbers = node.attr<std::vector<double>>("boundaries", {});
  if (!std::is_sorted(numbers.begin(), numbers.end()))
    return node.error("MO-TF-0506", "the boundaries are not in ascending order")
        .hint("sort the attribute boundaries in the model");
  MO_ASSIGN(Tensor boundaries, from_reals(ElementType::f32, {static_cast<std::int64_t>(numbers.size())}, numbers));
  return rw.create(ops::Bucketize{.output_type = ElementType::i32, .with_right_bound = false}, node.input(0),
                   rw.constant(std::move(boundaries)));
}

}  // namespace

void register_counting(OperatorTable& table) {
  table.translate("Bucketize", of_numbers(1, bucketize));
  table.translate("Bincount", of_numbers(3, bincount));
  table.translate("DenseBincount", of_numbers(3, dense_bincount));
}

}  // namespace mo::tensorflow
