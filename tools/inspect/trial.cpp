#include "tools/inspect/trial.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/bodies.hpp"
#include "driver/model_graph.hpp"
#include "ir_emitter/plan.hpp"
#include "phases/front/framework_op.hpp"
#include "tools/inspect/framework_facts.hpp"

namespace mo::tools {
namespace {

/// Watches a conversion go by and keeps what the report needs.
class TrialWatch {
 public:
  explicit TrialWatch(Trial& trial) : trial_(trial) {}

  void see(Phase phase, const Assembly& assembly, Graph& graph) {
    if (phase == Phase::extraction) trial_.facts = facts_of_model(graph, assembly);
    if (phase == Phase::inference) {
      trial_.front = graph.clone();
      note_unsupported(assembly);
    }
    if (phase == Phase::middle) {
      if (trial_.facts) add_inferred(*trial_.facts, graph);
      for (const Node& parameter : graph.parameters())
        trial_.has_open_rank |= !parameter.output().disconnected() && !parameter.output().type().shape.has_rank();
    }
  }

  void refused(const Error& error) {
    trial_.error = error;
    for (const Diagnostic& problem : error.items()) {
      Refusal refusal{problem.code, op_of(problem), problem.message, problem.hint_text, problem.notes, {}};
      if (!problem.node.empty()) refusal.nodes = nodes_like(problem);
      trial_.refusals.push_back(std::move(refusal));
    }
  }

 private:
  /// Which nodes no table translates, by op: an error names the first ones only.
  void note_unsupported(const Assembly& assembly) {
    const auto tables = assembly.registry.operators().find(assembly.framework);
    for (const Graph* each : with_bodies(*trial_.front))
      for (const Node node : each->nodes()) {
        if (!node.op_type().dynamic || node.op_type().infer) continue;
        const auto op = phases::framework_op(node.op_type(), assembly.framework);
        const auto* row = op && tables != assembly.registry.operators().end()
                              ? tables->second.find(*op, node.attr<std::int64_t>("@opset").value_or(1))
                              : nullptr;
        if (row) continue;
        type_of_.emplace(node.name(), node.type());
        unsupported_[std::string(node.type())].emplace_back(node.name());
      }
  }

  /// The nodes of the problem's op: the error names one of them.
  std::vector<std::string> nodes_like(const Diagnostic& problem) const {
    const auto type = type_of_.find(problem.node);
    return type == type_of_.end() ? std::vector{problem.node} : unsupported_.at(type->second);
  }

  /// "com.acme.Norm" of "ONNX com.acme.Norm, opset 1".
  static std::string op_of(const Diagnostic& problem) {
    const std::string& label = problem.framework;
    const std::size_t begin = std::min(label.find(' ') + 1, label.size());
    return label.empty() ? problem.op : label.substr(begin, label.find(',') - begin);
  }

  Trial& trial_;
  std::unordered_map<std::string, std::string> type_of_;                   ///< of an unsupported node, by name
  std::unordered_map<std::string, std::vector<std::string>> unsupported_;  ///< names of nodes, by type
};

enum class FixedSizes : std::uint8_t { count, do_not_count };

/// By id: whether the node depends on a Parameter or on a state, or is one. `sizes`: whether the fixed size of a tensor
/// depends on it.
std::vector<bool> nodes_that_compute(const Graph& graph, FixedSizes sizes) {
  std::vector<bool> seen(graph.node_capacity());
  std::vector<Node> open;
  const auto add = [&](const Node& node) {
    if (sizes == FixedSizes::do_not_count && node.type() == "ShapeOf" && node.input(0).type().shape.is_static()) return;
    if (!seen[node.id().index]) open.push_back(node);
    seen[node.id().index] = true;
  };
  for (const Node node : graph.nodes())
    if (node.is<Parameter>() || node.type() == "ReadValue") add(node);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations()) add(reader.node());
  }
  return seen;
}

void look_at_results(const Graph& graph, Trial& trial) {
  const std::vector<bool> computes = nodes_that_compute(graph, FixedSizes::count);
  const std::vector<bool> varies = nodes_that_compute(graph, FixedSizes::do_not_count);
  for (const Node& result : graph.results()) {
    trial.is_constant_output.push_back(!varies[result.id().index]);
    trial.computes |= computes[result.id().index];
  }
  trial.only_copies = true;
  for (const Node node : graph.nodes())
    trial.only_copies &= node.is<Parameter>() || node.is<Const>() || node.is<Result>();
}

/// What an IR or a text form has, which needs no conversion.
void look_at(const ModelGraph& model, Trial& trial) {
  trial.is_ir = true;
  trial.facts = facts_of_model(model);
}

/// The graph before the front phase, for a conversion that ends in it; null: it ends before.
std::unique_ptr<Graph> graph_before_front(const Options& options) {
  std::unique_ptr<Graph> graph;
  DiagnosticList sink;
  LoadOptions how{.carries_unknown_ops = true, .looks_at_registry = true};
  how.watch.before_phase = [&](Phase phase, Conversion& conversion) {
    if (phase == Phase::front) graph = conversion.graph->clone();
  };
  (void)load_model(options, how, sink);
  return graph;
}

}  // namespace

Trial try_conversion(const Options& options) {
  Trial trial;
  TrialWatch watch(trial);
  DiagnosticList sink;
  LoadOptions how{.carries_unknown_ops = true, .looks_at_registry = true};
  how.watch.before_phase = [&](Phase phase, Conversion& conversion) {
    watch.see(phase, *conversion.assembly, *conversion.graph);
  };
  const auto model = load_model(options, how, sink);
  trial.messages = std::move(sink.items);
  if (model) look_at_results(*model->graph, trial);
  if (!model) {
    watch.refused(model.error());
    if (trial.facts && !trial.front) trial.front = graph_before_front(options);
  } else if (!trial.facts) {
    look_at(*model, trial);
  } else if (!options.to_onnx) {
    const auto planned = ir_emitter::make_plan(*model->graph, options.written_ir_version(), false);
    if (!planned) watch.refused(planned.error());
  }
  return trial;
}

}  // namespace mo::tools
