#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/index_padding.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::size_t kFirstChecked = 2;  ///< the runtime looks at the sizes from this axis on

Replacement reflected_by_indices(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.input_type(0).shape;
  const auto begin = integers_of(node.input(1));
  const auto end = integers_of(node.input(2));
  if (node.as<ops::v1::Pad>()->pad_mode != ops::PadMode::reflect || !shape.has_rank() || !begin || !end)
    return Replacement::declined();
  if (begin->size() != shape.size() || end->size() != shape.size()) return Replacement::declined();
  bool may_be_one = false;
  for (std::size_t i = kFirstChecked; i < shape.size(); ++i)
    may_be_one |= !shape[i].is_known() && shape[i].min() <= 1 && (*begin)[i] == 0 && (*end)[i] == 0;
  if (!may_be_one) return declined("no size may be 1 beside those that are padded");
  return padded_by_indices(rw, node.input(0), node.input(1), node.input(2), {}, ops::PadMode::reflect);
}

}  // namespace

void register_reflection_beside_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("ReflectionBesideUnknownSizes",
                         {.form = "Pad that reflects, where an unknown size of an image, which is not padded, may be 1",
                          .symptom = "not computed: the runtime requires two elements or more along each of them",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "a Gather along each dimension that is padded"})
                 .add(lowering<ops::v1::Pad>("ReflectedByIndices", reflected_by_indices)));
}

}  // namespace mo::transformations
