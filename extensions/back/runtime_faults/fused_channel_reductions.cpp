#include <algorithm>

#include "core/graph/values.hpp"
#include "extensions/back/support/reductions.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::back {
namespace {

/// Of three dimensions: number 1 and not number 0. One channel is as good as reduced.
bool are_channels_of_three(const std::vector<std::int64_t>& axes, bool is_one_channel) {
  const auto has = [&](std::int64_t axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); };
  return (has(1) || has(-2) || (is_one_channel && !axes.empty())) && !has(0) && !has(-3);
}

/// reduce(x, axes) -> squeeze(reduce(unsqueeze(x, 3), axes), 3).
Replacement reduced_in_four_dimensions(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  const TensorType& data = node.input_type(0);
  auto axes = integers_of(node.input(1));
  if (!keeps_dimensions(kind, node) || !is_real(data.element_type) || data.rank() != 3 || !axes ||
      !are_channels_of_three(*axes, data.shape[1] == Dimension(1)))
    return declined("not the channels of floating-point values of three dimensions, with keep_dims");
  if (data.shape[0] == Dimension(1)) return declined("one batch");
  const std::vector<InPort> readers = node.output().get_destinations();
  if (std::none_of(readers.begin(), readers.end(),
                   [](const InPort& reader) { return reader.node().op_type().traits.elementwise; }))
    return declined("no elementwise op reads it");
  for (std::int64_t& axis : *axes) axis = axis < 0 ? axis + 3 : axis;
  const Value last = rw.integers({3});
  const Value reduced =
      reduced_with_dimensions(rw, kind, rw.create(ops::Unsqueeze{}, node.input(0), last), rw.integers(*axes));
  return rw.create(ops::Squeeze{}, reduced, last);
}

}  // namespace

void register_fused_channel_reductions(PassRegistry& passes) {
  using enum ops::ReduceKind;
  passes.add(with_reduction_rules<max, min, mean, sum, l1, l2, prod>(
      avoid_fault(
          "FusedChannelReductions",
          {.form = "reduction with keep_dims over the channels of three dimensions that an elementwise op reads",
           .symptom = "wrong values in all batches but the first",
           .first = "2022.1",
           .last = "2022.1",
           .replacement = "Unsqueeze to four dimensions, the reduction, Squeeze"}),
      reduced_in_four_dimensions));
}

}  // namespace mo::back
