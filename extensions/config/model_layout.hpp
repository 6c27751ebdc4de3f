#pragma once

#include "core/graph/graph.hpp"
#include "core/op/data_layout.hpp"
#include "extensions/config/json_view.hpp"

namespace mo::config {

/// How a model has its images where nothing nearer to the node tells: TensorFlow's are channels-last, those of all
/// other frameworks channels-first.
inline DataLayout model_layout(const Node& node) {
  return node.origin().framework == "TensorFlow" ? DataLayout::channels_last : DataLayout::channels_first;
}

/// The value of the key "layout" that describes a layer of a runtime: "channels_first", or "model" for images as the
/// model has them.
inline bool wants_channels_first(const JsonView& layout) {
  return layout.one_of({"channels_first", "model"}) == "channels_first";
}

}  // namespace mo::config
