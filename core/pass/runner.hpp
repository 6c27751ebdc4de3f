#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/pass/pass_config.hpp"

namespace mo {

struct PassTiming {
  std::string name;
  Phase phase;
  double seconds = 0;
  bool changed = false;
};

/// A pass or pipeline that ran, for those who watch. A group of rules that share one traversal is one pass.
struct PassEvent {
  const Pass& pass;
  const Graph& graph;
  double seconds = 0;
  bool changed = false;
  int depth = 0;             ///< number of pipelines around it
  bool is_pipeline = false;  ///< its steps were told before
};

/// Runs one pass over one graph, with limits, verification, explanation and observers. The only way in which
/// passes run: what comes next is decided by a conversion's order (PassManager), by the steps of a pipeline
/// (LibraryRun) or by the calls of `mo transform`.
class PassRunner {
 public:
  PassConfig config;
  /// Checks after every pass: the graph is well-formed, and the pass told the truth about having changed it.
  bool verify_each = false;
  /// Types of the whole graph are inferred again after each pass that changed something.
  bool infers_each = false;
  /// Whether a pass that is to run may; none: all. What it refuses is left out, whatever the graph is then good for
  /// (bisection).
  std::function<bool(const Pass&)> may_run;
  /// Called before each pass (progress).
  std::function<void(const Pass&, const Graph&)> before_pass;
  /// Called after each pass and pipeline that ran; an error of it ends the run.
  std::function<Expected<void>(const PassEvent&)> after_pass;
  /// Calls `watch` after each pass, too, after the current `after_pass`.
  void also_after_pass(std::function<void(const PassEvent&)> watch);
  /// Called with what the rules of the passes that `config` explains did.
  std::function<void(const RuleVerdict&)> on_verdict;

  /// Of all passes that ran, in their order.
  const std::vector<PassTiming>& timings() const { return timings_; }

 protected:
  struct PassResult {
    bool ran = false;
    bool changed = false;
    /// nothing was explained yet, and what the pass does after translation may be
    bool explains_later = false;
  };
  /// `runs`: whether the configuration wants the pass; one that does not run is explained, too. Errors: of the pass, of
  /// inference and of `after_pass`; MO-LIMIT-… when the work is too much; with `verify_each`, MO-PASS-0020 (the pass
  /// left an invalid graph) and MO-PASS-0021 (it was wrong about having changed it).
  Expected<PassResult> run_one(const Pass& pass, bool runs, Graph& graph, PassContext& context);
  /// Explains why no rule of `pass` said anything.
  void tell_silence_of(const Pass& pass, bool runs, bool changed) const;
  /// For `verify_each`: the next graph is another one, or was changed by something else than a pass.
  void forget_text() { text_.reset(); }

  int depth_ = 0;  ///< number of pipelines that run now

 private:
  std::vector<PassTiming> timings_;
  std::optional<std::string> text_;  ///< for `verify_each`, of the graph as the pass before left it, where it is known
};

/// Structural soundness: Results are connected, no cycle, no reader without a port. Error MO-PASS-0020 with the first
/// broken node.
Expected<void> verify(const Graph& graph);

}  // namespace mo
