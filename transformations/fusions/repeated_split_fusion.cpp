#include "ops/concat.hpp"
#include "ops/interpolate.hpp"
#include "ops/split.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

Replacement fuse_repeated_split(const Node& concat, Rewriter& rw) {
  if (concat.in_port_count() < 2 || !concat.input(0)) return declined("there is one input only");
  const Node split = concat.input(0).node();
  const auto rank = concat.output_type().rank();
  const auto* op = split.as<ops::Split>();
  // Runtimes resize the dimensions after the channels of images.
  if (!op || !rank || (*rank != 4 && *rank != 5) || split.input_type(0).rank() != rank)
    return declined("the first input is not a split of a tensor of rank 4 or 5");
  const std::size_t parts = split.out_port_count();
  const std::size_t count = concat.in_port_count();
  const auto axes = known_axes(split.input(1), *rank);
  const auto axis = normalize_axis(concat.as<ops::Concat>()->axis, *rank);
  if (parts < 1 || count % parts != 0 || count == parts || !axes || axes->size() != 1 || axis != axes->front() ||
      *axis < 2)
    return Replacement::declined();
  if (split.output_type().shape[static_cast<std::size_t>(*axis)] != Dimension(1))
    return declined("the parts are larger than 1");
  const std::size_t factor = count / parts;
  for (std::size_t i = 0; i < count; ++i)
    if (concat.input(i) != split.output(i / factor)) return declined("the parts are not repeated one after the other");
  for (const OutPort& part : split.out_ports())
    if (part.destination_count() != factor) return declined("a part is read elsewhere");
  return rw.create(ops::v11::Interpolate{{.mode = ops::reference::InterpolateMode::nearest,
                                          .shape_calculation_mode = ops::InterpolateShapeMode::scales,
                                          .coordinate_transformation_mode = ops::InterpolateCoordinateMode::asymmetric,
                                          .nearest_mode = ops::InterpolateNearestMode::floor}},
                   split.input(0), rw.constant(Tensor::vector(std::vector<float>{static_cast<float>(factor)})),
                   rw.integers({*axis}));
}

}  // namespace

/// Split into slices of 1 -> Concat of each slice n times -> Interpolate
/// {nearest} by n: how Keras repeats elements.
void register_repeated_split_fusion(PassRegistry& passes) {
  passes.add(front_replacement_op("Concat")
                 .named("RepeatedSplitFusion")
                 .phase(Phase::middle)
                 .run_after({"CommonSubexpressions", "LayoutChange"})
                 .run_before({"InterpolateSequenceFusion"})
                 .replace_op(fuse_repeated_split));
}

}  // namespace mo::transformations
