#include "core/pass/runner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/inference/infer.hpp"
#include "core/support/budget.hpp"
#include "core/support/stopwatch.hpp"
#include "core/text/printer.hpp"

namespace mo {

void PassRunner::also_after_pass(std::function<void(const PassEvent&)> watch) {
  after_pass = [before = std::move(after_pass), watch = std::move(watch)](const PassEvent& event) -> Expected<void> {
    if (before) MO_TRY(before(event));
    watch(event);
    return {};
  };
}

namespace {

/// A pass of which no rule had anything to say.
std::string silence_of(const Pass& pass, bool runs, bool changed) {
  if (!runs) return "it does not run: it is disabled, or not among those of --only-pass";
  if (!pass.by_rules)
    return fmt::format("it does not consist of rules; it {}", changed ? "changed the graph" : "changed nothing");
  if (pass.roots.empty()) return "there was no node to visit";
  std::vector<std::string> roots = pass.roots;
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return fmt::format("no node has an op that its rules start from: {}", fmt::join(roots, ", "));
}

/// What a pass that changes nothing leaves as it is.
std::string text_of(const Graph& graph) { return to_text(graph, {.types = true}); }

/// Whether `pass` told the truth, and what it left is sound.
Expected<void> check_result(const Pass& pass, bool changed, const std::string& before, const Graph& graph) {
  if (auto sound = verify(graph); !sound)
    return std::move(sound).error().in_phase(fmt::format("{}, after {}", to_string(pass.phase), pass.name));
  if (!changed && before != text_of(graph))
    return error("MO-PASS-0021", "pass {} changed the graph but reported no change", pass.name);
  return {};
}

}  // namespace

void PassRunner::tell_silence_of(const Pass& pass, bool runs, bool changed) const {
  on_verdict({.pass = pass.name, .why = silence_of(pass, runs, changed)});
}

Expected<PassRunner::PassResult> PassRunner::run_one(const Pass& pass, bool runs, Graph& graph, PassContext& context) {
  if (before_pass) before_pass(pass, graph);
  const bool explained = on_verdict && config.explains(pass);
  if (!runs) {
    if (explained) tell_silence_of(pass, false, false);
    return PassResult{};
  }
  if (may_run && !may_run(pass)) return PassResult{};
  bool told = false;
  if (explained)
    context.explain = [&](RuleVerdict verdict) {
      told = true;
      verdict.pass = pass.name;
      on_verdict(verdict);
    };
  context.explain_others = on_verdict;
  context.may_run = may_run;
  context.search = {};
  // Taken, so that it is not there for the next pass when this one fails.
  std::optional<std::string> before = std::exchange(text_, std::nullopt);
  if (verify_each && !before) before = text_of(graph);
  const Stopwatch watch;
  Expected<bool> done = run_pass(pass, graph, context);
  context.explain = nullptr;
  MO_ASSIGN(const bool changed, std::move(done));
  if (auto spent = spend(graph.node_count()); !spent)
    return std::move(spent).error().in_phase(std::string(to_string(pass.phase)));
  if (changed && infers_each) MO_TRY(infer_graph(graph));
  timings_.push_back({pass.name, pass.phase, watch.seconds(), changed});
  const bool tries_later = pass.phase < Phase::inference && pass.run_at;
  if (explained && !told && !tries_later) tell_silence_of(pass, true, changed);
  if (verify_each) {
    MO_TRY(check_result(pass, changed, *before, graph));
    text_ = changed ? std::nullopt : std::move(before);
  }
  if (after_pass) MO_TRY(after_pass({pass, graph, timings_.back().seconds, changed, depth_}));
  return PassResult{.ran = true, .changed = changed, .explains_later = explained && !told && tries_later};
}

Expected<void> verify(const Graph& graph) {
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  for (const Node& node : order) {
    if (node.is<Result>() && !node.input(0)) return node.error("MO-PASS-0020", "a Result is not connected");
    for (const InPort& port : node.in_ports())
      if (const Value source = port.get_source(); source && !source.node().alive())
        return node.error("MO-PASS-0020", "input {} reads a node that was erased", port.index());
    for (Graph* body : node.bodies()) MO_TRY(verify(*body));
  }
  return {};
}

}  // namespace mo
