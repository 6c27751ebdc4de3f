#pragma once

#include <initializer_list>
#include <map>
#include <set>

#include "core/pass/pass.hpp"

namespace mo {

/// Which passes run, and for which nodes. Passes are addressed by name.
class PassConfig {
 public:
  void enable(std::string name) { disabled_.erase(name), enabled_.insert(std::move(name)); }
  void disable(std::string name) { enabled_.erase(name), disabled_.insert(std::move(name)); }
  /// Only these passes run (the steps of phases extraction, inference and finish run anyway).
  void only(std::vector<std::string> names) { only_.insert(names.begin(), names.end()); }
  bool runs(const Pass& pass) const;
  /// Of a transformation inside a pipeline: whoever was enabled by name runs where it is off by default.
  bool runs(std::string_view name, bool by_default) const;
  /// Of a pipeline or group: `only` chooses among what is inside of it.
  bool enters(std::string_view name, bool by_default) const;

  /// No rule of a pass replaces the nodes for which its callback says true. `pass`: a pass, or one of its rules, or ""
  /// for all that have no callback of their own. nGraph's transformation_callback; the engine asks it for every rule
  /// that matched, and passes that are functions ask PassContext::skips where a single node makes sense to them
  /// (docs/library.md says which).
  void set_callback(std::string pass, std::function<bool(const Node&)> callback) {
    callbacks_[std::move(pass)] = std::move(callback);
  }
  bool leaves_alone(std::string_view pass, const Node& node) const { return leaves_alone({pass}, node); }
  /// The first of `names` that has a callback decides, then the callback for all.
  bool leaves_alone(std::initializer_list<std::string_view> names, const Node& node) const;

  /// These passes tell what each of their rules did at each node, and why not.
  void explain(std::vector<std::string> names) { explained_.insert(names.begin(), names.end()); }
  bool explains(const Pass& pass) const { return explained_.contains(pass.name); }

  /// All names that enable, disable, only and explain mention; the manager checks that they exist.
  std::set<std::string> mentioned() const;

 private:
  std::set<std::string> enabled_;
  std::set<std::string> disabled_;
  std::set<std::string> only_;
  std::set<std::string> explained_;
  std::map<std::string, std::function<bool(const Node&)>, std::less<>> callbacks_;
};

struct PassTiming {
  std::string name;
  Phase phase;
  double seconds = 0;
  bool changed = false;
};

/// Runs passes in the order that their names and edges ask for.
///
/// The order within a phase: `run_after`/`run_before` edges, against passes of the same phase or of another one (where
/// it must be true anyway), or against the anchors FrontStart, FrontFinish, MiddleStart (PreMiddleStart), MiddleFinish
/// (PostMiddleStart), BackStart, BackFinish: a pass runs between begin and end of its phase unless it says
/// `run_before({"MiddleStart"})` or `run_after({"MiddleFinish"})`. Ties break by name (or by a seeded shuffle in tests:
/// an order that matters must be an edge). Unknown names and cycles are errors when the order is made.
class PassManager {
 public:
  PassConfig config;
  /// Checks after every pass: the graph is well-formed, and the pass told the truth about having changed it.
  bool verify_each = false;
  /// 0: ties by name; otherwise shuffled with this seed.
  unsigned shuffle_ties = 0;
  /// Called after each pass that ran.
  std::function<void(const Pass&, const Graph&, bool changed)> after_pass;
  /// Whether a pass that is to run may; none: all. What it refuses is left out, whatever the graph is then good for
  /// (bisection).
  std::function<bool(const Pass&)> may_run;
  /// Called before each pass, with its place in the whole pipeline (progress).
  std::function<void(const Pass&, std::size_t done, std::size_t total)> before_pass;

  /// Called with what the rules of the passes that `config` explains did.
  std::function<void(const RuleVerdict&)> on_verdict;

  /// Error MO-PASS-0010 when a pass of that name is there already.
  Expected<void> add(Pass pass);
  /// All passes of a phase in order. Errors: MO-PASS-0011 (unknown name, or a pass of a phase on the wrong side),
  /// MO-PASS-0012 (the shortest cycle).
  Expected<std::vector<const Pass*>> order(Phase phase) const;
  /// Checks the whole pipeline at start-up.
  Expected<void> check() const;
  /// Runs one phase. Errors: of the pass, and MO-PASS-0020 (a pass left an invalid graph), MO-PASS-0021 (a pass was
  /// wrong about having changed it) with `verify_each`.
  Expected<void> run(Phase phase, Graph& graph, PassContext& context);

  const std::vector<PassTiming>& timings() const { return timings_; }
  std::size_t pass_count() const { return passes_.size(); }
  const Pass* find(std::string_view name) const;
  /// Names by phase, one a line: `--print-pipeline`.
  Expected<std::string> describe() const;

 private:
  /// A replacer of a plugin that found nothing: it may be for another model, or its author is wrong about the names.
  struct InVain {
    const Pass* pass;
    std::string why;
    bool explained;  ///< it is still to be explained that there was nothing
  };
  /// Warning MO-PLUGIN-0028 for each that found nothing after translation either. Behind inference, when it is known
  /// what became of the operators.
  void report_in_vain(const Graph& graph, PassContext& context);

  std::map<std::string, Pass, std::less<>> passes_;
  std::vector<InVain> in_vain_;
  std::vector<PassTiming> timings_;
  std::size_t done_ = 0;
};

/// Structural soundness: Results are connected, no cycle, no reader without a port. Error MO-PASS-0020 with the first
/// broken node.
Expected<void> verify(const Graph& graph);

}  // namespace mo
