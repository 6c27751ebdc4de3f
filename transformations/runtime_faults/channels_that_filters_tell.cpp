#include "ops/convolution.hpp"
#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// How many channels filters read: input 1, whose dimensions are [O, I, …] or [G, O, I, …].
std::optional<std::int64_t> channels_of(const PartialShape& filters, bool has_groups) {
  if (!filters.has_rank() || filters.size() < 3) return std::nullopt;
  const Dimension& own = filters[has_groups ? 2 : 1];
  if (!own.is_known() || (has_groups && !filters[0].is_known())) return std::nullopt;
  return has_groups ? filters[0].value() * own.value() : own.value();
}

/// convolution(x) -> convolution(reshape(x)), where only the channels of x are unknown.
template <class T>
Replacement with_known_channels(const Node& node, Rewriter& rw) {
  const ops::AutoPad padding = node.as<T>()->auto_pad;
  if (padding != ops::AutoPad::same_upper && padding != ops::AutoPad::same_lower)
    return declined("the padding is known");
  const PartialShape& data = node.input_type(0).shape;
  if (!data.has_rank() || data.size() < 3 || data[1].is_known() || !node.output_type().shape.is_static())
    return declined("the channels are known, or other sizes are unknown, too");
  const auto channels = channels_of(node.input_type(1).shape, std::is_same_v<T, ops::GroupConvolution>);
  if (!channels) return declined("the shape of the filters is unknown");
  std::vector<std::int64_t> sizes;
  for (const Dimension& size : data) {
    if (sizes.size() != 1 && !size.is_known()) return declined("another size is unknown, too");
    sizes.push_back(sizes.size() == 1 ? *channels : size.value());
  }
  return rw.create(*node.as<T>(), rw.create(ops::Reshape{.special_zero = false}, node.input(0), rw.integers(sizes)),
                   node.input(1));
}

}  // namespace

void register_channels_that_filters_tell(PassRegistry& passes) {
  passes.add(
      avoid_fault("ChannelsThatFiltersTell",
                  {.form = "Convolution or GroupConvolution with auto_pad same_upper or same_lower, of data of which "
                           "only the number of channels is unknown",
                   .symptom = "not compiled: dimensions are invalid",
                   .first = "2022.1",
                   .last = "2024.6",
                   .replacement = "Reshape to the shape that follows from the filters, the convolution"})
          .add(lowering<ops::Convolution>("OfKnownChannels", with_known_channels<ops::Convolution>))
          .add(lowering<ops::GroupConvolution>("GroupsOfKnownChannels", with_known_channels<ops::GroupConvolution>)));
}

}  // namespace mo::transformations
