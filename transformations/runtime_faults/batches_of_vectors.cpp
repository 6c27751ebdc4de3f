#include <algorithm>
#include <numeric>

#include "ops/mat_mul.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A constant of several matrices that have one row or one column each: runtimes that count dimensions other than 1
/// take it for one matrix.
bool looks_like_matrix(const Value& b) {
  const auto shape = b.type().shape.to_shape();
  if (!shape || shape->size() < 3 || is_computed(b)) return false;
  const auto is_many = [](std::int64_t size) { return size != 1; };
  return std::any_of(shape->begin(), shape->end() - 2, is_many) &&
         std::count_if(shape->begin(), shape->end(), is_many) <= 2;
}

/// a x b -> transpose(transpose(b) x transpose(a))
Replacement constant_first(const Node& node, Rewriter& rw) {
  const Value a = node.input(0);
  const Value b = node.input(1);
  if (!looks_like_matrix(b) || !is_computed(a)) return declined("not of constant vectors in a batch");
  if (!a.type().rank() || *a.type().rank() < 2) return declined("the first input is a vector, or its rank is unknown");
  const auto& op = *node.as<ops::MatMul>();
  const Value product = rw.create(ops::MatMul{.transpose_a = !op.transpose_b, .transpose_b = !op.transpose_a}, b, a);
  std::vector<std::int64_t> order(std::max(*a.type().rank(), *b.type().rank()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return rw.create(ops::Transpose{}, product, rw.integers(order));
}

}  // namespace

void register_batches_of_vectors(PassRegistry& passes) {
  passes.add(
      avoid_fault("BatchesOfVectors",
                  {.form = "MatMul with a constant of several matrices that have one row or one column each",
                   .symptom = "the model is not compiled, or the result has the size of the batch as its columns",
                   .first = "2021.4",
                   .last = "2022.3",
                   .replacement = "MatMul with the constant first, Transpose"})
          .add(lowering<ops::MatMul>("ConstantFirst", constant_first)));
}

}  // namespace mo::transformations
