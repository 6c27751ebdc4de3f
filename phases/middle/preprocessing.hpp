#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pass/pass.hpp"
#include "phases/middle/interface_layout.hpp"
#include "phases/middle/mean_image.hpp"

namespace mo::phases {

/// Numbers for one input, one per channel or a single one for all channels.
struct ChannelNumbers {
  /// name of the input (node or tensor); unset: the input of the same position
  std::optional<std::string> input;
  std::vector<double> values;
};

/// What is done to the inputs before the model sees them: (channels reversed, then) minus mean, divided by scale.
struct PreprocessingRequest {
  std::vector<ChannelNumbers> mean;
  std::vector<ChannelNumbers> scale;
  std::optional<double> scale_all;      ///< one divisor for every input
  bool reverse_channels = false;        ///< of every image-like input with three channels
  std::optional<MeanImage> mean_image;  ///< subtracted from the only input
  /// where the channels are, and what the IR's inputs and outputs look like
  std::vector<LayoutRequest> layouts;
  bool channels_first = false;  ///< the framework keeps every image so
  bool empty() const {
    return mean.empty() && scale.empty() && !scale_all && !reverse_channels && !mean_image && layouts.empty();
  }
};

/// Pass "Preprocessing" (middle): inserts the request before the model as Add, Multiply and Gather, which fusions then
/// take into the first convolution; and outside of that, the Transposes that layouts ask for. Values are in the order
/// of the model's channels. Errors: MO-PRE-0001 (no such input), MO-PRE-0002 (number of values does not fit the
/// channels), MO-PRE-0003 (input of an integer type), MO-PRE-0004 (scale is 0), MO-PRE-0005 (more lists of values than
/// inputs), MO-PRE-0007 (a mean image for several inputs), those of negated_part, find_interface_layouts,
/// apply_interface_layouts and ChannelFinder. Warning MO-PRE-0006 when no input can be reversed.
Pass preprocessing(PreprocessingRequest request);

}  // namespace mo::phases
