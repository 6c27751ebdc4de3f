#include "tools/inspect/trial.hpp"

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

/// Whether a Result depends on a Parameter, or on a state.
bool computes(const Graph& graph) {
  std::vector<bool> seen(graph.node_capacity());
  std::vector<Node> open;
  for (const Node& result : graph.results()) open.push_back(result);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node.is<Parameter>() || node.type() == "ReadValue") return true;
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source(); source && !seen[source.node().id().index]) {
        seen[source.node().id().index] = true;
        open.push_back(source.node());
      }
  }
  return false;
}

/// What an IR or a text form has, which needs no conversion.
void look_at(const ModelGraph& model, Trial& trial) {
  trial.is_ir = true;
  trial.facts = facts_of_model(model);
}

}  // namespace

Trial try_conversion(const Options& options) {
  Trial trial;
  TrialWatch watch(trial);
  DiagnosticList sink;
  LoadOptions how;
  how.carries_unknown_ops = true;
  how.watch.before_phase = [&](Phase phase, Conversion& conversion) {
    watch.see(phase, *conversion.assembly, *conversion.graph);
  };
  const auto model = load_model(options, how, sink);
  trial.messages = std::move(sink.items);
  trial.computes = model && computes(*model->graph);
  if (!model)
    watch.refused(model.error());
  else if (!trial.facts)
    look_at(*model, trial);
  else if (!options.to_onnx) {
    const auto planned = ir_emitter::make_plan(*model->graph, options.written_ir_version());
    if (!planned) watch.refused(planned.error());
  }
  return trial;
}

}  // namespace mo::tools
