#pragma once

#include "frontends/caffe/ops/support/layer_checks.hpp"
#include "frontends/caffe/ops/support/translate.hpp"
#include "ops/proposal.hpp"

namespace mo::caffe {

/// Region proposals of a layer whose bottoms are scores, box deltas, and the image's height, width and scale (Caffe:
/// [1, 3], the IR: [3]). Tops: regions, and perhaps their scores.
inline Outputs proposed_regions(const Layer& layer, Rewriter& rw, ops::Proposal op) {
  const Node made =
      rw.create_node(std::move(op), {layer.bottom(0), layer.bottom(1), flattened(rw, layer.bottom(2))}, 2);
  Outputs outputs;
  for (std::size_t i = 0; i < layer.node().output_count() && i < 2; ++i) outputs.push_back(made.output(i));
  return outputs;
}

}  // namespace mo::caffe
