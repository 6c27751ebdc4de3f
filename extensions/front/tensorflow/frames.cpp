#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/pass/graph_copier.hpp"
#include "extensions/front/tensorflow/support/graphs.hpp"

namespace mo::front::tensorflow {
namespace {

/// One variable of a loop: Merge(Enter(first), NextIteration(next)) -> Switch(., LoopCond) -> 0: Exit, 1: body.
struct Variable {
  Node enter;
  Node merge;
  Node next_iteration;
  Node switch_node;  ///< none where only the condition reads the variable
};

struct Frame {
  Node condition;  ///< LoopCond
  std::string name;
  std::vector<Variable> variables;
};

bool is_loop_merge(const Node& node) {
  if (!is_merge(node)) return false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i); source && is_next_iteration(source.node())) return true;
  return false;
}

Diagnostic incomplete(const Node& node, std::string_view what) {
  return node.error("MO-TF-0750", "the loop at '{}' is incomplete: {}", node.name(), what)
      .hint(
          "a loop has Enter, Merge, LoopCond, Switch, NextIteration and Exit; cut before or after it, or export the "
          "model again");
}

Expected<Variable> variable_of(const Node& merge) {
  Variable variable{{}, merge, {}, {}};
  if (merge.in_port_count() != 2) return incomplete(merge, "its Merge does not have two inputs");
  for (std::size_t i = 0; i < 2; ++i) {
    const Value source = merge.input(i);
    if (!source) return incomplete(merge, "an input of its Merge is missing");
    (is_next_iteration(source.node()) ? variable.next_iteration : variable.enter) = source.node();
  }
  if (!variable.enter || !is_enter(variable.enter) || !variable.enter.input(0))
    return incomplete(merge, "its Merge reads no Enter");
  if (!variable.next_iteration.input(0)) return incomplete(merge, "its NextIteration reads nothing");
  if (merge.out_port_count() > 1 && !merge.out_port(1).disconnected())
    return incomplete(merge, "value_index of its Merge is read");
  for (const InPort& reader : merge.out_port(0).get_destinations()) {
    const Node node = reader.node();
    if (!is_switch(node) || reader.index() != 0 || !node.input(1) || !is_loop_condition(plain(node.input(1)).node()))
      continue;
    if (variable.switch_node) return incomplete(merge, "two Switch nodes read its Merge");
    variable.switch_node = node;
  }
  return variable;
}

/// Loops inside of each other.
constexpr std::int64_t kMostNested = 32;
constexpr std::string_view kWhile = "tf::While";
/// of a While that was a frame: how many loops lie inside of each other
constexpr std::string_view kDepth = "@depth";

/// How many loops lie inside of each other in a body.
std::int64_t depth_of(const Graph& body) {
  std::int64_t depth = 0;
  for (const Node node : body.nodes())
    if (node.is(kWhile) || node.is("tf::StatelessWhile"))
      depth = std::max(depth, FrameworkNode(node).attr<std::int64_t>(kDepth, 1));
  return depth;
}

std::string frame_name(const Node& enter) { return FrameworkNode(enter).attr("frame_name", ""); }

/// The loops of the graph, in the order of their conditions.
Expected<std::vector<Frame>> find_frames(const Graph& graph) {
  std::map<NodeId, Frame> by_condition;
  std::vector<Variable> without_switch;
  for (const Node node : graph.nodes()) {
    if (!is_loop_merge(node)) continue;
    MO_ASSIGN(const Variable variable, variable_of(node));
    if (!variable.switch_node) {
      without_switch.push_back(variable);
      continue;
    }
    const Node condition = plain(variable.switch_node.input(1)).node();
    Frame& frame = by_condition[condition.id()];
    frame.condition = condition;
    if (frame.name.empty()) frame.name = frame_name(variable.enter);
    frame.variables.push_back(variable);
  }
  // A variable that only the condition reads has lost its Switch when the model was pruned: the frame's name tells
  // where it belongs.
  for (const Variable& variable : without_switch) {
    const auto found = std::find_if(by_condition.begin(), by_condition.end(), [&](const auto& entry) {
      return !entry.second.name.empty() && entry.second.name == frame_name(variable.enter);
    });
    if (found == by_condition.end()) return incomplete(variable.merge, "no Switch with a LoopCond reads its Merge");
    found->second.variables.push_back(variable);
  }
  std::vector<Frame> frames;
  for (auto& [id, frame] : by_condition) frames.push_back(std::move(frame));
  return frames;
}

