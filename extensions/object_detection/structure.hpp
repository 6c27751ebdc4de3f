#pragma once

#include <optional>
#include <string>
#include <vector>

#include "extensions/object_detection/building.hpp"

/// What the post-processing of a detector computes, read off its nodes. Names of nodes tell versions of an exporter
/// apart badly: the same name is before the conversion of scores in one version, and after it in another.
namespace mo::object_detection {

/// What happens to the scores that enter a matched sub-graph.
struct ScoreConversion {
  std::string inside = "IDENTITY";  ///< what the sub-graph applies: SOFTMAX, SIGMOID or IDENTITY
  std::string before = "IDENTITY";  ///< what was applied before the sub-graph
  Node converter;                   ///< the node that does it, in either place; none for IDENTITY
  bool lacks_background = false;    ///< the first class was cut off before the sub-graph
  bool cuts_before_inside = false;  ///< the sub-graph cuts the first class off before it converts
  struct Scaling {
    Arithmetic kind;
    double by;
  };
  std::vector<Scaling>
      scalings;  ///< arithmetic with single constants in the sub-graph before its conversion (the API's "logit_scale")
};
ScoreConversion score_conversion(const SubgraphMatch& match, std::size_t input);

/// Whether boxes are clipped to the window before the suppression of the sub-graph sees them. Nothing when there is no
/// suppression in it.
std::optional<bool> clips_before_suppression(const SubgraphMatch& match);

/// A count that the constants of a predictor say: of its channels, or of the last dimension that its output is reshaped
/// to.
struct Count {
  std::int64_t number = 0;
  Node node;  ///< what says it
};
/// Channels of the convolution or the connected layer that makes the tensor; nothing when no constant tells.
std::optional<Count> channels_of(Value value);
/// The scores that each box has, by the reshape after the class predictor.
std::optional<Count> classes_of(Value value);

}  // namespace mo::object_detection
