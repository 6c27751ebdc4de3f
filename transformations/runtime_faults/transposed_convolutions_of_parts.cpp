#include "ops/convolution.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/runtime_faults/support/split_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// ConvolutionBackpropData(part, …) -> ConvolutionBackpropData(Gather of the elements of the part, …).
template <OpLike T>
Replacement of_gathered_part(const Node& node, Rewriter& rw) {
  const Value part = node.input(0);
  if (!is_split(part.node())) return declined("not of a part of a Split");
  if (const auto axis = split_axis(part.node()); axis && *axis > 1)
    return declined("not split along the batch or the channels");
  std::vector<Value> inputs = inputs_of(node);
  inputs[0] = gathered_part(rw, part.node(), part.index());
  if (!inputs[0]) return declined("the axis or the length of the part is unknown, or the part is long");
  return rw.create(*node.as<T>(), inputs);
}

}  // namespace

void register_transposed_convolutions_of_parts(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "TransposedConvolutionsOfParts",
          {.form = "ConvolutionBackpropData or GroupConvolutionBackpropData of a part of a Split along the batch or "
                   "the channels",
           .symptom = "wrong values: the part is read as if it were stored without gaps at the beginning of the whole",
           .first = "2021.4",
           .last = "2022.3",
           .replacement = "Gather of the part"})
          .add(lowering<ops::ConvolutionBackpropData>("OfGatheredPart", of_gathered_part<ops::ConvolutionBackpropData>))
          .add(lowering<ops::GroupConvolutionBackpropData>("GroupsOfGatheredPart",
                                                           of_gathered_part<ops::GroupConvolutionBackpropData>)));
}

}  // namespace mo::transformations
