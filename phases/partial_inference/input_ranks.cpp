#include "phases/partial_inference/input_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/graph/values.hpp"
#include "core/inference/infer.hpp"
#include "ops/batch_to_space.hpp"
#include "ops/convolution.hpp"
#include "ops/mat_mul.hpp"
#include "ops/pad.hpp"
#include "ops/pooling.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/space_to_batch.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::phases {
namespace {

/// Readers that are looked at for one input.
constexpr std::size_t kMostReaders = 1000;

using Rank = std::optional<std::int64_t>;

/// The size of a vector with a number for each dimension.
Rank length_of(const Value& vector) {
  const PartialShape& shape = type_of(vector).shape;
  return shape.has_rank() && shape.size() == 1 && shape[0].is_known() ? Rank(shape[0].value()) : std::nullopt;
}

/// Operators of TensorFlow whose first input has one rank, where the op that they become takes others, too.
Rank rank_in_tensorflow(const Node& node) {
  if (node.origin().framework != "TensorFlow") return std::nullopt;
  constexpr std::array<std::string_view, 2> kMatrices = {"MatMul", "_FusedMatMul"};
  constexpr std::array<std::string_view, 9> kImages = {
      "FusedBatchNorm", "FusedBatchNormV2",      "DepthToSpace",  "SpaceToDepth", "LRN",
      "ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic", "CropAndResize"};
  const auto is_of = [&](const auto& names) {
    return std::find(names.begin(), names.end(), node.origin().op) != names.end();
  };
  if (node.is<ops::MatMul>() && is_of(kMatrices)) return 2;
  return is_of(kImages) ? Rank(4) : std::nullopt;
}

/// The rank that `reader` needs whatever else is known.
Rank needed_by(const InPort& reader) {
  const Node node = reader.node();
  if (reader.index() != 0) return std::nullopt;
  if (node.is<ops::Convolution>() || node.is<ops::ConvolutionBackpropData>()) return type_of(node.input(1)).rank();
  if (node.is<ops::GroupConvolution>() || node.is<ops::GroupConvolutionBackpropData>()) {
    const Rank weights = type_of(node.input(1)).rank();  // which have the groups in front
    return weights ? Rank(*weights - 1) : std::nullopt;
  }
  if (const auto* pool = node.as<ops::v1::MaxPool>()) return static_cast<std::int64_t>(pool->kernel.size()) + 2;
  if (const auto* pool = node.as<ops::v8::MaxPool>()) return static_cast<std::int64_t>(pool->kernel.size()) + 2;
  if (const auto* pool = node.as<ops::v1::AvgPool>()) return static_cast<std::int64_t>(pool->kernel.size()) + 2;
  if (node.is<ops::Transpose>()) {
    const Rank length = length_of(node.input(1));
    return length == 0 ? std::nullopt : length;  // an empty order turns around as many dimensions as there are
  }
  if (node.is<ops::v1::Pad>() || node.is<ops::v12::Pad>() || node.is<ops::SpaceToBatch>() ||
      node.is<ops::BatchToSpace>())
    return length_of(node.input(1));
  if (node.is<ops::v5::LSTMSequence>() || node.is<ops::GRUSequence>() || node.is<ops::RNNSequence>()) return 3;
  return rank_in_tensorflow(node);
}

/// The number of axes of a Squeeze or an Unsqueeze. A Squeeze of no axes removes all dimensions that are 1, however
/// many there are.
Rank count_of_axes(const Node& node) {
  const PartialShape& axes = type_of(node.input(1)).shape;
  const Rank count = axes.has_rank() && axes.size() == 0 ? Rank(1) : length_of(node.input(1));
  return count == 0 && node.is<ops::Squeeze>() ? std::nullopt : count;
}

/// The largest rank of the other operands of an op that works element by element; nothing when the op is another one,
/// or a rank is unknown.
Rank rank_beside(const InPort& reader) {
  const Node node = reader.node();
  if (!node.op_type().traits.elementwise || node.out_port_count() != 1) return std::nullopt;
  std::int64_t largest = -1;
  for (const InPort& port : node.in_ports()) {
    if (port.index() == reader.index()) continue;
    const Rank rank = type_of(port.get_source()).rank();
    if (!rank) return std::nullopt;
    largest = std::max(largest, *rank);
  }
  return largest;
}

/// A tensor that is computed of an input by ops that hand its rank on.
struct Place {
  Value tensor;
  std::int64_t more = 0;  ///< dimensions that it has more than the input
  /// the largest rank that it met on the way: it is the rank of the input only if that is larger
  std::int64_t beside = -1;
};

/// The result of a reader that hands the rank on.
std::optional<Place> behind(const Place& place, const InPort& reader) {
  const Node node = reader.node();
  if (const Rank beside = rank_beside(reader)) return Place{node.output(), place.more, std::max(*beside, place.beside)};
  const std::int64_t sign = node.is<ops::Unsqueeze>() ? 1 : node.is<ops::Squeeze>() ? -1 : 0;
  const Rank axes = sign != 0 && reader.index() == 0 ? count_of_axes(node) : std::nullopt;
  // Ranks that a tensor met before the op do not limit its rank after it.
  return axes && place.beside <= 0 ? std::optional(Place{node.output(), place.more + sign * *axes, place.beside})
                                   : std::nullopt;
}

/// What the readers of an input need, directly or after ops that hand the rank on.
Rank rank_for_readers(const Value& input) {
  std::vector<Place> open = {{input}};
  std::unordered_set<NodeId> seen;
  for (std::size_t at = 0; at < open.size() && at < kMostReaders; ++at) {
    const Place place = open[at];
    for (const InPort& reader : place.tensor.get_destinations()) {
      if (const Rank needed = needed_by(reader); needed && *needed > place.beside && *needed >= place.more)
        return *needed - place.more;
      if (!seen.insert(reader.node().id()).second) continue;
      if (const auto next = behind(place, reader)) open.push_back(*next);
    }
  }
  return std::nullopt;
}

/// Ranks for inputs, by place; none: as it is.
using Ranks = std::vector<Rank>;

void set_ranks(const std::vector<Node>& parameters, const Ranks& ranks) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (ranks[i]) parameters[i].as<Parameter>()->shape = PartialShape::of_rank(static_cast<std::size_t>(*ranks[i]));
}

