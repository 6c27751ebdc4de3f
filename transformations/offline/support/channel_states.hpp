#pragma once

#include <optional>

#include "transformations/offline/support/channel_groups.hpp"

/// What single ops do with channels that are zero.
namespace mo::transformations {

/// By index along the axis: zero where all elements are. Empty when the tensor cannot be cut there (no such axis,
/// elements smaller than a byte).
Expected<std::vector<ChannelState>> states_of(const Tensor& tensor, std::size_t axis);
/// A constant of which all elements are zero.
bool is_zero(const Value& value);
/// Const, or an elementwise op or a Reshape of such tensors (quantised weights).
bool is_made_of_constants(const Value& value);

/// Pooling, padding and resampling, which treat each channel of axis 1 for itself.
bool keeps_channels(const Node& node);
/// Such an op leaves the axis as it is and makes zeros of zeros.
bool keeps_zeros(const Node& node, std::size_t axis);

bool broadcasts_as_numpy(const Node& node);
/// The axis of input `i` of an elementwise op that meets the axis of the output; nothing when the input has no such
/// axis.
std::optional<std::size_t> aligned_axis(const Node& node, std::size_t i, std::size_t output_axis);
/// What an elementwise op makes of channels, one of each input.
ChannelState state_after(const Node& node, const std::vector<ChannelState>& inputs);

}  // namespace mo::transformations
