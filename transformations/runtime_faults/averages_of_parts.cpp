#include <algorithm>

#include "ops/pooling.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/split_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool pads_nothing(const ops::AvgPool& op) {
  const auto is_zero = [](std::int64_t pad) { return pad == 0; };
  return op.auto_pad == ops::AutoPad::explicit_pads &&
         std::all_of(op.pads_begin.begin(), op.pads_begin.end(), is_zero) &&
         std::all_of(op.pads_end.begin(), op.pads_end.end(), is_zero);
}

/// AvgPool(part) -> AvgPool(Gather of the elements of the part).
Replacement of_gathered_part(const Node& node, Rewriter& rw) {
  const Value part = node.input(0);
  const auto& op = *node.as<ops::AvgPool>();
  if (!is_split(part.node())) return declined("not of a part of a Split");
  if (!op.exclude_pad || pads_nothing(op)) return declined("there is no padding, or the averages count it");
  if (!part.type().shape.has_rank() || part.type().shape[1] != Dimension(1)) return declined("not of one channel");
  if (split_axis(part.node()) == 0) return declined("split along the batch");
  const Value gathered = gathered_part(rw, part.node(), part.index());
  if (!gathered) return declined("the axis or the length of the part is unknown, or the part is long");
  return rw.create(op, gathered);
}

}  // namespace

void register_averages_of_parts(PassRegistry& passes) {
  passes.add(
      avoid_fault("AveragesOfParts",
                  {.form = "AvgPool with padding that averages do not count, of a part of a Split, of one channel",
                   .symptom = "wrong values: the part is read as if it were stored without gaps",
                   .first = "2021.4",
                   .last = "2021.4",
                   .replacement = "Gather of the part"})
          .add(lowering<ops::AvgPool>("AveragesOfGatheredPart", of_gathered_part)));
}

}  // namespace mo::transformations
