#include "core/pass/pass_manager.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <unordered_map>

#include "core/graph/bodies.hpp"
#include "core/pass/framework_names.hpp"
#include "core/support/log.hpp"
#include "core/support/nearest.hpp"
#include "core/support/stopwatch.hpp"

namespace mo {

Expected<void> PassManager::add(Pass pass) { return add_name(single_.emplace_back(std::move(pass))); }

Expected<void> PassManager::add(std::deque<Pass> passes) {
  for (const Pass& pass : taken_.emplace_back(std::move(passes))) MO_TRY(add_name(pass));
  return {};
}

Expected<void> PassManager::add_name(const Pass& pass) {
  ordered_.clear();
  if (!passes_.emplace(pass.name, &pass).second)
    return error("MO-PASS-0010", "there are two passes of the name {}", pass.name).hint("rename one of them");
  return {};
}

const Pass* PassManager::find(std::string_view name) const {
  const auto it = passes_.find(name);
  return it == passes_.end() ? nullptr : it->second;
}

namespace {

/// "MiddleStart" and "MiddleFinish" stand for the begin and the end of a phase, as in the Model Optimizer, which has
/// two more names for them.
struct Anchor {
  std::string_view name;
  Phase phase;
  bool is_start;
};
constexpr Anchor kAnchors[] = {{"FrontStart", Phase::front, true},      {"FrontFinish", Phase::front, false},
                               {"PreMiddleStart", Phase::middle, true}, {"MiddleStart", Phase::middle, true},
                               {"MiddleFinish", Phase::middle, false},  {"PostMiddleStart", Phase::middle, false},
                               {"BackStart", Phase::back, true},        {"BackFinish", Phase::back, false}};

const Anchor* find_anchor(std::string_view name) {
  if (!name.ends_with("Start") && !name.ends_with("Finish")) return nullptr;  // as most names
  const auto* it =
      std::find_if(std::begin(kAnchors), std::end(kAnchors), [&](const Anchor& anchor) { return anchor.name == name; });
  return it == std::end(kAnchors) ? nullptr : it;
}

using PassesByName = std::map<std::string_view, const Pass*>;

/// The order of the passes of one phase: a graph whose vertices are the passes, and the begin and the end of the phase.
class PhaseOrder {
 public:
  PhaseOrder(Phase phase, std::vector<const Pass*> members) : phase_(phase), members_(std::move(members)) {
    place_.reserve(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) place_[members_[i]->name] = i;
    later_.resize(members_.size() + 2);
    before_begin_.resize(members_.size());
    after_end_.resize(members_.size());
  }

  Expected<std::vector<const Pass*>> sorted(const PassesByName& all) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      for (const std::string& name : members_[i]->after) MO_TRY(add_edge(i, name, /*runs_after=*/true, all));
      for (const std::string& name : members_[i]->before) MO_TRY(add_edge(i, name, /*runs_after=*/false, all));
    }
    // A pass that does not declare that it runs outside runs between begin and end.
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (!before_begin_[i]) later_[begin()].push_back(i);
    later_[begin()].push_back(end());
    std::vector<std::size_t> waiting(later_.size());
    for (const auto& targets : later_)
      for (const std::size_t target : targets) ++waiting[target];
    waiting[end()] += static_cast<std::size_t>(std::count(after_end_.begin(), after_end_.end(), false));
    // Anchors first, so that they delay no pass; then by place.
    const auto rank = [&](std::size_t i) { return i >= members_.size() ? i - members_.size() : i + 2; };
    const auto is_later = [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(is_later)> ready(is_later);
    for (std::size_t i = 0; i < waiting.size(); ++i)
      if (waiting[i] == 0) ready.push(i);
    std::vector<const Pass*> ordered;
    ordered.reserve(members_.size());
    std::size_t done = 0;
    for (; !ready.empty(); ++done) {
      const std::size_t i = ready.top();
      ready.pop();
      if (i < members_.size()) ordered.push_back(members_[i]);
      for (const std::size_t next : later_[i])
        if (--waiting[next] == 0) ready.push(next);
      if (i < members_.size() && !after_end_[i] && --waiting[end()] == 0) ready.push(end());
    }
    if (done == later_.size()) return ordered;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (!after_end_[i]) later_[i].push_back(end());
    return error("MO-PASS-0012", "the order of passes is a cycle: {}", shortest_cycle(waiting))
        .hint("look at their run_after and run_before");
  }

 private:
  std::size_t begin() const { return members_.size(); }
  std::size_t end() const { return members_.size() + 1; }

