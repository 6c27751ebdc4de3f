#include <algorithm>

#include "ops/reduce.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Known axes of a tensor, sorted, each once; counted from the front where the rank is known.
std::optional<std::vector<std::int64_t>> sorted_axes(const Value& axes, const Value& data) {
  auto numbers = integers_of(axes);
  if (!numbers) return std::nullopt;
  if (const auto rank = data.type().rank())
    for (std::int64_t& axis : *numbers) axis = normalize_axis(axis, *rank).value_or(axis);
  std::sort(numbers->begin(), numbers->end());
  numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
  return numbers;
}

/// unsqueeze(reduce(x, axes), axes) -> reduce(x, axes) with keep_dims. Both count axes in tensors of the same rank.
template <class T>
RewriteRule kept_dimensions(std::string name) {
  using namespace pattern;
  return rewrite(std::move(name))
      .match(op<ops::Unsqueeze>(op<T>(), any()))
      .rule([](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const Node reduction = node.input(0).node();
        if (reduction.as<T>()->keep_dims) return declined("the dimensions are kept already");
        const auto reduced = sorted_axes(reduction.input(1), reduction.input(0));
        if (!reduced || reduced != sorted_axes(node.input(1), reduction.input(0)))
          return declined("not known to be the same axes");
        return rw.create(T{.keep_dims = true}, reduction.input(0), rw.integers(*reduced));
      });
}

}  // namespace

void register_reduced_axes_put_back(PassRegistry& passes) {
  passes.add(avoid_fault("ReducedAxesPutBack",
                         {.form = "Unsqueeze of the axes of a reduction without keep_dims",
                          .symptom = "lost before a division or subtraction, so that the model is not compiled",
                          .first = "2022.3",
                          .last = "2022.3",
                          .replacement = "the reduction with keep_dims"})
                 .add(kept_dimensions<ops::ReduceSum>("KeptBySum"))
                 .add(kept_dimensions<ops::ReduceMean>("KeptByMean"))
                 .add(kept_dimensions<ops::ReduceMax>("KeptByMax"))
                 .add(kept_dimensions<ops::ReduceMin>("KeptByMin"))
                 .add(kept_dimensions<ops::ReduceProd>("KeptByProd"))
                 .add(kept_dimensions<ops::ReduceL1>("KeptByL1"))
                 .add(kept_dimensions<ops::ReduceL2>("KeptByL2"))
                 .add(kept_dimensions<ops::ReduceLogicalAnd>("KeptByAnd"))
                 .add(kept_dimensions<ops::ReduceLogicalOr>("KeptByOr")));
}

}  // namespace mo::transformations
