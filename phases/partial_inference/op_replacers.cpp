#include "phases/partial_inference/op_replacers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/pass/framework_names.hpp"
#include "core/pass/pass_config.hpp"

namespace mo::phases {
namespace {

/// The op that an operator has become: the only one that was made, beside constants and ops that only move elements
/// (weights in another order); of several, the only one that is not elementwise (a convolution before its bias). An
/// empty handle when the operator was decomposed.
Node op_of(const std::vector<Node>& created) {
  std::vector<Node> ops;
  for (const Node& node : created)
    if (node.alive() && !node.is<Const>() && node.op_type().traits.moves_elements == 0) ops.push_back(node);
  if (ops.empty())  // the operator itself only moves elements
    for (const Node& node : created)
      if (node.alive() && !node.is<Const>()) ops.push_back(node);
  if (ops.size() > 1) std::erase_if(ops, [](const Node& node) { return node.op_type().traits.elementwise; });
  return ops.size() == 1 ? ops.front() : Node();
}

}  // namespace

bool OpReplacers::wants(const Pass& pass, std::string_view ir_op, const std::string& op) const {
  const auto looks_for = [&](std::string_view name) {
    return std::find(pass.roots.begin(), pass.roots.end(), name) != pass.roots.end();
  };
  if (!looks_for(ir_op) || looks_for(op) || looks_for(without_domain(op))) return false;
  return (!context_.config || context_.config->runs(pass)) && (!context_.may_run || context_.may_run(pass));
}

Expected<bool> OpReplacers::run(const Pass& pass, const Node& node) {
  const PassContext::Search search = std::exchange(context_.search, {});
  const std::string_view running = std::exchange(context_.pass, pass.name);
  auto explain = std::exchange(context_.explain, nullptr);
  if (context_.explain_others && context_.config && context_.config->explains(pass))
    context_.explain = [&](RuleVerdict verdict) {
      verdict.pass = pass.name;
      context_.explain_others(verdict);
    };
  context_.readers_wait = true;
  auto replaced = pass.run_at(node, context_);
  context_.readers_wait = false;
  if (context_.search.found) context_.found_translated.insert(pass.name);
  context_.explain = std::move(explain);
  context_.pass = running;
  context_.search = search;
  if (!replaced) return std::move(replaced).error().in_phase(fmt::format("inference, while running {}", pass.name));
  return replaced;
}

Expected<bool> OpReplacers::offer(const std::string& op, const std::vector<Node>& created) {
  const Node node = op_of(created);
  if (!node) return false;
  ++single_ops_;
  for (const Pass& pass : passes_) {
    if (!wants(pass, node.type(), op)) continue;
    MO_ASSIGN(const bool replaced, run(pass, node));
    if (replaced) return true;
  }
  return false;
}

}  // namespace mo::phases
