#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file.hpp"
#include "core/files/output_file.hpp"
#include "core/graph/graph.hpp"
#include "frontends/common/encoding.hpp"

/// ONNX models that are rewritten and stay ONNX models.
///
/// Nodes are "onnx::<op_type>" or "onnx::<domain>.<op_type>", called like their first output, so that the names of
/// nodes are those of tensors. Inputs of the graph are nodes Placeholder (dtype, shape), initializers and the outputs
/// of Constant nodes Const (dtype, value), sparse initializers SparseConst. Attributes are integers, reals, texts,
/// lists of these and tensors; graphs and what else there is are kept as they stand. What a graph cannot say otherwise
/// is kept under the names of keys.hpp. A model that was only read is written back field by field as it was. Weights
/// stay stretches of the files until they are written: those must not be replaced before.
namespace mo::onnx {

/// Errors: those of read_model.
Expected<std::unique_ptr<Graph>> read_model_proto(const std::string& path, DiagnosticSink& sink,
                                                  Links links = Links::refused);
Expected<std::unique_ptr<Graph>> read_model_proto_bytes(std::string_view bytes, DiagnosticSink& sink);

/// What becomes of tensors in files beside the model.
enum class ExternalData {
  kept,     ///< the model refers to them by the same names
  inlined,  ///< they become part of the model
};

/// Writes the graph as a ModelProto: nodes in id order where that is an order of execution, as ONNX demands, and else
/// in one; the same graph gives the same bytes. Errors: MO-ONNX-0061 (an attribute that no model can hold),
/// MO-ONNX-0062 (no output is left), MO-GRAPH-0010 (a cycle), MO-EMIT-0001, MO-IO-0003.
///
/// A graph that read_model gave (frontends/onnx/reader.hpp) is written, too: tensors by their first names (those
/// without one get a name), operator sets as the nodes say, all weights in the message. Outputs have types where
/// the graph has. What the model says beside its graph (metadata, texts) but its producer is left out, and functions
/// stay inlined. Error MO-ONNX-0052 instead of MO-ONNX-0061.
Expected<void> write_model_proto(const Graph& graph, OutputFile& file, ExternalData external = ExternalData::kept);
Expected<std::string> model_proto_bytes(const Graph& graph, ExternalData external = ExternalData::kept);

/// A file beside the model for the bytes of tensors (ONNX external data).
struct SideFile {
  std::string location;  ///< its name, in the folder of the model
  bool always = false;   ///< otherwise only for a model that would be larger than `largest_message`
  /// protobuf takes no larger messages
  std::uint64_t largest_message = 0x7fffffff;
};

/// A model that is ready to be written. Refers to the tensors of its graph.
struct EncodedModel {
  /// A tensor of the side file.
  struct Beside {
    std::uint64_t offset;
    Tensor tensor;
  };
  frontends::Encoding message;
  std::vector<Beside> beside;  ///< by offset; empty: there is no side file
  std::uint64_t beside_bytes = 0;

  /// Errors: MO-EMIT-0001, MO-IO-0003, those of recipes.
  Expected<void> write(OutputFile& model) const;
  /// Writes the side file: stretches of files go file to file, recipes are evaluated one by one. Errors as above.
  Expected<void> write_beside(OutputFile& data) const;
};

/// Encodes a graph that read_model gave. Tensors of 1 KB and more go to the side file where there is to be one, those
/// of 1 MB and more to multiples of 4096 bytes, which can be mapped; tensors that share their bytes share the place.
/// Errors: as above; MO-ONNX-0066 for a message that is too large all the same.
Expected<EncodedModel> encode_model_proto(const Graph& graph, const SideFile& side);

/// Protobuf text. Errors as above, MO-ONNX-0063 for a model of more than 2 GB.
Expected<std::string> model_proto_text(const Graph& graph);

// Tensors are referred to as in a GraphDef: "node" is output 0 of the node, "node:1" output 1. The model's own name of
// a tensor is as good.

std::vector<std::string> model_inputs(const Graph& graph);
std::vector<std::string> model_outputs(const Graph& graph);
/// The tensors of references. Error MO-ONNX-0064 for one that the graph does not have.
Expected<std::vector<Value>> tensors_of(const Graph& graph, const std::vector<std::string>& references);
/// From now on these are the outputs: tensors of the graph, or of one that it is a copy of. `types`: as many or none,
/// of those that the model does not describe, where they are known.
Expected<void> set_model_outputs(Graph& graph, const std::vector<Value>& tensors,
                                 const std::vector<TensorType>& types = {});
/// Whether the model says which type and shape the tensor has.
bool is_described(const Value& tensor);
/// What graphs in attributes read of this one: to be kept under its name.
std::vector<std::string> captured_tensors(const Graph& graph);
/// The reference to a tensor that the model calls `name`; `name` itself when it has none.
std::string reference_to(const Graph& graph, const std::string& name);
/// Version of the default operator set that the model imports.
std::int64_t operator_version(const Graph& graph);
/// A graph inside of the model.
struct InnerGraph {
  std::string name;
  Graph& graph;
  std::vector<std::string> inputs;   ///< its own, and what it is given by the graph around it
  std::vector<std::string> outputs;  ///< its own, and what graphs inside of it read
};
/// Calls `edit` for the graphs of If, Loop and Scan and for the functions of the model, inner ones first, and puts what
/// becomes of them into the model. What is not changed stays byte by byte as it was; names that `edit` creates in the
/// graph of a node are made unique. Errors: those of reading and writing models, and of `edit`.
Expected<void> edit_inner_graphs(Graph& graph, const std::function<Expected<void>(InnerGraph&)>& edit);
/// Whether the graph is one of these.
bool is_inner_graph(const Graph& graph);
/// The files beside the model that tensors are in, as the model names them.
std::set<std::string> external_files(const Graph& graph);

}  // namespace mo::onnx
