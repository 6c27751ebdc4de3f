#pragma once

#include <deque>
#include <list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/pass/runner.hpp"

namespace mo {

/// Runs passes in the order that their names and edges ask for.
///
/// The order within a phase: `run_after`/`run_before` edges, against passes of the same phase or of another one (where
/// it must be true anyway), or against the anchors FrontStart, FrontFinish, MiddleStart (PreMiddleStart), MiddleFinish
/// (PostMiddleStart), BackStart, BackFinish: a pass runs between begin and end of its phase unless it says
/// `run_before({"MiddleStart"})` or `run_after({"MiddleFinish"})`. Ties break by name (or by a seeded shuffle in tests:
/// an order that matters must be an edge). Unknown names and cycles are errors when the order is made.
class PassManager : public PassRunner {
 public:
  /// 0: ties by name; otherwise shuffled with this seed.
  unsigned shuffle_ties = 0;

  /// Error MO-PASS-0010 when a pass of that name is there already.
  Expected<void> add(Pass pass);
  /// All of them, where they are.
  Expected<void> add(std::deque<Pass> passes);
  /// All passes of a phase in order. Errors: MO-PASS-0011 (unknown name, or a pass of a phase on the wrong side),
  /// MO-PASS-0012 (the shortest cycle).
  Expected<std::vector<const Pass*>> order(Phase phase) const;
  /// Those of all phases, one phase after the other: a whole conversion. Errors: those of `order(phase)`.
  Expected<std::vector<const Pass*>> order() const;
  /// Checks the whole pipeline at start-up.
  Expected<void> check() const;
  /// Runs one phase. Errors: those of PassRunner.
  Expected<void> run(Phase phase, Graph& graph, PassContext& context);
  /// Runs passes of this manager in the order given, as far as `config` wants them. Errors: those of PassRunner.
  Expected<void> run(std::span<const Pass* const> passes, Graph& graph, PassContext& context);

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

  Expected<void> add_name(const Pass& pass);

  std::deque<Pass> single_;
  std::list<std::deque<Pass>> taken_;
  std::map<std::string_view, const Pass*> passes_;  ///< by name
  /// what `order` has found, for one `shuffle_ties`, since the last pass was added
  mutable std::map<Phase, std::vector<const Pass*>> ordered_;
  mutable unsigned ordered_ties_ = 0;
  std::vector<InVain> in_vain_;
};

}  // namespace mo
