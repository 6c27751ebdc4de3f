#include "extensions/front/tensorflow/support/graphs.hpp"

#include <algorithm>
#include <array>

#include "core/pass/graph_copier.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::front::tensorflow {
namespace {

constexpr int kMostIdentities = 64;

/// Operators that give their input as it is; constants of variables are read by the first two.
constexpr std::array<std::string_view, 10> kIdentities = {"tf::Identity",
                                                          "tf::ReadVariableOp",
                                                          "tf::StopGradient",
                                                          "tf::PreventGradient",
                                                          "tf::Snapshot",
                                                          "tf::CheckNumerics",
                                                          "tf::CheckNumericsV2",
                                                          "tf::EnsureShape",
                                                          "tf::DebugGradientIdentity",
                                                          "tf::PlaceholderWithDefault"};

bool is_pivot(const Node& before) {
  const Value at = before.out_port_count() > 0 ? plain(before.out_port(0)) : Value();
  return at && is_switch(at.node());
}

}  // namespace

bool is_operator(const Node& node, std::initializer_list<std::string_view> names) {
  const Origin origin = node.origin();
  return origin.framework == "TensorFlow" && std::find(names.begin(), names.end(), origin.op) != names.end();
}

bool is_switch(const Node& node) { return node.is("tf::Switch") || node.is("tf::RefSwitch"); }
bool is_merge(const Node& node) { return node.is("tf::Merge") || node.is("tf::RefMerge"); }
bool is_enter(const Node& node) { return node.is("tf::Enter") || node.is("tf::RefEnter"); }
bool is_exit(const Node& node) { return node.is("tf::Exit") || node.is("tf::RefExit"); }
bool is_next_iteration(const Node& node) { return node.is("tf::NextIteration") || node.is("tf::RefNextIteration"); }

bool is_identity(const Node& node) {
  if (node.is<ops::Identity>()) return true;
  if (!node.op_type().dynamic || std::find(kIdentities.begin(), kIdentities.end(), node.type()) == kIdentities.end())
    return false;
  // the linker found that a variable is changed before this reads it: an error
  return !node.find_attribute("@changed_by");
}

bool has_any(const Graph& graph, std::initializer_list<std::string_view> ops) {
  return std::any_of(ops.begin(), ops.end(), [&](std::string_view op) { return graph.has_op(op); });
}

Value plain(Value value) {
  for (int step = 0; step < kMostIdentities && value; ++step) {
    const Node node = value.node();
    if (!is_identity(node) || !node.input(0)) break;
    value = node.input(0);
  }
  return value;
}

bool same_numbers(const Value& a, const Value& b) { return mo::same_tensor(a, b, plain); }
std::optional<std::int64_t> constant_integer(const Value& value) { return whole_number_of(plain(value)); }
std::optional<std::vector<std::int64_t>> constant_integers(const Value& value) {
  const Value source = plain(value);
  return is_integral(type_of(source).element_type) ? integers_of(source) : std::nullopt;
}
const TensorType& constant_type(const Value& value) { return type_of(plain(value)); }

void remove_unreachable(Graph& graph) {
  Needs needs;
  needs.control = is_pivot;
  remove_dead_nodes(graph, needs);
}

void bypass_identities(Graph& graph) {
  for (const Node node : graph.nodes()) {
    if (!is_identity(node) || !node.input(0)) continue;
    const Value source = plain(node.output());
    for (const InPort& reader : node.output().get_destinations())
      if (auto connected = reader.connect(source); !connected) return;  // the same graph: cannot fail
  }
}

namespace {

/// What waits for it is in the loop, which its body says already.
bool is_switch_of_loop(const Node& node) {
  const Value condition = is_switch(node) ? node.input(1) : Value();
  return condition && is_loop_condition(plain(condition).node());
}

}  // namespace

void keep_branches(GraphCopier& copier) {
  copier.keep_control([&copier](const Node& before) {
    if (!is_pivot(before)) return false;
    const Value source = plain(before.out_port(0));
    return !copier.is_mapped(source) && !is_switch_of_loop(source.node());
  });
}

RewriteRule structural_rule(std::vector<std::string> ops, std::size_t inputs,
                            std::function<Replacement(const Node&, Rewriter&)> replace) {
  const auto checked = [inputs, replace = std::move(replace)](const Match& m, Rewriter& rw,
                                                              PassContext&) -> Replacement {
    const Node node = m.root().node();
    MO_TRY(FrameworkNode(node).expect_inputs(inputs));
    return replace(node, rw);
  };
  return RewriteRule{ops.front(), std::move(ops), std::nullopt, checked};
}

}  // namespace mo::front::tensorflow
