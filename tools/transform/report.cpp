#include "tools/transform/report.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "core/support/log.hpp"
#include "graph_transforms/engine/editor.hpp"

namespace mo::tools {

StepReport::Content StepReport::content_of(const Graph& graph) {
  Content content;
  for (const Node node : graph.nodes()) {
    ++content.nodes;
    ++content.ops[std::string(graph_transforms::op_of(node))];
    const AttributeValue* const value = node.find_attribute("value");
    if (const Tensor* tensor = value ? value->get_if<Tensor>() : nullptr) content.bytes += tensor->byte_size();
  }
  return content;
}

void StepReport::watch(PassRunner& run) {
  run.before_pass = [this](const Pass& pass, const Graph& graph) { before(pass, graph); };
  run.also_after_pass([this](const PassEvent& event) { after(event); });
}

void StepReport::before(const Pass& pass, const Graph& graph) {
  log::info("Applying {}", pass.name);
  if (is_wanted_) before_ = content_of(graph);
}

void StepReport::after(const PassEvent& event) const {
  if (!is_wanted_) return;
  const Content now = content_of(event.graph);
  std::string text =
      fmt::format("{}{}: {} -> {} nodes, {} -> {} bytes of constants, {:.3f} s\n", graph_.empty() ? "" : graph_ + ": ",
                  event.pass.name, before_.nodes, now.nodes, before_.bytes, now.bytes, event.seconds);
  std::map<std::string, std::int64_t, std::less<>> changes = now.ops;
  for (const auto& [op, count] : before_.ops) changes[op] -= count;
  for (const auto& [op, change] : changes)
    if (change != 0) text += fmt::format("  {:+} {}\n", change, op);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace mo::tools
