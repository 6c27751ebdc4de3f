#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The only reader says the sizes again.
bool is_reshaped(const Value& slice) {
  const std::vector<InPort> readers = slice.get_destinations();
  return readers.size() == 1 && readers.front().node().is<ops::Reshape>();
}

/// x[…:computed] -> the same, reshaped to the sizes that are known; the others are copied.
Replacement with_known_sizes(const Node& node, Rewriter& rw) {
  if (integers_of(node.input(1)) && integers_of(node.input(2))) return declined("the bounds are known");
  const auto& op = *node.as<ops::StridedSlice>();
  const PartialShape& shape = node.output_type().shape;
  if (!shape.has_rank() || shape.size() < 3 || !shape[1].is_known())
    return declined("no image whose number of channels is known");
  if (is_reshaped(node.output())) return declined("a Reshape follows");
  std::vector<std::int64_t> sizes;
  for (const Dimension& size : shape) sizes.push_back(size.is_known() ? size.value() : 0);
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return rw.create(ops::Reshape{.special_zero = true}, rw.create(op, inputs), rw.integers(sizes));
}

}  // namespace

void register_channels_lost_by_slice(PassRegistry& passes) {
  passes.add(
      avoid_fault("ChannelsLostBySlice",
                  {.form = "StridedSlice of an image, between computed bounds, whose number of channels is known",
                   .symptom = "the runtime does not know the number: a pooling after it is not computed",
                   .first = "2022.1",
                   .last = "2022.1",
                   .replacement = "StridedSlice, Reshape to the sizes that are known"})
          .add(lowering<ops::StridedSlice>("WithKnownSizes", with_known_sizes)));
}

}  // namespace mo::transformations
