#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontends/tensorflow/public_names.hpp"
#include "frontends/tensorflow/tensor_of_model.hpp"

namespace mo::tensorflow {

/// Where a model is, and which part of it is meant; the driver sets what is not a model path
/// (Settings::get<ModelSource>). Exactly one of `input_model`, `meta_graph` and `saved_model_dir` is set.
struct ModelSource {
  std::string input_model;  ///< GraphDef, binary or text
  bool is_text = false;     ///< the user says that it is text; its first bytes tell
  /// values of the variables of `input_model`: prefix of a bundle, or a V1 checkpoint
  std::string checkpoint;
  std::string meta_graph;       ///< MetaGraphDef; its checkpoint has the same path without ".meta"
  std::string saved_model_dir;  ///< folder with saved_model.pb or saved_model.pbtxt
  std::vector<std::string> tags;
  std::string signature;
  PublicNames names = PublicNames::after_tensors;  ///< of inputs and outputs: those of the IR's version
  Links links = Links::refused;                    ///< to the files of a checkpoint
  /// What the user wants of the model ("node", "node:1", "0:node"); empty: the outputs of the signature, or the nodes
  /// without readers.
  std::vector<std::string> outputs;
  /// Replaces `outputs` where code that knows the model chooses them, not a user.
  std::vector<TensorOfModel> tensors;
  /// Inputs that stay when the outputs do not need them, because the user names them.
  std::vector<std::string> inputs;
};

/// Reads and links a TensorFlow model: a graph of framework nodes, functions inlined, variables bound to their values,
/// only what the outputs need.
///
/// Nodes are dynamic ops "tf::<op>" with the attributes of the model ("@device" besides). A Placeholder is a Parameter.
/// Every output port has the tensor name "<node>:<port>"; inputs and outputs of a signature have its names as well. If,
/// While and Case own their functions as bodies. Control edges are kept. The graph may have cycles through
/// NextIteration.
Expected<std::unique_ptr<Graph>> read_model(const ModelSource& model, DiagnosticSink& sink);

/// The same for a GraphDef in protobuf text. Error MO-TF-0002 with line and column for text that is none.
Expected<std::unique_ptr<Graph>> read_graph_text(const std::string& text, DiagnosticSink& sink);
/// The same for a serialized MetaGraphDef in memory, with the values of variables in a checkpoint (empty: there are
/// none).
Expected<std::unique_ptr<Graph>> read_meta_graph_bytes(std::string_view bytes, const std::string& checkpoint,
                                                       DiagnosticSink& sink, const std::vector<TensorOfModel>& outputs);
/// The same for a serialized GraphDef in memory; large tensors refer to a copy of it. Without `outputs`: the nodes
/// without readers.
Expected<std::unique_ptr<Graph>> read_graph_bytes(std::string_view bytes, DiagnosticSink& sink,
                                                  const std::vector<TensorOfModel>& outputs = {});

}  // namespace mo::tensorflow
