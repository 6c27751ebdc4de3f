#include <algorithm>
#include <map>

#include "ops/concat.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/copied.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A part of a Split along a later axis than `axis`: its rows lie apart from one another, as the runtime does not copy
/// parts.
bool lies_in_rows(const Value& part, std::int64_t axis) {
  const Node split = part.node();
  if (!split.is("Split") && !split.is("VariadicSplit")) return false;
  const auto rank = split.input_type(0).rank();
  const auto number = single_integer_of(split.input(1));
  const auto along = rank && number ? normalize_axis(*number, *rank) : std::nullopt;
  return along && *along > axis && can_be_copied(part.type().element_type);
}

/// Concat(part, …) -> Concat(copy of the part, …)
Replacement joined_copies(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.output_type().shape;
  if (!shape.is_static()) return declined("a size is unknown");
  const auto axis = normalize_axis(node.as<ops::Concat>()->axis, static_cast<std::int64_t>(shape.size()));
  if (!axis) return Replacement::declined();
  const auto is_one = [](const Dimension& size) { return size == Dimension(1); };
  if (std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(*axis), is_one))
    return declined("each input is one block of memory");
  std::map<ValueId, Value> copies;
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    inputs.push_back(node.input(i));
    if (!lies_in_rows(inputs.back(), *axis)) continue;
    const auto [copy, is_new] = copies.try_emplace(inputs.back().id());
    if (is_new) copy->second = copied(rw, inputs.back());
    inputs.back() = copy->second;
  }
  if (copies.empty()) return declined("no part of a Split along a later axis");
  return rw.create(*node.as<ops::Concat>(), inputs);
}

}  // namespace

void register_parts_joined_along_earlier_axis(PassRegistry& passes) {
  passes.add(avoid_fault("PartsJoinedAlongEarlierAxis",
                         {.form = "Concat of a part of a Split along a later axis",
                          .symptom = "elements of other parts are joined",
                          .first = "2022.3",
                          .last = "2022.3",
                          .replacement = "Maximum(x, x) or LogicalOr(x, x) as a copy of the part"})
                 .add(lowering<ops::Concat>("JoinedCopies", joined_copies)));
}

}  // namespace mo::transformations