/// Copying meets a cycle that goes around without NextIteration.
Diagnostic endless_loop(const Node& node) {
  return node.error("MO-TF-0751", "'{}' depends on itself", node.name())
      .hint("a loop needs a NextIteration; export the model again");
}

/// A frame as a functional While: its nodes are copied into a condition and a body, which take the variables and what
/// comes in by other Enter nodes and never changes.
class FrameConversion {
 public:
  FrameConversion(Graph& graph, const Frame& frame)
      : graph_(graph), frame_(frame), copy_condition_(condition_.graph()), copy_body_(body_.graph()) {}

  /// Nothing when a loop inside is to be converted first.
  Expected<bool> run() {
    for (const Variable& variable : frame_.variables) {
      const std::size_t i = add_argument(variable.enter.input(0), std::string(variable.merge.name()));
      copy_condition_.map(variable.merge.out_port(0), condition_parameters_[i].output());
      copy_body_.map(variable.merge.out_port(0), body_parameters_[i].output());
      if (variable.switch_node && variable.switch_node.out_port_count() > 1)
        copy_body_.map(variable.switch_node.out_port(1), body_parameters_[i].output());
    }
    for (GraphCopier* copier : {&copy_condition_, &copy_body_}) {
      keep_branches(*copier);
      copier->explain_cycles(endless_loop);
    }
    copy_condition_.ask([this](const Value& value) { return boundary(value, condition_parameters_); });
    copy_body_.ask([this](const Value& value) { return boundary(value, body_parameters_); });
    if (!frame_.condition.input(0)) return incomplete(frame_.condition, "its LoopCond reads nothing");
    const auto holds = copy_condition_.copy(frame_.condition.input(0));
    if (inner_loop_) return false;
    if (!holds) return holds.error();
    std::vector<Value> next;
    for (const Variable& variable : frame_.variables) {
      const auto value = copy_body_.copy(variable.next_iteration.input(0));
      if (inner_loop_) return false;
      if (!value) return value.error();
      next.push_back(*value);
    }
    condition_.graph().create_result(*holds);
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      body_.graph().create_result(i < next.size() ? next[i] : body_parameters_[i].output());
    return connect();
  }

 private:
  std::size_t add_argument(const Value& value, const std::string& name) {
    condition_parameters_.push_back(condition_.graph().create_parameter({}, name));
    body_parameters_.push_back(body_.graph().create_parameter({}, name));
    arguments_.push_back(value);
    return arguments_.size() - 1;
  }

  Expected<Value> boundary(const Value& value, const std::vector<Node>& parameters) {
    const Node node = value.node();
    if (is_exit(node) || is_loop_merge(node)) {
      inner_loop_ = true;
      return incomplete(node, "it is not nested properly");
    }
    if (is_next_iteration(node)) return incomplete(node, "no Merge reads its NextIteration");
    if (is_switch(node) && node.input(1) && plain(node.input(1)).node() == frame_.condition)
      return incomplete(node, "what leaves the loop is read inside of it");
    const bool enters = is_enter(node);
    if (!enters && !node.is<Parameter>()) return Value();
    const Value outside = enters ? node.input(0) : value;
    if (!outside) return incomplete(node, "its Enter reads nothing");
    for (std::size_t i = frame_.variables.size(); i < arguments_.size(); ++i)
      if (arguments_[i] == outside) return parameters[i].output();
    return parameters[add_argument(outside, std::string(node.name()))].output();
  }

