#include <algorithm>

#include "ops/gather.hpp"
#include "ops/split.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_unread_nothing(const OutPort& part) {
  const PartialShape& shape = part.type().shape;
  return part.disconnected() &&
         std::any_of(shape.begin(), shape.end(), [](const Dimension& size) { return size == Dimension(0); });
}

/// VariadicSplit(x, axis, [4, 0, 2]) -> VariadicSplit(x, axis, [4, 2]), and x itself where one part is left.
Replacement split_of_other_parts(const Node& node, Rewriter& rw) {
  std::vector<std::int64_t> kept;
  for (const OutPort& part : node.out_ports())
    if (!is_unread_nothing(part)) kept.push_back(static_cast<std::int64_t>(part.index()));
  if (kept.empty() || kept.size() == node.out_port_count()) return declined("every part has elements or is read");
  std::vector<Value> parts = {node.input(0)};
  if (kept.size() > 1) {
    const Value lengths = rw.fold(ops::v1::Gather{}, node.input(2), rw.integers(kept), rw.scalar<std::int64_t>(0));
    parts.clear();
    for (const OutPort& part :
         rw.create_node(ops::VariadicSplit{}, {node.input(0), node.input(1), lengths}, kept.size()).out_ports())
      parts.push_back(part);
  }
  Outputs outputs(node.out_port_count());
  for (std::size_t i = 0; i < kept.size(); ++i) outputs[static_cast<std::size_t>(kept[i])] = parts[i];
  return outputs;
}

}  // namespace

void register_split_parts_without_elements(PassRegistry& passes) {
  passes.add(avoid_fault("SplitPartsWithoutElements",
                         {.form = "VariadicSplit with a part without elements, which nothing reads",
                          .symptom = "not compiled",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement = "VariadicSplit of the other parts, or the data"})
                 .add(lowering<ops::VariadicSplit>("SplitOfOtherParts", split_of_other_parts)));
}

}  // namespace mo::transformations
