#pragma once

#include <string>
#include <vector>

#include "driver/model_graph.hpp"

namespace mo::tools {

/// A node of the source that a layer stands for.
struct SourceNode {
  std::string name;
  std::string op;     ///< "ONNX Conv, opset 11"; empty when the source is not known
  std::string place;  ///< "model.prototxt:12", where the format has lines
};

/// Where a layer comes from.
struct LayerOrigin {
  std::string name;
  std::string type;  ///< "Convolution.v1"
  std::vector<std::string> tensors;
  std::vector<std::string> outputs;  ///< "f32[1,64,112,112]"
  std::vector<SourceNode> sources;
  /// layers that the same node of the model became as well, where the layer was asked for by that node
  std::vector<std::string> others;
  std::vector<std::string> passes;  ///< that made or changed it, in order
  bool passes_known = false;        ///< false: the layer was read from an IR, which does not say
};

/// Of a layer, by its name, that of a node of the model that it stands for (the first of several, which `others` has),
/// or that of a tensor it makes. A model is converted to find out; of an IR only what is written there is known, unless
/// `source` is the model that it was made of. Errors: of reading and converting, MO-EXPLAIN-0002 (there is no such
/// layer).
Expected<LayerOrigin> origin_of_layer(const Options& options, const std::string& layer, const Options* source,
                                      DiagnosticSink& sink);

std::string text_of(const LayerOrigin& origin);
std::string json_of(const LayerOrigin& origin);

}  // namespace mo::tools
