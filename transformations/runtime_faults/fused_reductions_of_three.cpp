#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool has(const std::vector<std::int64_t>& axes, std::int64_t axis) {
  return std::any_of(axes.begin(), axes.end(), [&](std::int64_t a) { return a == axis || a == axis - 3; });
}

bool is_elementwise(const InPort& reader) { return reader.node().op_type().traits.elementwise; }

/// The reader is arithmetic with a constant, or other elementwise ops with such arithmetic after them.
bool meets_constant(const InPort& reader) {
  Node node = reader.node();
  for (; node.op_type().traits.elementwise; node = node.output().get_destinations().front().node()) {
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (node.input(i) && !is_computed(node.input(i))) return true;
    if (node.out_port_count() != 1 || !node.output().has_one_destination()) break;
  }
  return false;
}

/// reduce(x, axes) -> squeeze(reduce(unsqueeze(x, 3), axes), 3).
Replacement reduced_in_four_dimensions(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  const TensorType& data = node.input_type(0);
  auto axes = integers_of(node.input(1));
  if (!is_real(data.element_type) || data.rank() != 3 || !axes || axes->empty() || has(*axes, 0))
    return declined("not over dimensions after the batch, of three of floating-point values");
  if (data.shape[0] == Dimension(1)) return declined("one batch");
  const bool keeps = keeps_dimensions(kind, node);
  const bool takes_channels = has(*axes, 1) || data.shape[1] == Dimension(1);  // one channel is as good as reduced
  const std::vector<InPort> readers = node.output().get_destinations();
  if (std::none_of(readers.begin(), readers.end(), keeps && takes_channels ? is_elementwise : meets_constant))
    return declined("no elementwise op reads it, or none that the kernel computes otherwise for each channel");
  for (std::int64_t& axis : *axes) axis = axis < 0 ? axis + 3 : axis;
  const Value wide = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({3}));
  const Value reduced = reduced_with_dimensions(rw, kind, wide, rw.integers(*axes));
  std::vector<std::int64_t> dropped = keeps ? std::vector<std::int64_t>{} : *axes;
  dropped.push_back(3);
  return rw.create(ops::Squeeze{}, reduced, rw.integers(dropped));
}

}  // namespace

void register_fused_reductions_of_three(PassRegistry& passes) {
  using enum ops::ReduceKind;
  passes.add(with_reduction_rules<max, min, mean, sum, l1, l2, prod>(
      avoid_fault("FusedReductionsOfThree",
                  {.form = "reduction of three dimensions, but for the first, before elementwise ops with a constant; "
                           "over the channels with keep_dims, of any elementwise op",
                   .symptom = "wrong values in all batches but the first",
                   .first = "2022.1",
                   .last = "2022.1",
                   .replacement = "Unsqueeze to four dimensions, the reduction, Squeeze"}),
      reduced_in_four_dimensions));
}

}  // namespace mo::transformations