  Expected<void> add_edge(std::size_t member, const std::string& name, bool runs_after, const PassesByName& all) {
    const Pass& pass = *members_[member];
    const Anchor* const anchor = find_anchor(name);
    if (!anchor)
      if (const auto it = place_.find(name); it != place_.end()) {
        runs_after ? later_[it->second].push_back(member) : later_[member].push_back(it->second);
        return {};
      }
    const auto other = all.find(name);
    if (!anchor && other == all.end()) {
      std::vector<std::string> known;
      for (const auto& [known_name, known_pass] : all) known.emplace_back(known_name);
      return of_author(pass,
                       error("MO-PASS-0011", "pass {} is ordered against {}, which does not exist", pass.name, name)
                           .hint("{}mo opt --print-passes lists all", did_you_mean(name, known)));
    }
    const Phase phase = anchor ? anchor->phase : other->second->phase;
    if (phase == phase_) {  // an anchor
      const std::size_t place = anchor->is_start ? begin() : end();
      runs_after ? later_[place].push_back(member) : later_[member].push_back(place);
      if (anchor->is_start != runs_after) (anchor->is_start ? before_begin_ : after_end_)[member] = true;
      return {};
    }
    if ((phase < phase_) == runs_after) return {};  // true without further ado
    return of_author(pass, error("MO-PASS-0011", "pass {} of phase {} cannot run {} {}, which phase {} has", pass.name,
                                 to_string(phase_), runs_after ? "after" : "before", name, to_string(phase))
                               .hint("phases run in the order extraction, front, inference, middle, back, finish; give "
                                     "the pass another phase"));
  }

  /// The order that a pass asks for is its author's error.
  static Diagnostic of_author(const Pass& pass, Diagnostic diagnostic) {
    if (!pass.plugin.empty()) diagnostic.plugin_code = fmt::format("pass {} of plugin {}", pass.name, pass.plugin);
    return diagnostic;
  }

  /// "A -> B -> A" among the vertices that still wait.
  std::string shortest_cycle(const std::vector<std::size_t>& waiting) const {
    std::vector<std::size_t> best;
    for (std::size_t start = 0; start < later_.size(); ++start) {
      if (waiting[start] == 0) continue;
      std::map<std::size_t, std::size_t> from;  // breadth first
      std::deque<std::size_t> open = {start};
      bool closed = false;
      while (!open.empty() && !closed) {
        const std::size_t at = open.front();
        open.pop_front();
        for (const std::size_t next : later_[at]) {
          if (waiting[next] == 0 || from.contains(next)) continue;
          from[next] = at;
          if (next == start) {
            closed = true;
            break;
          }
          open.push_back(next);
        }
      }
      if (!closed) continue;
      std::vector<std::size_t> cycle = {start};
      for (std::size_t at = from[start]; at != start; at = from[at]) cycle.push_back(at);
      if (best.empty() || cycle.size() < best.size()) best = cycle;
    }
    std::string text;
    for (auto it = best.rbegin(); it != best.rend(); ++it) text += fmt::format("{} -> ", name_of(*it));
    return best.empty() ? text : text + std::string(name_of(best.back()));
  }

  std::string_view name_of(std::size_t i) const {
    return i < members_.size() ? std::string_view(members_[i]->name) : i == begin() ? "the begin" : "the end";
  }

  Phase phase_;
  std::vector<const Pass*> members_;
  std::unordered_map<std::string_view, std::size_t> place_;
  std::vector<std::vector<std::size_t>> later_;
  std::vector<bool> before_begin_;
  std::vector<bool> after_end_;
};

}  // namespace

Expected<std::vector<const Pass*>> PassManager::order(Phase phase) const {
  if (ordered_ties_ != shuffle_ties) ordered_.clear();
  ordered_ties_ = shuffle_ties;
  if (const auto known = ordered_.find(phase); known != ordered_.end()) return known->second;
  std::vector<const Pass*> members;  // by name
  for (const auto& [name, pass] : passes_)
    if (pass->phase == phase) members.push_back(pass);
  if (shuffle_ties != 0) std::shuffle(members.begin(), members.end(), std::mt19937(shuffle_ties));
  MO_ASSIGN(ordered_[phase], PhaseOrder(phase, std::move(members)).sorted(passes_));
  return ordered_[phase];
}

Expected<std::vector<const Pass*>> PassManager::order() const {
  std::vector<const Pass*> all;
  for (const Phase phase : kPhases) {
    MO_ASSIGN(const std::vector<const Pass*> ordered, order(phase));
    all.insert(all.end(), ordered.begin(), ordered.end());
  }
  return all;
}

Expected<void> PassManager::check() const {
  MO_ASSIGN([[maybe_unused]] const auto ordered, order());
  for (const std::string& name : config.mentioned()) {
    if (find(name)) continue;
    std::vector<std::string> known;
    for (const auto& [known_name, pass] : passes_) known.emplace_back(known_name);
    return error("MO-PASS-0011", "there is no pass {}", name)
        .hint("{}mo opt --print-passes lists all", did_you_mean(name, known));
  }
  return {};
}

