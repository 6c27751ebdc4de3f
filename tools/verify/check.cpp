#include "tools/verify/check.hpp"

#include <algorithm>
#include <set>

#include "core/tensor/convert.hpp"
#include "core/tensor/permute.hpp"
#include "tools/verify/detections.hpp"

namespace mo::tools {
namespace {

/// Ops whose result may jump when an input changes a little.
constexpr std::string_view kJumps[] = {"Ceiling",
                                       "Floor",
                                       "Round",
                                       "Sign",
                                       "FakeQuantize",
                                       "Mod",
                                       "FloorMod",
                                       "TopK",
                                       "NonZero",
                                       "Greater",
                                       "GreaterEqual",
                                       "Less",
                                       "LessEqual",
                                       "Equal",
                                       "NotEqual",
                                       "DetectionOutput",
                                       "Proposal",
                                       "Bucketize",
                                       "ROIPooling",
                                       "PSROIPooling",
                                       "ROIAlign",
                                       "ROIAlignRotated",
                                       "FakeConvert",
                                       "Unique",
                                       "HardSigmoid",
                                       "Divide",
                                       "DeformablePSROIPooling",
                                       "CTCGreedyDecoder",
                                       "CTCGreedyDecoderSeqLen"};

bool may_jump(const Node& node) {
  const std::string_view type = node.type();
  if (std::find(std::begin(kJumps), std::end(kJumps), type) != std::end(kJumps)) return true;
  if (type == "Convert") return is_real(node.input_type(0).element_type) && !is_real(node.output_type().element_type);
  return type.starts_with("NonMaxSuppression") || type == "NMSRotated" || type.starts_with("MatrixNms") ||
         type.starts_with("MulticlassNms") || type.starts_with("ExperimentalDetectron") || !node.bodies().empty();
}

/// Whether few elements differ, by no more than the numbers themselves: what single steps of rounding look like. A
/// wrong weight or a wrong border changes more.
bool are_single_steps(const TensorDifference& difference) {
  constexpr std::int64_t kOneOf = 1000;
  return difference.kind.empty() && difference.beyond <= difference.expected.elements / kOneOf &&
         difference.max_absolute <= difference.expected.rms;
}

bool fits(const Tensor& tensor, const std::vector<std::int64_t>& order, const Shape& shape) {
  if (static_cast<std::size_t>(tensor.rank()) != shape.size() || order.size() != shape.size() ||
      is_identity_order(order))
    return false;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (tensor.shape()[static_cast<std::size_t>(order[i])] != shape[i]) return false;
  return true;
}

/// The reading of a true value that is closest to what was computed, and how far it is.
struct Reading {
  Tensor value;
  TensorDifference difference;
};

Expected<std::optional<Reading>> closest_reading(const Tensor& computed, const Tensor& expected,
                                                 const Closeness& closeness) {
  std::optional<Reading> best;
  MO_ASSIGN(std::vector<Tensor> readings, readings_of(expected, computed));
  for (Tensor& reading : readings) {
    MO_ASSIGN(TensorDifference difference, difference_of(computed, reading, closeness));
    if (!best || difference.worst < best->difference.worst) best = Reading{std::move(reading), std::move(difference)};
    if (best->difference.close()) break;
  }
  return best;
}

/// Of the true tensors that a tensor is named as: the first one that it is close to, else the first that it can be
/// compared with.
struct Counterpart {
  std::size_t place;
  Reading reading;
};

Expected<std::optional<Counterpart>> counterpart_of(const Value& value, const Tensor& computed, const Truth& truth,
                                                    const Closeness& closeness) {
  std::optional<Counterpart> found;
  for (const std::size_t place : truth.named_as(value)) {
    MO_ASSIGN(std::optional<Reading> reading, closest_reading(computed, truth[place].value, closeness));
    if (!reading) continue;
    const bool close = reading->difference.close();
    if (!found || close) found = Counterpart{place, *std::move(reading)};
    if (close) break;
  }
  return found;
}

struct Seen {
  std::size_t place;
  bool close;
  TensorDifference difference;
};
using SeenTensors = std::map<ValueId, Seen>;

/// Runs the graph and compares what both models name. `in_step`: what is close is replaced by its true value.
Expected<std::vector<Tensor>> run_watched(const Graph& graph, const std::vector<Tensor>& inputs, const Truth& truth,
                                          const Closeness& closeness, bool in_step, const ExecutorOptions& how,
                                          SeenTensors& seen) {
  ExecutorOptions watching = how;
  watching.on_tensor = [&](const Value& made, Tensor& value) -> Expected<void> {
    if (made.node().is<Const>()) return {};
    MO_ASSIGN(std::optional<Counterpart> counterpart, counterpart_of(made, value, truth, closeness));
    if (!counterpart) return {};
    Reading& reading = counterpart->reading;
    const bool close = reading.difference.close();
    if (in_step && close) value = std::move(reading.value);
    seen.insert_or_assign(made.id(), Seen{counterpart->place, close, std::move(reading.difference)});
    return {};
  };
  return execute(graph, inputs, watching);
}

/// The first tensor that differs and leads to `outputs` through nothing that is close.
Expected<Value> first_difference(const Graph& graph, const SeenTensors& seen, const std::vector<Value>& outputs) {
  std::vector<Value> open = outputs;
  std::set<ValueId> reached;
  while (!open.empty()) {
    const Value value = open.back();
    open.pop_back();
    const auto known = seen.find(value.id());
    if ((known != seen.end() && known->second.close) || !reached.insert(value.id()).second) continue;
    for (const InPort& input : value.node().in_ports())
      if (const Value source = input.get_source()) open.push_back(source);
  }
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  for (const Node& node : order)
    for (const OutPort& port : node.out_ports())
      if (const auto it = seen.find(port.id()); it != seen.end() && !it->second.close && reached.contains(port.id()))
        return port;
  return Value();
}

/// What lies between a tensor and the close ones (or inputs) that it is computed from.
struct Region {
  std::vector<Node> layers;
  std::vector<Value> right;
};

Region region_of(const Value& value, const SeenTensors& seen) {
  Region region;
  std::vector<Value> open = {value};
  std::set<ValueId> reached = {value.id()};
  while (!open.empty()) {
    const Value at = open.back();
    open.pop_back();
    region.layers.push_back(at.node());
    for (const InPort& input : at.node().in_ports()) {
      const Value source = input.get_source();
      if (!source || source.node().is<Const>() || !reached.insert(source.id()).second) continue;
      const auto known = seen.find(source.id());
      const bool right = source.node().is<Parameter>() || (known != seen.end() && known->second.close);
      (right ? region.right : open).push_back(source);
    }
  }
  return region;
}

/// Everything but what the source says of the tensor.
LayerCheck layer_at(const Value& value, const SeenTensors& seen) {
  const Node node = value.node();
  LayerCheck layer{.layer = std::string(node.name()), .type = std::string(node.type())};
  for (const std::string_view source : node.sources()) layer.sources.emplace_back(source);
  const Region region = region_of(value, seen);
  for (const Node& other : region.layers) layer.region.emplace_back(other.name());
  for (const Value& right : region.right) layer.right_inputs.emplace_back(right.node().name());
  return layer;
}

/// The nodes of the source from which `expected` follows, back to tensors that the checked model has right.
std::vector<std::string> source_region(const TrueTensor& expected, const SeenTensors& seen, const Truth& truth) {
  std::vector<std::string> names;
  if (!expected.made) return names;
  std::set<ValueId> reached = {expected.made.id()};
  for (const auto& [id, tensor] : seen)
    if (tensor.close) reached.insert(truth[tensor.place].made.id());
  std::vector<Node> open = {expected.made.node()};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node.is<Const>() || node.is<Parameter>()) continue;
    if (!node.name().empty()) names.emplace_back(node.name());
    for (const InPort& input : node.in_ports())
      if (const Value source = input.get_source(); source && reached.insert(source.id()).second)
        open.push_back(source.node());
  }
  return names;
}