  Expected<bool> connect() {
    const std::int64_t depth = 1 + std::max(depth_of(condition_.graph()), depth_of(body_.graph()));
    if (depth > kMostNested)
      return frame_.condition.error("MO-TF-0758", "more than {} loops are inside of each other", kMostNested)
          .hint("simplify the model");
    const Node loop = graph_.create_node(
        Op(kWhile, {{"cond", std::move(condition_)}, {"body", std::move(body_)}, {std::string(kDepth), depth}}),
        arguments_, arguments_.size(), frame_.name.empty() ? frame_.condition.name() : std::string_view(frame_.name));
    loop.set_origin({.framework = "TensorFlow", .part = "while loop"});
    loop.add_sources_of(frame_.condition);
    for (std::size_t i = 0; i < frame_.variables.size(); ++i) {
      const Node& switch_node = frame_.variables[i].switch_node;
      if (!switch_node) continue;
      for (const InPort& reader : switch_node.out_port(0).get_destinations()) {
        const Node exit = plain_reader(reader.node());
        if (!is_exit(exit)) continue;
        loop.add_sources_of(exit);
        MO_TRY(exit.out_port(0).get_connection().set_source(loop.out_port(i)));
      }
    }
    return true;
  }

  /// The node itself, or the only reader of an Identity.
  static Node plain_reader(Node node) {
    if (is_exit(node) || node.out_port_count() != 1) return node;
    const auto next = node.out_port(0).get_destination();
    return next && is_exit(next->node()) ? next->node() : node;
  }

  Graph& graph_;
  const Frame& frame_;
  Body condition_;
  Body body_;
  GraphCopier copy_condition_;
  GraphCopier copy_body_;
  std::vector<Node> condition_parameters_;
  std::vector<Node> body_parameters_;
  std::vector<Value> arguments_;
  bool inner_loop_ = false;
};

bool has_frames(const Graph& graph) {
  return has_any(graph, {"tf::Enter", "tf::RefEnter", "tf::Exit", "tf::RefExit", "tf::NextIteration",
                         "tf::RefNextIteration", "tf::LoopCond"});
}

/// Nodes that belong to no loop.
Expected<void> check_rest(const Graph& graph) {
  constexpr std::size_t kListed = 20;
  std::vector<Diagnostic> found;
  for (const Node node : graph.nodes()) {
    if (found.size() == kListed) break;
    if (is_exit(node))
      found.push_back(incomplete(node, "this Exit reads no Switch of a loop, or the loop has no Enter"));
    else if (is_next_iteration(node))
      found.push_back(incomplete(node, "no Merge of a loop reads this NextIteration"));
    else if (is_enter(node))
      found.push_back(incomplete(node, "no loop with a LoopCond reads this Enter"));
    else if (is_loop_condition(node))
      found.push_back(incomplete(node, "no Switch of a loop reads this LoopCond"));
  }
  if (!found.empty()) return Error(std::move(found));
  return {};
}

/// Frames of TensorFlow 1 -> functional While nodes, inner ones first. The graph has cycles before and none afterwards.
Expected<bool> convert_frames(Graph& graph, PassContext&) {
  if (!has_frames(graph)) return false;
  remove_unreachable(graph);
  MO_ASSIGN(std::vector<Frame> frames, find_frames(graph));
  while (!frames.empty()) {
    std::vector<Frame> later;
    for (const Frame& frame : frames) {
      FrameConversion conversion(graph, frame);
      MO_ASSIGN(const bool done, conversion.run());
      if (!done) later.push_back(frame);
    }
    if (later.size() == frames.size())
      return incomplete(frames.front().condition, "its parts and those of another loop read each other");
    frames = std::move(later);
  }
  remove_unreachable(graph);
  MO_TRY(check_rest(graph));
  return true;
}

}  // namespace

void register_frames(PassRegistry& passes) {
  passes.add(graph_pass("TfFrames").phase(Phase::extraction).run_after({"TfTensorArrays"}).run(convert_frames));
}

}  // namespace mo::front::tensorflow
