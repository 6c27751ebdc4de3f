#include "extensions/object_detection/structure.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/bodies.hpp"
#include "core/pass/framework_names.hpp"
#include "core/tensor/convert.hpp"
#include "ops/soft_max.hpp"

namespace mo::object_detection {
namespace {

constexpr std::size_t kMostSteps = 4096;

/// The framework's name for the operator, or the op's own where no framework has made the node.
std::string_view operator_of(const Node& node) {
  const std::string_view name = framework_op_name(node);
  return name.empty() ? node.type() : name;
}

/// SOFTMAX or SIGMOID; empty for other nodes.
std::string_view conversion_of(const Node& node) {
  const std::string_view op = operator_of(node);
  if (op == "Sigmoid") return "SIGMOID";
  if (node.is<ops::SoftMax>() || op == "Softmax") return "SOFTMAX";
  return {};
}

std::optional<std::vector<double>> numbers_of(const Value& value) {
  const Tensor* tensor = value ? constant_of(value) : nullptr;
  if (!tensor || tensor->element_count() > 64) return std::nullopt;
  auto numbers = to_reals(*tensor);
  if (!numbers) return std::nullopt;
  return *std::move(numbers);
}

/// Slice and StridedSlice that begin after the first element of the last dimension: the scores of the background go.
bool cuts_background(const Node& node) {
  const std::string_view op = operator_of(node);
  if ((op != "Slice" && op != "StridedSlice") || node.in_port_count() < 2) return false;
  const auto begin = numbers_of(node.input(1));
  return begin && !begin->empty() && begin->back() == 1 &&
         std::count(begin->begin(), begin->end(), 0.0) + 1 == std::ssize(*begin);
}

/// The port that scores go through: whether a node hands on what it reads there, element by element or in another
/// shape.
std::optional<std::size_t> passed_port(const Node& node) {
  const std::string_view op = operator_of(node);
  constexpr std::string_view kFirst[] = {"Slice",
                                         "StridedSlice",
                                         "Identity",
                                         "Reshape",
                                         "Squeeze",
                                         "ExpandDims",
                                         "Cast",
                                         "Transpose",
                                         "StopGradient",
                                         "CheckNumerics",
                                         "FakeQuantWithMinMaxVars",
                                         "FakeQuantWithMinMaxArgs"};
  if (std::find(std::begin(kFirst), std::end(kFirst), op) != std::end(kFirst)) return 0;
  if (arithmetic_of(node) == Arithmetic::none || node.in_port_count() < 2) return std::nullopt;
  for (const std::size_t side : {1U, 0U})
    if (const Tensor* constant = constant_of(node.input(side)); constant && constant->element_count() == 1)
      return 1 - side;
  return std::nullopt;
}

/// The way that scores take through the sub-graph up to their conversion; empty when there is none.
std::vector<Node> way_to_conversion(const SubgraphMatch& match, std::size_t input) {
  struct Step {
    Node node;
    std::size_t from;
  };
  std::vector<Step> open;
  std::unordered_set<std::uint32_t> seen;
  for (const NodePort& place : match.input_nodes(input))
    if (place.node.alive() && seen.insert(place.node.id().index).second) open.push_back({place.node, kMostSteps});
  for (std::size_t i = 0; i < open.size() && i < kMostSteps; ++i) {
    const Node node = open[i].node;
    if (!conversion_of(node).empty()) {
      std::vector<Node> way = {node};
      for (std::size_t at = open[i].from; at != kMostSteps; at = open[at].from) way.push_back(open[at].node);
      std::reverse(way.begin(), way.end());
      return way;
    }
    if (!passed_port(node) || node.out_port_count() == 0) continue;
    for (const InPort& reader : node.output().get_destinations()) {
      const Node next = reader.node();
      const bool goes_on = !conversion_of(next).empty() || passed_port(next) == reader.index();
      if (goes_on && match.contains(next) && seen.insert(next.id().index).second) open.push_back({next, i});
    }
  }
  return {};
}

/// What the boxes of a suppression were computed from, within the nodes that `inside` lets through.
template <class Inside>
bool is_clipped(const Value& boxes, Inside inside) {
  std::vector<Node> open;
  std::unordered_set<std::uint32_t> seen;
  const auto visit = [&](const Value& source) {
    if (source && inside(source.node()) && seen.insert(source.node().id().index).second) open.push_back(source.node());
  };
  visit(boxes);
  for (std::size_t i = 0; i < open.size() && i < kMostSteps; ++i) {
    const Node node = open[i];
    const std::string_view op = operator_of(node);
    if (op == "Minimum" || op == "Maximum") return true;
    const bool joins = op == "Pack" || op == "Concat" || op == "ConcatV2";
    for (std::size_t k = 0; k < (joins ? node.in_port_count() : std::min<std::size_t>(node.in_port_count(), 1)); ++k)
      visit(node.input(k));
  }
  return false;
}

Node suppression_among(const std::vector<Node>& nodes) {
  for (const Node& node : nodes)
    if (node.alive() && operator_of(node).starts_with("NonMaxSuppression")) return node;
  return {};
}

}  // namespace

ScoreConversion score_conversion(const SubgraphMatch& match, std::size_t input) {
  ScoreConversion made;
  const auto raw = match.input(input);
  Value at = raw ? *raw : Value();
  for (std::size_t step = 0; step < kMostSteps && at; ++step) {
    const Node node = at.node();
    if (const std::string_view conversion = conversion_of(node); !conversion.empty()) {
      if (!made.converter) made.converter = node;
      made.before = conversion;
      at = node.input(0);
      continue;
    }
    made.lacks_background = made.lacks_background || cuts_background(node);
    const auto port = passed_port(node);
    if (!port) break;
    at = node.input(*port);
  }
  const std::vector<Node> way = way_to_conversion(match, input);
  if (way.empty()) return made;
  made.converter = way.back();
  made.inside = conversion_of(way.back());
  for (const Node& node : way) {
    made.cuts_before_inside = made.cuts_before_inside || cuts_background(node);
    if (&node == &way.back() || arithmetic_of(node) == Arithmetic::none) continue;
    const std::size_t data = *passed_port(node);
    if (const auto by = numbers_of(node.input(1 - data)); by && data == 0)
      made.scalings.push_back({arithmetic_of(node), by->front()});
  }
  return made;
}

std::optional<bool> clips_before_suppression(const SubgraphMatch& match) {
  if (const Node suppression = suppression_among(match.matched_nodes()))
    return is_clipped(suppression.input(0), [&](const Node& node) { return match.contains(node); });
  for (const Node& owner : match.matched_nodes()) {
    if (!owner.alive()) continue;
    for (Graph* body : owner.bodies())
      for (Graph* graph : with_bodies(*body)) {
        std::vector<Node> nodes;
        for (const Node node : graph->nodes()) nodes.push_back(node);
        if (const Node suppression = suppression_among(nodes))
          return is_clipped(suppression.input(0), [](const Node&) { return true; });
      }
  }
  return std::nullopt;
}

std::optional<Count> channels_of(Value value) {
  for (std::size_t step = 0; step < 16 && value; ++step) {
    const Node node = value.node();
    const std::string_view op = operator_of(node);
    if (arithmetic_of(node) == Arithmetic::add)
      for (const std::size_t side : {1U, 0U})
        if (const Tensor* bias = constant_of(node.input(side));
            bias && bias->rank() >= 1 && bias->shape()[bias->rank() - 1] > 1)
          return Count{bias->shape()[bias->rank() - 1], node};
    if (op == "Conv2D" || op == "MatMul") {
      const Tensor* weights = constant_of(node.input(1));
      if (!weights || weights->rank() < 2 || node.attr<bool>("transpose_b").value_or(false)) return std::nullopt;
      return Count{weights->shape()[weights->rank() - 1], node};
    }
    const auto port = passed_port(node);
    if (!port || op == "Reshape" || op == "Transpose") return std::nullopt;
    value = node.input(*port);
  }
  return std::nullopt;
}

std::optional<Count> classes_of(Value value) {
  for (std::size_t step = 0; step < kMostSteps && value; ++step) {
    const Node node = value.node();
    const std::string_view op = operator_of(node);
    if (op == "Reshape" && node.in_port_count() > 1) {
      if (const auto shape = numbers_of(node.input(1)); shape && shape->size() > 1 && shape->back() >= 1)
        return Count{static_cast<std::int64_t>(shape->back()), node};
      const Value pack = node.input(1);
      if (pack && operator_of(pack.node()) == "Pack" && pack.node().in_port_count() > 1)
        if (const auto last = numbers_of(pack.node().input(pack.node().in_port_count() - 1));
            last && last->size() == 1 && last->front() >= 1)
          return Count{static_cast<std::int64_t>(last->front()), node};
    }
    const bool joins = op == "ConcatV2" || op == "Concat";
    const auto port = joins                          ? std::optional<std::size_t>(op == "Concat" ? 1 : 0)
                      : !conversion_of(node).empty() ? std::optional<std::size_t>(0)
                                                     : passed_port(node);
    if (!port) return std::nullopt;
    value = node.input(*port);
  }
  return std::nullopt;
}

}  // namespace mo::object_detection
