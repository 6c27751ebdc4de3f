#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/output_file.hpp"
#include "core/graph/graph.hpp"

/// Caffe nets that are rewritten and stay Caffe nets: a prototxt, and the .caffemodel that belongs to it.
///
/// Layers are nodes "caffe::<Type>" with the layer's name (layers of one name get different ones: "data", "data@1").
/// Inputs are the bottoms, then the weights: nodes Const (dtype, value) called "<layer>/blob_<k>". Outputs are the
/// tops, each with what the layer writes, so that a layer in place is a node like any other. Attributes are parameters
/// by path, "convolution_param.num_output", in the current form of the format. Inputs of the net and layers that read
/// data are Placeholder (dtype, shape). Layers that do not run in the test phase are kept, but are not read if another
/// layer produces the same blob; layers that only the .caffemodel has are nodes without inputs and outputs. What else
/// the files say is kept under the names of keys.hpp. A net that was only read is written back as it was, character by
/// character. Weights stay stretches of the file until they are written: it must not be replaced before.
namespace mo::caffe {

/// Reads a prototxt, and weights unless their path is empty. Errors: those of read_model but for weights that are
/// missing or do not fit.
Expected<std::unique_ptr<Graph>> read_net_parameter(const std::string& topology, const std::string& weights);
/// The same from memory.
Expected<std::unique_ptr<Graph>> read_net_parameter_bytes(std::string_view topology, std::string_view weights);

/// Whether the net was read with a .caffemodel.
bool has_weight_file(const Graph& graph);

// Layers are written in id order where that is an order of execution, and else in one. A layer stays in place while
// nothing needs what it overwrites. Layers whose parameters were changed lose them in the .caffemodel, where Caffe does
// not look for them.

/// The prototxt. Errors: MO-CAFFE-0061 (what the form of the net cannot say), MO-CAFFE-0062 (a layer whose input is
/// gone), MO-GRAPH-0010 (a cycle).
Expected<std::string> topology_text(const Graph& graph);
/// The .caffemodel. Errors as above, MO-EMIT-0001, MO-IO-0003.
Expected<void> write_weights(const Graph& graph, OutputFile& file);
Expected<std::string> weights_bytes(const Graph& graph);

// Tensors are referred to as in a GraphDef: "layer" is the first top of the layer, "layer:1" the second. The name of a
// blob is what is in it in the end.

std::vector<std::string> net_inputs(const Graph& graph);
/// Blobs of the test phase that no layer of it reads.
std::vector<std::string> net_outputs(const Graph& graph);
/// The reference to what a blob has in it in the end; `name` itself when there is a layer of that name, or no such
/// blob.
std::string reference_to_blob(const Graph& graph, const std::string& name);
/// The tensors of references. Error MO-CAFFE-0063 for one that the net does not have.
Expected<std::vector<Value>> tensors_of(const Graph& graph, const std::vector<std::string>& references);
/// Makes these tensors outputs, too: Split layers read them, whose tops have no readers. Error MO-CAFFE-0063 for one
/// that the net does not have.
Expected<void> add_net_outputs(Graph& graph, const std::vector<std::string>& references);
/// The net as a conversion reads it, with these tensors of `graph` as outputs: one Result for each, in this order.
/// Errors: those of read_net_text, MO-CAFFE-0063.
Expected<std::unique_ptr<Graph>> linked_net(const Graph& graph, const std::vector<Value>& outputs,
                                            DiagnosticSink& sink);

}  // namespace mo::caffe
