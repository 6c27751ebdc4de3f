#include "ops/reverse.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement reverse_by_index(const Node& node, Rewriter& rw) {
  if (node.as<ops::Reverse>()->mode != ops::ReverseMode::mask) return Replacement::declined();
  const auto marks = reals_of(node.input(1));
  if (!marks) return declined("the mask is computed");
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < marks->size(); ++i)
    if ((*marks)[i] != 0) axes.push_back(static_cast<std::int64_t>(i));
  if (axes.empty()) return node.input(0);
  return rw.create(ops::Reverse{.mode = ops::ReverseMode::index}, node.input(0), rw.integers(axes));
}

}  // namespace

void register_reverse_by_mask(PassRegistry& passes) {
  passes.add(
      avoid_fault("ReverseByMask", {.form = "Reverse with a mask of the axes",
                                    .symptom = "not compiled: the mask is boolean no more",
                                    .first = "2021.4",
                                    .last = "2022.1",
                                    .replacement = "Reverse with the indices of the axes, where the mask is known"})
          .add(lowering<ops::Reverse>("ReverseByIndex", reverse_by_index)));
}

}  // namespace mo::transformations