LayerCheck named_layer(const Value& value, const SeenTensors& seen, const Truth& truth) {
  LayerCheck layer = layer_at(value, seen);
  const Seen& found = seen.at(value.id());
  const TrueTensor& expected = truth[found.place];
  layer.tensor = expected.name;
  layer.source_node = expected.node;
  layer.source_op = expected.op;
  layer.difference = found.difference;
  for (std::string& name : source_region(expected, seen, truth))
    if (std::find(layer.sources.begin(), layer.sources.end(), name) == layer.sources.end())
      layer.sources.push_back(std::move(name));
  return layer;
}

/// Where only an output differs, which has no name in common with the source.
LayerCheck output_layer(const Value& value, const SeenTensors& seen, const OutputCheck& output) {
  LayerCheck layer = layer_at(value, seen);
  layer.tensor = output.name;
  layer.source_node = output.source_node;
  layer.source_op = output.source_op;
  layer.difference = output.difference;
  return layer;
}

/// The true value of an output: by name, else by position.
Expected<std::optional<Counterpart>> true_output(const Value& source, const Tensor& computed, std::size_t position,
                                                 std::size_t count, const Truth& truth, const Closeness& closeness) {
  MO_ASSIGN(std::optional<Counterpart> named, counterpart_of(source, computed, truth, closeness));
  const bool in_order = count == truth.size() && truth[position].made;  // files have no order
  if (named || !truth.named_as(source).empty() || !in_order) return named;
  MO_ASSIGN(std::optional<Reading> reading, closest_reading(computed, truth[position].value, closeness));
  if (!reading) return std::nullopt;
  return Counterpart{position, *std::move(reading)};
}

}  // namespace

const Closeness& Tolerances::of(const Graph& graph) const {
  const auto is_half = [](const TensorType& type) {
    return type.element_type == ElementType::f16 || type.element_type == ElementType::bf16;
  };
  for (const auto [node, constant] : graph.each<Const>())
    if (is_half(constant.value.type())) return numbers.half;
  for (const Node node : graph.nodes())
    for (const OutPort& port : node.out_ports())
      if (is_half(port.type())) return numbers.half;
  return numbers.single;
}

