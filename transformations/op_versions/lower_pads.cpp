#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/pad.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/index_padding.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;
using ops::PadMode;

/// Pad with negative numbers -> what they cut off, then Pad with the others. Reflected elements could be among those
/// that are cut off, so only for the modes that repeat the edge or a constant.
Replacement crop_and_pad(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v12::Pad>();
  const PartialShape& shape = node.input_type(0).shape;
  auto begin = integers_of(node.input(1));
  auto end = integers_of(node.input(2));
  if (!shape.has_rank() || !begin || !end || begin->size() != shape.size() || end->size() != shape.size() ||
      (op.pad_mode != PadMode::constant && op.pad_mode != PadMode::edge))
    return declined("amounts are computed, or cut off what is reflected");
  ops::StridedSlice crop;
  Integers from(shape.size(), 0);
  Integers to(shape.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = std::max<std::int64_t>(0, -(*begin)[i]);
    to[i] = std::min<std::int64_t>(0, (*end)[i]);  // counts from the back, so that it fits other lengths, too
    crop.begin_mask.push_back(0);
    crop.end_mask.push_back(to[i] == 0);
    // Something is left for the pads to stand beside.
    if ((from[i] > 0 || to[i] < 0) && from[i] - to[i] >= shape[i].min()) return declined("everything may be cut off");
    (*begin)[i] = std::max<std::int64_t>((*begin)[i], 0);
    (*end)[i] = std::max<std::int64_t>((*end)[i], 0);
  }
  const Value cropped = rw.create(std::move(crop), node.input(0), rw.integers(from), rw.integers(to),
                                  rw.integers(Integers(from.size(), 1)));
  const auto is_zero = [](std::int64_t v) { return v == 0; };
  if (std::all_of(begin->begin(), begin->end(), is_zero) && std::all_of(end->begin(), end->end(), is_zero))
    return cropped;
  std::vector<Value> inputs = {cropped, rw.integers(*begin), rw.integers(*end)};
  if (node.input(3)) inputs.push_back(node.input(3));
  return rw.create(ops::v1::Pad{op}, inputs);
}

/// Pad with amounts that are computed, or cut off what is reflected -> a Gather along each dimension. The runtimes that
/// do not read Pad-12 want the amounts of Pad-1 to be constants.
Replacement gather_padded(const Node& node, Rewriter& rw) {
  const PadMode mode = node.as<ops::v12::Pad>()->pad_mode;
  const Value padded = padded_by_indices(rw, node.input(0), node.input(1), node.input(2), node.input(3), mode);
  return padded ? Replacement(padded) : declined("the rank is unknown");
}

}  // namespace

/// Pad-12, said with older ops.
void register_lower_pads(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerPads")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(where_too_new(lowering<ops::v12::Pad>("NegativePadDecomposition", crop_and_pad)))
                 .add(where_too_new(lowering<ops::v12::Pad>("PadByIndices", gather_padded))));
}

}  // namespace mo::transformations