/// Whether the model can be inferred with these ranks. Asked of a copy, where sizes can be told apart: a batch that
/// becomes a batch and more columns contradicts a vector.
bool takes(const Graph& graph, const Ranks& ranks) {
  const std::unique_ptr<Graph> copy = graph.clone();
  set_ranks(copy->parameters(), ranks);
  return static_cast<bool>(infer_graph(*copy));
}

/// Inputs that something reads, and whose rank is unknown, by place.
std::vector<std::size_t> without_rank(const std::vector<Node>& parameters) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (const Value input = parameters[i].output(); !input.type().shape.has_rank() && !input.disconnected())
      found.push_back(i);
  return found;
}

/// What --input takes for these inputs of one rank: "x[?,?]".
std::string option_for(const std::vector<Node>& parameters, const std::vector<std::size_t>& unknown, std::size_t rank) {
  std::string option;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    option += fmt::format("{}{}", i == 0 ? "" : ",", parameters[i].name());
    if (std::find(unknown.begin(), unknown.end(), i) != unknown.end())
      option += PartialShape::of_rank(rank).to_string();
  }
  return option;
}

/// The warning names the lowest rank with which the model can be inferred.
Diagnostic unknown_ranks(const Graph& graph, const std::vector<Node>& parameters,
                         const std::vector<std::size_t>& unknown) {
  std::string names;
  for (const std::size_t i : unknown) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", parameters[i].name());
  Diagnostic told = warning("MO-FRONT-0022", "the rank of input{} {} is unknown, and no runtime compiles such an IR",
                            unknown.size() == 1 ? "" : "s", names);
  for (const std::int64_t rank : {1, 2, 3, 4, 5, 0}) {
    Ranks ranks(parameters.size());
    for (const std::size_t i : unknown) ranks[i] = rank;
    if (!takes(graph, ranks)) continue;
    return std::move(told).hint("give the shapes that you use, for example --input \"{}\"",
                                option_for(parameters, unknown, static_cast<std::size_t>(rank)));
  }
  return std::move(told).hint("give the shapes that you use with --input_shape");
}

/// Gives the inputs the ranks that their readers need. False where the model cannot have all of them, and stays as it
/// is.
Expected<bool> give_ranks(Graph& graph, const std::vector<Node>& parameters, const std::vector<std::size_t>& unknown) {
  Ranks ranks(parameters.size());
  for (const std::size_t i : unknown) ranks[i] = rank_for_readers(parameters[i].output());
  const bool found = std::any_of(ranks.begin(), ranks.end(), [](const Rank& rank) { return rank.has_value(); });
  if (!found || !takes(graph, ranks)) return false;
  set_ranks(parameters, ranks);
  MO_TRY(infer_graph(graph));
  return true;
}

}  // namespace

Pass input_ranks() {
  return graph_pass("InputRanks")
      .phase(Phase::inference)
      .run_after({"PartialInference"})
      .only_top_level()
      .run([](Graph& graph, PassContext& context) -> Expected<bool> {
        const std::vector<Node> parameters = graph.parameters();
        std::vector<std::size_t> unknown = without_rank(parameters);
        if (unknown.empty()) return false;
        MO_ASSIGN(const bool changed, give_ranks(graph, parameters, unknown));
        unknown = without_rank(parameters);
        if (!unknown.empty() && context.settings.ir_version != 10)
          context.diagnostics.report(unknown_ranks(graph, parameters, unknown));
        return changed;
      });
}

}  // namespace mo::phases