Expected<std::vector<Tensor>> readings_of(const Tensor& expected, const Tensor& like) {
  std::vector<Tensor> readings;
  if (expected.shape() == like.shape()) {
    MO_ASSIGN(Tensor plain, expected.load());
    readings.push_back(std::move(plain));
  }
  const auto rank = static_cast<std::size_t>(expected.rank());
  for (const auto& order : {order_to_channels_first(rank), order_to_channels_last(rank)})
    if (fits(expected, order, like.shape()) && expected.element_type() != ElementType::string) {
      MO_ASSIGN(Tensor moved, permuted(expected, order));
      readings.push_back(std::move(moved));
    }
  const bool other_type = expected.element_type() != like.element_type();
  if (other_type && (expected.element_type() == ElementType::string || like.element_type() == ElementType::string))
    return std::vector<Tensor>();
  if (other_type)
    for (Tensor& reading : readings) { MO_ASSIGN(reading, convert(reading, like.element_type())); }
  return readings;
}

Expected<Check> check_outputs(const Graph& graph, const std::vector<Tensor>& inputs, const Truth& truth,
                              const Tolerances& tolerances, const ExecutorOptions& how) {
  MO_ASSIGN(const std::vector<Tensor> outputs, execute(graph, inputs, how));
  return compare_outputs(graph, outputs, truth, tolerances);
}

Expected<Check> compare_outputs(const Graph& graph, const std::vector<Tensor>& outputs, const Truth& truth,
                                const Tolerances& tolerances) {
  const Closeness& closeness = tolerances.of(graph);
  const std::vector<Node> results = graph.results();
  Check check;
  bool any = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Value source = results[i].input(0);
    OutputCheck output{.name = output_name(results[i])};
    MO_ASSIGN(std::optional<Counterpart> counterpart,
              true_output(source, outputs[i], i, results.size(), truth, closeness));
    if (counterpart) {
      output.compared = true;
      output.source_node = truth[counterpart->place].node;
      output.source_op = truth[counterpart->place].op;
      output.difference = std::move(counterpart->reading.difference);
      output.close = output.difference.close();
      if (const Tensor& expected = truth[counterpart->place].value; outputs[i].shape() != expected.shape()) {
        output.moved = outputs[i].type().to_string() + " instead of " + expected.type().to_string();
        if (!tolerances.outputs_may_move) {
          output.close = false;
          output.difference.kind = "shape " + output.moved;
        }
      }
    } else if (const auto places = truth.named_as(source); !places.empty()) {
      output.compared = true;
      output.difference.kind =
          "shape " + outputs[i].type().to_string() + " instead of " + truth[places.front()].value.type().to_string();
    }
    if (!output.compared) {
      MO_ASSIGN(auto detections, compare_detections(outputs[i], truth, closeness));
      if (detections) {
        output.compared = true;
        output.source_node = "detection_boxes, detection_scores, detection_classes";
        output.close = detections->close();
        output.difference = *std::move(detections);
      }
    }
    any = any || output.compared;
    if (output.compared && !output.close) check.verdict = Verdict::different;
    check.outputs.push_back(std::move(output));
  }
  if (!any)
    return error("MO-VERIFY-0004", "no output of the model has a true value to compare it with")
        .hint(
            "outputs belong together by their tensor names; name them alike, or give both models the same number of "
            "outputs");
  return check;
}

Expected<void> find_layer(const Graph& graph, const std::vector<Tensor>& inputs, const Truth& tensors,
                          const Tolerances& tolerances, const ExecutorOptions& how, Check& check) {
  const Closeness& closeness = tolerances.of(graph);
  SeenTensors free;
  MO_TRY(run_watched(graph, inputs, tensors, closeness, false, how, free));
  SeenTensors in_step;
  MO_TRY(run_watched(graph, inputs, tensors, closeness, true, how, in_step));
  check.compared = free.size();
  std::vector<Value> differing;
  const OutputCheck* first_output = nullptr;
  const std::vector<Node> results = graph.results();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!check.outputs[i].compared || check.outputs[i].close) continue;
    if (differing.empty()) first_output = &check.outputs[i];
    differing.push_back(results[i].input(0));
  }
  MO_ASSIGN(const Value wrong, first_difference(graph, in_step, differing));
  const auto jumps_in = [](const Region& region) {
    return std::any_of(region.layers.begin(), region.layers.end(), may_jump);
  };
  if (wrong) {
    check.layer = named_layer(wrong, in_step, tensors);
    // A layer may stand for several: a last digit before a rounding among them is a step after it.
    if (are_single_steps(check.layer->difference) && jumps_in(region_of(wrong, in_step)))
      check.verdict = Verdict::unstable;
    return {};
  }
  // Each layer is right by itself. Only one that jumps explains that the whole is not.
  MO_ASSIGN(const Value first, first_difference(graph, free, differing));
  if (!first) {
    if (first_output) check.layer = output_layer(differing.front(), free, *first_output);
    return {};
  }
  check.layer = named_layer(first, free, tensors);
  if (jumps_in(region_of(first, free))) check.verdict = Verdict::unstable;
  return {};
}

}  // namespace mo::tools
