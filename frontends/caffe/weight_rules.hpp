#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontends/caffe/layer.hpp"

/// What Caffe's layers ask of their weights: how many blobs, and of which shapes. Needed before anything is inferred:
/// to say at once which layers have no weights, and to make zeros where the user wants none.
namespace mo::caffe {

/// Dimensions of a blob, -1 where unknown; nothing when not even the rank is known.
using Dims = std::optional<std::vector<std::int64_t>>;

/// How many blobs a layer takes. Nothing for layers that have none, or that are not known.
struct BlobCount {
  std::size_t least = 0;
  std::size_t most = 0;
};
std::optional<BlobCount> blob_count(const Layer& layer, std::string_view type);

/// The shapes of the weights of a layer whose bottoms have these shapes; -1 for an unknown dimension. Only for layers
/// with a blob_count.
std::vector<std::vector<std::int64_t>> blob_shapes(const Layer& layer, std::string_view type,
                                                   const std::vector<Dims>& bottoms);

/// Shapes of the tops, as far as they are needed to tell those of weights further on.
std::vector<Dims> top_shapes(const Layer& layer, std::string_view type, const std::vector<Dims>& bottoms,
                             std::size_t tops);

/// Checks the weights of all layers. Errors, all at once: MO-CAFFE-0031 (none at all), MO-CAFFE-0032 (another number of
/// blobs), MO-CAFFE-0033 (sizes that do not go with the layer's parameters).
Expected<void> check_weights(const Graph& graph);

/// Gives zeros to the layers that have no weights. `shapes`: of inputs, by name ("" for the only one), where they
/// differ from the model's. `known_types`: of layers that there are extractors for, sorted (none: all are known). Error
/// MO-CAFFE-0036 when a shape cannot be inferred, at the layer of unknown type that hides it, if there is one.
Expected<void> add_zero_weights(Graph& graph, const std::vector<std::pair<std::string, PartialShape>>& shapes,
                                const std::vector<std::string>& known_types);

}  // namespace mo::caffe
