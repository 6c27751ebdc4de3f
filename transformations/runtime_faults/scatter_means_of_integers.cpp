#include "ops/broadcast.hpp"
#include "ops/build/tensors.hpp"
#include "ops/scatter.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/exact_quotient.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

using ops::v12::ElementsReduction;

/// Scatter with the mean of integers -> the sum and the count of what meets in an element, divided by FloorMod and an
/// exact quotient.
Replacement floor_of_mean(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v12::ScatterElementsUpdate>();
  const ElementType type = node.input_type(0).element_type;
  if (op.reduction != ElementsReduction::mean || !is_integral(type)) return Replacement::declined();
  const ElementType wide = type == ElementType::i64 || type == ElementType::u64 || type == ElementType::u32
                               ? ElementType::i64
                               : ElementType::i32;
  const ops::v12::ScatterElementsUpdate sum{.reduction = ElementsReduction::sum, .use_init_val = op.use_init_val};
  const ops::v12::ScatterElementsUpdate more{.reduction = ElementsReduction::sum};
  const auto all = [&](std::int64_t number, const Value& like) {
    const Value scalar = build::as_type(rw, rw.scalar<std::int64_t>(number), wide);
    return rw.create(ops::Broadcast{}, scalar, build::shape_of(rw, like));
  };
  const Value data = build::as_type(rw, node.input(0), wide);
  const Value total = rw.create(sum, data, node.input(1), build::as_type(rw, node.input(2), wide), node.input(3));
  Value count =
      rw.create(more, all(op.use_init_val ? 1 : 0, data), node.input(1), all(1, node.input(2)), node.input(3));
  if (!op.use_init_val) count = rw.create(ops::Maximum{}, rw.scalar_like(count, 1), count);
  return build::as_type(rw, exact_quotient(rw, ops::Divide{.m_pythondiv = true}, total, count), type);
}

}  // namespace

void register_scatter_means_of_integers(PassRegistry& passes) {
  passes.add(
      avoid_fault("ScatterMeansOfIntegers", {.form = "ScatterElementsUpdate with reduction mean, of integers",
                                             .symptom = "a negative mean is truncated instead of rounded down",
                                             .first = "2024.6",
                                             .last = "latest",
                                             .replacement = "the sums and the counts, divided without a remainder"})
          .add(lowering<ops::v12::ScatterElementsUpdate>("FloorOfMean", floor_of_mean)));
}

}  // namespace mo::transformations