namespace {

/// What the framework of this model calls the operators that have become `op`: "Conv2D, Conv2DBackpropInput".
std::string called_here(std::string_view op, const Graph& graph) {
  std::set<std::string> names;
  for (const Graph* one : with_bodies(const_cast<Graph&>(graph)))
    for (const Node node : one->nodes())
      if (node.is(op))
        if (const std::string_view name = without_domain(node.origin().op); !name.empty() && name != op)
          names.emplace(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What the log says of a phase: a line for each pass that changed something (debug), and one for all of it (info).
class PhaseLog {
 public:
  PhaseLog(Phase phase, Graph& graph) : phase_(phase), graph_(graph) {
    if (log::enabled(log::Level::info)) at_start_ = before_ = count();
  }
  void ran(const PassTiming& pass) {
    ++ran_;
    changed_ += pass.changed ? 1 : 0;
    if (!pass.changed || !log::enabled(log::Level::debug)) return;
    const std::size_t after = count();
    log::debug("pass {} ({}): {} -> {} nodes, {:.3f} ms", pass.name, to_string(phase_), before_, after,
               pass.seconds * 1e3);
    before_ = after;
  }
  void finish() const {
    if (!log::enabled(log::Level::info)) return;
    log::info("phase {}: {} of {} passes changed something, {} -> {} nodes, {:.3f} s", to_string(phase_), changed_,
              ran_, at_start_, count(), watch_.seconds());
  }

 private:
  /// Nodes of the graph and its bodies.
  std::size_t count() const {
    std::size_t nodes = 0;
    for (const Graph* graph : with_bodies(graph_)) nodes += graph->node_count();
    return nodes;
  }

  Phase phase_;
  Graph& graph_;
  Stopwatch watch_;
  std::size_t ran_ = 0;
  std::size_t changed_ = 0;
  std::size_t at_start_ = 0;
  std::size_t before_ = 0;
};

bool is_replacer_of_plugin(const Pass& pass) {
  return !pass.plugin.empty() && (pass.phase == Phase::extraction || pass.phase == Phase::front);
}

}  // namespace

Expected<void> PassManager::run(Phase phase, Graph& graph, PassContext& context) {
  MO_ASSIGN(const std::vector<const Pass*> ordered, order(phase));
  if (!ordered.empty()) return run(ordered, graph, context);
  PhaseLog(phase, graph).finish();
  if (phase == Phase::inference) report_in_vain(graph, context);
  return {};
}

Expected<void> PassManager::run(std::span<const Pass* const> passes, Graph& graph, PassContext& context) {
  forget_text();
  std::optional<PhaseLog> phase_log;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const Pass& pass = *passes[i];
    const bool begins_phase = i == 0 || passes[i - 1]->phase != pass.phase;
    const bool ends_phase = i + 1 == passes.size() || passes[i + 1]->phase != pass.phase;
    if (begins_phase) phase_log.emplace(pass.phase, graph);
    auto done = run_one(pass, config.runs(pass), graph, context);
    if (pass.phase == Phase::inference && (!done || ends_phase)) report_in_vain(graph, context);
    MO_ASSIGN(const PassResult result, std::move(done));
    if (result.ran) {
      if (is_replacer_of_plugin(pass) && context.search.searched && !context.search.found)
        in_vain_.push_back({&pass, context.search.why, result.explains_later});
      phase_log->ran(timings().back());
    }
    if (ends_phase) phase_log->finish();
  }
  return {};
}

void PassManager::report_in_vain(const Graph& graph, PassContext& context) {
  for (const InVain& search : std::exchange(in_vain_, {})) {
    const Pass& pass = *search.pass;
    if (context.found_translated.contains(pass.name)) continue;
    if (search.explained) tell_silence_of(pass, true, false);
    Diagnostic warned =
        warning("MO-PLUGIN-0028", "pass {} of plugin {} found nothing to replace{}", pass.name, pass.plugin,
                pass.ops.empty() ? "" : fmt::format(": it looks for {}", fmt::join(pass.ops, ", ")))
            .hint("ignore this if it is for other models; mo inspect lists the operators of this one");
    if (!search.why.empty()) warned.add_note(search.why);
    for (const std::string& op : pass.ops)
      if (const std::string names = called_here(op, graph); !names.empty())
        warned.add_note(
            fmt::format("in this model {} comes from {}: use that name, or .phase(Phase::middle)", op, names));
    context.diagnostics.report(std::move(warned));
  }
}

Expected<std::string> PassManager::describe() const {
  std::string text;
  for (const Phase phase : kPhases) {
    MO_ASSIGN(const auto ordered, order(phase));
    text += fmt::format("{}:\n", to_string(phase));
    for (const Pass* pass : ordered)
      text += fmt::format("  {}{}\n", pass->name, config.runs(*pass) ? "" : " (disabled)");
  }
  return text;
}

}  // namespace mo
