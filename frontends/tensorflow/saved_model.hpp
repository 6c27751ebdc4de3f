#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontends/tensorflow/model_state.hpp"

namespace mo::tensorflow {

/// One input or output of a signature.
struct SignatureTensor {
  std::string key;   ///< its name in the signature
  std::string name;  ///< "node:port"
  TensorType type;
};

struct Signature {
  std::vector<SignatureTensor> inputs;   ///< sorted by key
  std::vector<SignatureTensor> outputs;  ///< sorted by key
};

/// A MetaGraphDef without its nodes.
struct MetaGraph {
  std::vector<std::string> tags;
  std::optional<frontends::WireField> op_list;
  std::optional<frontends::WireField> graph_def;
  std::optional<frontends::WireField> object_graph;
  /// the node that restores the checkpoint which belongs to the graph; there may be others, of models that it was made
  /// from
  std::string restore_op;
  /// sorted by name; those for loading and training are left out
  std::vector<std::pair<std::string, Signature>> signatures;
};

/// Key and value of a map's entry.
Expected<std::pair<std::string, std::optional<frontends::WireField>>> read_entry(frontends::WireSource& source,
                                                                                 const frontends::WireField& message);
Expected<Signature> read_signature(frontends::WireSource& source, const frontends::WireField& message);
Expected<MetaGraph> read_meta_graph_header(frontends::WireSource& source, const frontends::WireField& message);

/// The graph of a SavedModel that has exactly these tags; without tags: the only one, or the one for serving.
/// Error MO-TF-0032, which lists the tags there are.
Expected<MetaGraph> choose_meta_graph(frontends::WireSource& source, const std::vector<std::string>& tags);

/// The signature of that name; without a name: "serving_default", or the only one, or "" when there is none.
/// Error MO-TF-0033, which lists what there is.
Expected<std::string> choose_signature(const MetaGraph& meta, const std::string& wanted);

/// Makes the outputs of a signature Results, in order of their keys, and its inputs Parameters (where it feeds another
/// tensor, the graph is cut). Both get their keys as names and tensor names. Errors: MO-TF-0033 (no such signature),
/// MO-TF-0006 (no such node).
Expected<void> apply_signature(ModelState& model, Graph& graph, const MetaGraph& meta, const std::string& name);

/// What the model says about its ops.
Expected<void> read_ops(ModelState& model, const MetaGraph& meta);

}  // namespace mo::tensorflow
