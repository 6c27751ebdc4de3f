#include "phases/front/extraction.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>

#include "core/support/nearest.hpp"
#include "core/support/shell.hpp"
#include "phases/front/framework_op.hpp"
#include "phases/front/way_around.hpp"

namespace mo::phases {
namespace {

Expected<void> extract(const Node& node, const OperatorTable::Row& row, PassContext& context) {
  const FrameworkNode view(node);
  auto op = row.extract(view);
  if (!op) return node.describe(std::move(op).error());
  if (view.failure()) return *view.failure();
  for (const Diagnostic& warning : view.warnings()) context.diagnostics.report(warning);
  for (const std::string& name : view.unread_attributes())
    context.diagnostics.report(node.warning("MO-FRONT-0005", "attribute {} is not known for this op and has no effect", name));
  // Trailing optional outputs that the model left out.
  const std::size_t outputs = std::max<std::size_t>(view.declared_outputs(), op->type().dynamic ? 0 : op->type().traits.outputs);
  // Outputs that the op does not have, whether or not somebody reads them: a model that lists them means something else. 0 stands for any number.
  if (outputs > 0 && node.out_port_count() > outputs) {
    const bool is_read = !node.out_port(outputs).disconnected();
    return node.error("MO-FRONT-0020", "output {} is {}, which {} does not give", outputs, is_read ? "read" : "listed", op->type().name)
        .hint("check the model, or the port in --output: outputs count from 0");
  }
  node.set_op(*std::move(op));
  if (node.out_port_count() < outputs) node.add_output_port(outputs - 1);
  if (const auto* constant = node.as<Const>()) node.out_port(0).data().set_value(constant->value);  // replacers of the front phase ask for it
  return {};
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

  /// "3 nodes: 'a', 'b', 'c'"; of many the first ones.
  std::string described() const {
    constexpr std::size_t kMostNames = 20;
    const auto shown = std::span(names).first(std::min(names.size(), kMostNames));
    return fmt::format("{} node{}: '{}'{}", names.size(), names.size() == 1 ? "" : "s", fmt::join(shown, "', '"),
                       names.size() > kMostNames ? fmt::format(" and {} more", names.size() - kMostNames) : "");
  }
};

/// Everything that no operator table and no description of a custom op knows, and what extraction refused.
class Unsupported {
 public:
  Unsupported(const OperatorTable& table, std::string_view framework, const ExtractionFailures& failures)
      : table_(table), framework_(framework), failures_(failures) {}

  void find(const Graph& graph) {
    for (const Node node : graph.nodes()) {
      if (!node.op_type().dynamic || node.op_type().infer) continue;
      const auto op = framework_op(node.op_type(), framework_);
      const std::int64_t version = node.attr<std::int64_t>("@opset").value_or(1);
      if (const auto* row = op ? table_.find(*op, version) : nullptr; row && row->translate) continue;
      nodes_.push_back(node);
      if (const auto refused = failures_.find({std::string(node.name()), std::string(node.type())}); refused != failures_.end()) {
        found_.insert(found_.end(), refused->second.items().begin(), refused->second.items().end());
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
    if (found_.empty()) return {};
    if (const std::vector<std::string> ends = last_supported_tensors(graph, nodes_); !ends.empty())
      found_.back().notes.push_back(fmt::format("the part of the model that needs none of {} ends in: --output {}",
                                                nodes_.size() == 1 ? "it" : "these", shell_word(fmt::format("{}", fmt::join(ends, ",")))));
    return std::move(found_);
  }

 private:
  static Diagnostic other_version(const std::string& op, const UnsupportedOp& group) {
    return error("MO-FRONT-0002", "op {} is not supported in version {}: {}", op, group.version, group.described())
        .hint("export the model with another opset, or cut it with --input and --output");
  }

  Diagnostic unknown_op(const std::string& op, const UnsupportedOp& group, const std::vector<std::string>& known) const {
    // Nobody reads the hundredth list of similar names.
    constexpr std::size_t kWithSimilarName = 100;
    const std::string near = found_.size() < kWithSimilarName ? nearest(op, known, op.size() / 4) : std::string();
    Diagnostic d = error("MO-FRONT-0001", "op {} is not supported: {}", op, group.described())
                       .hint("cut the model before or behind it with --input and --output, or provide the op: {}, --extensions{}",
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
  std::vector<Diagnostic> found_;
};

}  // namespace

Pass extraction(const OperatorTable& table, std::string framework, std::shared_ptr<ExtractionFailures> failures) {
  return graph_pass("Extraction")
      .phase(Phase::extraction)
      .run([&table, framework = std::move(framework), failures](Graph& graph, PassContext& context) -> Expected<bool> {
        bool changed = false;
        for (const Node node : graph.nodes()) {
          const auto op = framework_op(node.op_type(), framework);
          if (!op) continue;
          const OperatorTable::Row* row = table.find(*op, node.attr<std::int64_t>("@opset").value_or(1));
          if (!row) continue;
          if (!row->extract)  // translated when inference reaches it
            changed = add_outputs(node, *row) || changed;
          else if (auto done = extract(node, *row, context); !done)
            failures->insert_or_assign({std::string(node.name()), std::string(node.type())}, std::move(done).error());
          else
            changed = true;
        }
        return changed;
      });
}

Pass report_unsupported(const OperatorTable& table, std::string framework, std::shared_ptr<ExtractionFailures> failures) {
  return graph_pass("ReportUnsupported")
      .phase(Phase::inference)
      .run_before({"PartialInference"})
      .run([&table, framework = std::move(framework), failures](Graph& graph, PassContext&) -> Expected<bool> {
        // A custom op knows its types.
        if (!graph.has_op_type([](const OpType& type) { return type.dynamic && !type.infer; })) return false;
        Unsupported unsupported(table, framework, *failures);
        unsupported.find(graph);
        std::vector<Diagnostic> found = std::move(unsupported).diagnostics(graph);
        if (found.empty()) return false;
        return Error(std::move(found));
      });
}

}  // namespace mo::phases
