#pragma once

#include "graph_transforms/engine/editor.hpp"

/// Batch normalisation of Caffe: a layer BatchNorm with the statistics, and a layer Scale with the factors, both often
/// in place.
namespace mo::graph_transforms {

/// BatchNorm(layer(x)) -> layer(x) with other weights and a bias, for layers that have constant weights.
Expected<void> fold_caffe_normalisations(GraphEditor& editor);
/// The same, and then Scale(layer(x)) -> layer(x).
Expected<void> fold_caffe_scales(GraphEditor& editor);

}  // namespace mo::graph_transforms
