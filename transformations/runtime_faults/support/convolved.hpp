#pragma once

#include "core/graph/graph.hpp"
#include "core/pass/rewriter.hpp"

namespace mo::transformations {

/// Real numbers of three to five dimensions, whose known channels leave room in the memory of a convolution: that has
/// blocks of 16 channels, or of 8. An elementwise op computes there as well, from zeros; infinity or NaN times the
/// zeros of the filters is NaN.
bool leaves_room_behind_channels(const TensorType& type);

/// A convolution reads the tensor, or what ops that keep its channels make of it. A copy without room ends the search.
bool is_convolved(const OutPort& tensor);

/// ShuffleChannels of one group: a copy, whose memory has no room after the channels.
Value copied_without_room(Rewriter& rw, const Value& tensor);

}  // namespace mo::transformations
