#include <algorithm>
#include <array>
#include <map>

#include "core/graph/tensor_layout.hpp"
#include "core/inference/infer.hpp"
#include "core/rewrite.hpp"

namespace mo::transformations {
namespace {

/// Dimension 0 of their first input is the batch.
constexpr std::array<std::string_view, 14> kBatchFirst = {"Convolution",
                                                          "GroupConvolution",
                                                          "ConvolutionBackpropData",
                                                          "GroupConvolutionBackpropData",
                                                          "MaxPool",
                                                          "AvgPool",
                                                          "AdaptiveAvgPool",
                                                          "AdaptiveMaxPool",
                                                          "LSTMSequence",
                                                          "GRUSequence",
                                                          "RNNSequence",
                                                          "DepthToSpace",
                                                          "LRN",
                                                          "BatchNormInference"};

/// Rows of a matrix that constant weights multiply are samples as well.
bool reads_batch_first(const Node& node) {
  const std::string_view type = node.op_type().name;
  if (std::find(kBatchFirst.begin(), kBatchFirst.end(), type) != kBatchFirst.end()) return true;
  if (type != "MatMul" || node.attr<bool>("transpose_a").value_or(false)) return false;
  return node.input_type(0).rank() == 2 && node.input(1) && node.input(1).node().is<Const>();
}

/// -> number and dimension of an input
using Symbols = std::map<Dimension::Symbol, std::pair<std::size_t, std::size_t>>;

/// A copy of the graph whose inputs have unknown dimensions that can be told apart wherever they arrive: all of them,
/// or the first ones only.
std::unique_ptr<Graph> with_symbols(const Graph& graph, bool all, Symbols& symbols) {
  std::unique_ptr<Graph> copy = graph.clone();
  const std::vector<Node> parameters = copy->parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    PartialShape& shape = parameters[i].as<Parameter>()->shape;
    for (std::size_t axis = 0; shape.has_rank() && axis < (all ? shape.size() : std::min<std::size_t>(shape.size(), 1));
         ++axis) {
      const Dimension::Symbol symbol = copy->new_symbol();
      shape[axis] = Dimension::unknown(symbol);
      symbols[symbol] = {i, axis};
    }
  }
  return infer_graph(*copy) ? std::move(copy) : nullptr;
}

/// "[?,N,...]"
std::string batch_layout(std::size_t axis) {
  std::string text = "[";
  for (std::size_t i = 0; i < axis; ++i) text += "?,";
  return text + "N,...]";
}

bool set_batch(const Node& end, std::size_t axis, const PassContext& context) {
  if (!tensor_layout(end).empty() || context.skips(end)) return false;
  set_tensor_layout(end, batch_layout(axis));
  return true;
}

Expected<bool> find_batch(Graph& graph, const PassContext& context) {
  Symbols symbols;
  std::unique_ptr<Graph> copy = with_symbols(graph, true, symbols);
  if (!copy) {
    symbols.clear();
    copy = with_symbols(graph, false, symbols);
  }
  if (!copy) return false;  // the model cannot have another batch
  std::map<Dimension::Symbol, std::size_t> batches;
  for (const Node node : copy->nodes()) {
    if (!reads_batch_first(node)) continue;
    const PartialShape& data = node.input_type(0).shape;
    if (const auto found = data.has_rank() && data.size() > 0 ? symbols.find(data[0].symbol()) : symbols.end();
        found != symbols.end())
      batches.insert({found->first, found->second.second});
  }
  bool changed = false;
  const std::vector<Node> parameters = graph.parameters();
  for (const auto& [symbol, axis] : batches)
    changed = set_batch(parameters[symbols.at(symbol).first], axis, context) || changed;
  const std::vector<Node> results = graph.results();
  const std::vector<Node> results_of_copy = copy->results();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const PartialShape& shape = results_of_copy[i].input_type(0).shape;
    for (std::size_t axis = 0; shape.has_rank() && axis < shape.size(); ++axis)
      if (shape[axis].symbol() != 0 && batches.contains(shape[axis].symbol())) {
        changed = set_batch(results[i], axis, context) || changed;
        break;
      }
  }
  return changed;
}

}  // namespace

void register_find_batch(PassRegistry& passes) {
  passes.offer(graph_pass("FindBatch")
                   .described("inputs that a Convolution, a pooling, a MatMul with constant weights … reads",
                              "inputs and outputs with the layout [N,...]",
                              "where they have no layout; the batch is followed through shape inference")
                   .only_top_level()
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) { return find_batch(graph, context); }));
}

}  // namespace mo::transformations
