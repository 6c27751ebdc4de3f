#include "core/pass/pass_manager.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "core/support/nearest.hpp"
#include "core/text/printer.hpp"

namespace mo {

bool PassConfig::runs(const Pass& pass) const {
  if (disabled_.contains(pass.name)) return false;
  const bool optional_phase = pass.phase == Phase::front || pass.phase == Phase::middle || pass.phase == Phase::back;
  if (!only_.empty() && optional_phase) return only_.contains(pass.name);
  return pass.enabled || enabled_.contains(pass.name);
}

bool PassConfig::leaves_alone(std::string_view pass, const Node& node) const {
  for (const std::string_view name : {pass, std::string_view()})
    if (const auto it = callbacks_.find(name); it != callbacks_.end()) return it->second(node);
  return false;
}

std::set<std::string> PassConfig::mentioned() const {
  std::set<std::string> names = enabled_;
  names.insert(disabled_.begin(), disabled_.end());
  names.insert(only_.begin(), only_.end());
  return names;
}

Expected<void> PassManager::add(Pass pass) {
  const std::string name = pass.name;
  if (!passes_.emplace(name, std::move(pass)).second)
    return error("MO-PASS-0010", "there are two passes of the name {}", name).hint("rename one of them");
  return {};
}

const Pass* PassManager::find(std::string_view name) const {
  const auto it = passes_.find(name);
  return it == passes_.end() ? nullptr : &it->second;
}

Expected<std::vector<const Pass*>> PassManager::order(Phase phase) const {
  std::vector<const Pass*> members;  // by name
  for (const auto& [name, pass] : passes_)
    if (pass.phase == phase) members.push_back(&pass);
  if (shuffle_ties != 0) std::shuffle(members.begin(), members.end(), std::mt19937(shuffle_ties));
  std::map<std::string_view, std::size_t> place;
  for (std::size_t i = 0; i < members.size(); ++i) place[members[i]->name] = i;
  std::vector<std::vector<std::size_t>> later(members.size());
  std::vector<std::size_t> waiting(members.size());
  const auto edge = [&](const std::string& from, const std::string& to, const Pass& owner) -> Expected<void> {
    for (const std::string& name : {from, to}) {
      if (place.contains(name)) continue;
      std::vector<std::string> known;
      for (const Pass* pass : members) known.push_back(pass->name);
      return error("MO-PASS-0011", "pass {} is ordered against {}, which phase {} does not have", owner.name, name, to_string(phase))
          .hint("did you mean {}?", nearest(name, known));
    }
    later[place[from]].push_back(place[to]);
    ++waiting[place[to]];
    return {};
  };
  for (const Pass* pass : members) {
    for (const std::string& name : pass->after) MO_TRY(edge(name, pass->name, *pass));
    for (const std::string& name : pass->before) MO_TRY(edge(pass->name, name, *pass));
  }
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (waiting[i] == 0) ready.insert(i);
  std::vector<const Pass*> ordered;
  while (!ready.empty()) {
    const std::size_t i = *ready.begin();
    ready.erase(ready.begin());
    ordered.push_back(members[i]);
    for (const std::size_t next : later[i])
      if (--waiting[next] == 0) ready.insert(next);
  }
  if (ordered.size() < members.size()) {
    std::vector<std::string> stuck;
    for (std::size_t i = 0; i < members.size(); ++i)
      if (waiting[i] > 0) stuck.push_back(members[i]->name);
    return error("MO-PASS-0012", "the order of these passes is a cycle: {}", fmt::join(stuck, ", ")).hint("look at their run_after and run_before");
  }
  return ordered;
}

Expected<void> PassManager::check() const {
  for (const Phase phase : kPhases) { MO_ASSIGN([[maybe_unused]] const auto ordered, order(phase)); }
  std::vector<std::string> known;
  for (const auto& [name, pass] : passes_) known.push_back(name);
  for (const std::string& name : config.mentioned())
    if (!find(name)) return error("MO-PASS-0011", "there is no pass {}", name).hint("did you mean {}?", nearest(name, known));
  return {};
}

Expected<void> PassManager::run(Phase phase, Graph& graph, PassContext& context) {
  MO_ASSIGN(const std::vector<const Pass*> ordered, order(phase));
  for (const Pass* pass : ordered) {
    if (before_pass) before_pass(*pass, done_, passes_.size());
    ++done_;
    if (!config.runs(*pass)) continue;
    const std::string text_before = verify_each ? to_text(graph, {.types = true}) : std::string();
    const auto start = std::chrono::steady_clock::now();
    MO_ASSIGN(const bool changed, run_pass(*pass, graph, context));
    timings_.push_back({pass->name, phase, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), changed});
    if (verify_each) {
      if (auto sound = verify(graph); !sound) return std::move(sound).error().in_phase(fmt::format("{}, after {}", to_string(phase), pass->name));
      const bool differs = text_before != to_text(graph, {.types = true});
      if (differs && !changed) return error("MO-PASS-0021", "pass {} changed the graph and said that it did not", pass->name);
    }
    if (after_pass) after_pass(*pass, graph, changed);
  }
  return {};
}

Expected<std::string> PassManager::describe() const {
  std::string text;
  for (const Phase phase : kPhases) {
    MO_ASSIGN(const auto ordered, order(phase));
    text += fmt::format("{}:\n", to_string(phase));
    for (const Pass* pass : ordered) text += fmt::format("  {}{}\n", pass->name, config.runs(*pass) ? "" : " (disabled)");
  }
  return text;
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
