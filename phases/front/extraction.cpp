#include "phases/front/extraction.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/pass/subgraph_replacement.hpp"
#include "core/support/nearest.hpp"
#include "core/support/shell.hpp"
#include "phases/front/framework_op.hpp"
#include "phases/front/way_around.hpp"

namespace mo::phases {
namespace {

/// The rows for the nodes of one graph: there are many nodes and few ops.
class KnownRows {
 public:
  explicit KnownRows(const OperatorTable& table) : table_(table) {}
  /// Null when there is none. `op`: of the node, as the framework calls it.
  const OperatorTable::Row* find(const Node& node, std::string_view op) {
    const std::int64_t version = node.attr<std::int64_t>("@opset").value_or(1);
    const auto [place, is_new] = known_.try_emplace(&node.op_type());
    if (is_new || place->second.version != version) place->second = {version, table_.find(op, version)};
    return place->second.row;
  }

 private:
  struct Known {
    std::int64_t version = 0;
    const OperatorTable::Row* row = nullptr;
  };
  const OperatorTable& table_;
  std::unordered_map<const OpType*, Known> known_;
};

/// Nothing when the node has become an op.
std::optional<ExtractionFailure> extract(const Node& node, std::string_view name, const OperatorTable::Row& row,
                                         IgnoredAttributes& ignored, PassContext& context) {
  const FrameworkNode view(node);
  auto op = row.extract(view);
  if (!op) return ExtractionFailure{node.describe(std::move(op).error()), {}};
  if (view.failure()) return ExtractionFailure{Error(*view.failure()), {}};
  if (std::vector<std::string> unknown = unknown_attributes(view, name, ignored); !unknown.empty())
    return ExtractionFailure{std::nullopt, std::move(unknown)};
  for (const Diagnostic& warning : view.warnings()) context.diagnostics.report(warning);
  // Trailing optional outputs that the model left out.
  const std::size_t outputs =
      std::max<std::size_t>(view.declared_outputs(), op->type().dynamic ? 0 : op->type().traits.outputs);
  // Outputs that the op does not have, whether or not they are read: a model that lists them means something else. 0
  // stands for any number.
  if (outputs > 0 && node.out_port_count() > outputs) {
    const bool is_read = !node.out_port(outputs).disconnected();
    return ExtractionFailure{node.error("MO-FRONT-0020", "output {} is {}, which {} does not give", outputs,
                                        is_read ? "read" : "listed", op->type().name)
                                 .hint("check the model, or the port in --output: outputs count from 0"),
                             {}};
  }
  node.set_op(*std::move(op));
  if (node.out_port_count() < outputs) node.add_output_port(outputs - 1);
  // replacers of the front phase ask for it
  if (const auto* constant = node.as<Const>()) node.out_port(0).data().set_value(constant->value);
  return std::nullopt;
}

/// Makes the outputs of a node that is translated later and that the model's file does not list.
bool add_outputs(const Node& node, const OperatorTable::Row& row) {
  const std::size_t outputs = row.outputs ? row.outputs(FrameworkNode(node)) : 0;
  if (node.out_port_count() >= outputs) return false;
  node.add_output_port(outputs - 1);
  return true;
}

/// Nodes of one op that nothing translates.
struct UnsupportedOp {
  Node first;
  std::vector<std::string> names;
  std::int64_t version = 1;
};

/// Everything that no operator table and no description of a custom op knows, and what extraction refused.
class Unsupported {
 public:
  Unsupported(const OperatorTable& table, std::string_view framework, const ExtractionFailures& failures)
      : table_(table), framework_(framework), failures_(failures), attributes_(failures.of_structures) {}

  void find(const Graph& graph) {
    for (const Node node : graph.nodes()) {
      if (!node.op_type().dynamic || node.op_type().infer) continue;
      const auto op = framework_op(node.op_type(), framework_);
      const std::int64_t version = node.attr<std::int64_t>("@opset").value_or(1);
      const auto* const row = op ? table_.find(*op, version) : nullptr;
      if (row && row->translate) continue;
      nodes_.push_back(node);
      if (const auto refused = failures_.nodes.find({std::string(node.name()), std::string(node.type())});
          refused != failures_.nodes.end()) {
        if (const std::optional<Error>& why = refused->second.error)
          found_.insert(found_.end(), why->items().begin(), why->items().end());
        for (const std::string& attribute : refused->second.unknown_attributes)
          attributes_.add(node, op.value_or(node.type()), attribute);
        continue;
      }
      if (row) {  // no operator of the model would be left
        found_.push_back(node.error("MO-PLUGIN-0030",
                                    "{} was created in a phase that no longer converts operators of the framework",
                                    node.type())
                             .hint("create the op of the IR instead"));
        continue;
      }
      UnsupportedOp& group = ops_[std::string(op.value_or(node.type()))];
      if (group.names.empty()) group = {node, {}, version};
      group.names.emplace_back(node.name());
    }
  }

  /// One diagnostic for each cause; the last one says which part of the model can be had without all of them.
  std::vector<Diagnostic> diagnostics(Graph& graph) && {
    std::vector<std::string> known;
    for (const auto& [op, rows] : table_.rows()) known.push_back(op);
    for (const auto& [op, group] : ops_) {
      Diagnostic d = table_.rows().contains(op) ? other_version(op, group) : unknown_op(op, group, known);
      d.node = group.first.name();
      d.framework = group.first.framework();
      found_.push_back(std::move(d));
    }
    const std::vector<Diagnostic> attributes = attributes_.diagnostics();
    found_.insert(found_.end(), attributes.begin(), attributes.end());
    if (found_.empty()) return {};
    if (nodes_.empty()) return std::move(found_);
    if (const std::vector<std::string> ends = last_supported_tensors(graph, nodes_); !ends.empty())
      found_.back().notes.push_back(fmt::format("the part of the model that needs none of {} ends in: --output {}",
                                                nodes_.size() == 1 ? "it" : "these",
                                                shell_word(fmt::format("{}", fmt::join(ends, ",")))));
    return std::move(found_);
  }

