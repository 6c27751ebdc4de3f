#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::caffe {

/// Where a model is, and how it is read; the driver sets what its user said (Settings::get<ModelSource>), the frontend
/// the rest.
struct ModelSource {
  std::string weights;   ///< .caffemodel; may be empty when weights are disabled or stand in the topology
  std::string topology;  ///< prototxt; empty: found beside the weights
  /// Layers without weights get zeros, so that the structure of a net can be checked.
  bool disable_weights = false;
  /// Types that extractors know: a type that differs from one of them in upper and lower case only is that one.
  std::vector<std::string> known_types;
  /// Shapes that the user gives to inputs: what weights are made for. The name is that of a layer or a blob; "" for the
  /// only input.
  std::vector<std::pair<std::string, PartialShape>> input_shapes;
};

/// Reads a Caffe net: a graph of framework nodes.
///
/// One dynamic node "caffe::<Type>" for each layer of the test phase, with its name. Inputs are its bottoms in order,
/// then its weights as constants "<layer>/blob_<k>"; the attribute "@blobs" says how many. Outputs are its tops.
/// Parameters are attributes by path
/// ("convolution_param.num_output"). Input and data layers are Parameters. A layer that works in place is a node like
/// any other; the tensor name of a blob is that of its last producer. Blobs without readers are Results.
Expected<std::unique_ptr<Graph>> read_model(const ModelSource& model, DiagnosticSink& sink);

/// The same for a topology in memory that holds its weights itself (`blobs` of its layers). Nothing is said about
/// missing ones.
Expected<std::unique_ptr<Graph>> read_net_text(std::string_view text, DiagnosticSink& sink);

/// The same with the weights of a .caffemodel in memory, which are checked as those of a file.
Expected<std::unique_ptr<Graph>> read_net_text(std::string_view text, std::string_view weights, DiagnosticSink& sink);

/// The text of a topology. Errors: MO-IO-000x, MO-IO-002x (no text), MO-IO-0026 (too much of it).
Expected<std::string> read_topology(const std::string& path);

/// Path of the prototxt that belongs to a .caffemodel: the one of the same stem, else the only one of the folder.
/// Error MO-CAFFE-0020 when there is none, or several.
Expected<std::string> find_topology(const std::string& weights);

}  // namespace mo::caffe