 private:
  static Diagnostic other_version(const std::string& op, const UnsupportedOp& group) {
    return error("MO-FRONT-0002", "op {} is not supported in version {}: {}", op, group.version,
                 listed_nodes(group.names))
        .hint("export the model with another opset, or cut it with --input and --output");
  }

  Diagnostic unknown_op(const std::string& op, const UnsupportedOp& group,
                        const std::vector<std::string>& known) const {
    // After a hundred similar names, more are of no use.
    constexpr std::size_t kWithSimilarName = 100;
    const std::string near = found_.size() < kWithSimilarName ? nearest(op, known, op.size() / 4) : std::string();
    Diagnostic d =
        error("MO-FRONT-0001", "op {} is not supported: {}", op, listed_nodes(group.names))
            .hint("cut the model before or after it with --input and --output, or provide the op: {}, --extensions{}",
                  framework_ == "caffe" ? "--custom_layers_mapping" : "--custom_ops",
                  near.empty() ? "" : fmt::format(" (a supported op of a similar name: {})", near));
    add_custom_op(d, framework_, op, group.first);
    return d;
  }

  const OperatorTable& table_;
  std::string_view framework_;
  const ExtractionFailures& failures_;
  std::vector<Node> nodes_;
  std::map<std::string, UnsupportedOp> ops_;
  UnknownAttributes attributes_;
  std::vector<Diagnostic> found_;
};

}  // namespace

Pass extraction(const OperatorTable& table, std::string framework, std::shared_ptr<ExtractionFailures> failures,
                std::shared_ptr<IgnoredAttributes> ignored) {
  if (!ignored) ignored = std::make_shared<IgnoredAttributes>();
  return graph_pass("Extraction")
      .phase(Phase::extraction)
      .run([&table, framework = std::move(framework), failures, ignored](Graph& graph,
                                                                         PassContext& context) -> Expected<bool> {
        bool changed = false;
        failures->of_structures = {};  // of another model, when the pass runs again
        KnownRows rows(table);
        for (const Node node : graph.nodes()) {
          const auto op = framework_op(node.op_type(), framework);
          if (!op) continue;
          const OperatorTable::Row* row = rows.find(node, *op);
          if (!row) continue;
          if (!row->extract)  // translated when inference reaches it
            changed = add_outputs(node, *row) || changed;
          else if (auto failure = extract(node, *op, *row, *ignored, context))
            failures->nodes.insert_or_assign({std::string(node.name()), std::string(node.type())}, *std::move(failure));
          else
            changed = true;
        }
        return changed;
      });
}

Pass structure_attributes(const OperatorTable& table, std::string framework,
                          std::shared_ptr<ExtractionFailures> failures, std::vector<std::string> before,
                          std::shared_ptr<IgnoredAttributes> ignored) {
  if (!ignored) ignored = std::make_shared<IgnoredAttributes>();
  return graph_pass("StructureAttributes")
      .phase(Phase::extraction)
      .run_after({std::string(kConfigReplacementFinish)})
      .run_before(std::move(before))
      .run([&table, framework = std::move(framework), failures, ignored](Graph& graph, PassContext&) -> Expected<bool> {
        bool has_structures = false;
        KnownRows rows(table);
        for (const Node node : graph.nodes()) {
          const auto op = framework_op(node.op_type(), framework);
          const OperatorTable::Row* row = op ? rows.find(node, *op) : nullptr;
          if (!row || !row->know_attributes) continue;
          const FrameworkNode view(node);
          row->know_attributes(view);
          failures->of_structures.add_unread(view, *op, *ignored);
          has_structures = true;
        }
        if (!has_structures || failures->nodes.empty()) return false;
        // What is taken apart may take others in: the counter of a loop becomes a number of steps.
        for (const Node node : graph.nodes()) {
          const auto refused = failures->nodes.find({std::string(node.name()), std::string(node.type())});
          if (refused == failures->nodes.end()) continue;
          const std::string_view op = framework_op(node.op_type(), framework).value_or(node.type());
          for (const std::string& attribute : refused->second.unknown_attributes)
            failures->of_structures.add(node, op, attribute);
        }
        return false;
      });
}

Pass report_unsupported(const OperatorTable& table, std::string framework,
                        std::shared_ptr<ExtractionFailures> failures) {
  return graph_pass("ReportUnsupported")
      .phase(Phase::inference)
      .run_before({"PartialInference"})
      .run([&table, framework = std::move(framework), failures](Graph& graph, PassContext&) -> Expected<bool> {
        // A custom op knows its types.
        if (failures->of_structures.empty() &&
            !graph.has_op_type([](const OpType& type) { return type.dynamic && !type.infer; }))
          return false;
        Unsupported unsupported(table, framework, *failures);
        unsupported.find(graph);
        std::vector<Diagnostic> found = std::move(unsupported).diagnostics(graph);
        if (found.empty()) return false;
        return Error(std::move(found));
      });
}

}  // namespace mo::phases
