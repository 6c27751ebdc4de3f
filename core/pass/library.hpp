#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/pass/runner.hpp"

namespace mo {

/// The catalogue of transformations: passes, groups and pipelines by name (that of nGraph, and others). They run on
/// request; what a conversion runs is in the PassRegistry.
class PassLibrary {
 public:
  /// Which nodes a transformation may meet: those of an IR, or channels-last ones as well (core/op/data_layout.hpp),
  /// whose operands it reads in their order.
  enum class Images { channels_first, any };
  /// A duplicate name is a problem. Of a described pass whose rules all have names of their own, each rule
  /// becomes a transformation, and the pass the group of them: so rules are enabled, disabled and run by their names.
  void add(Pass pass, Images images = Images::channels_first);
  bool takes_channels_last(std::string_view name) const { return of_any_layout_.contains(name); }
  /// By any of its names; null when there is none.
  const Pass* find(std::string_view name) const;
  /// All of them by name, rules apart.
  std::vector<const Pass*> passes() const;
  /// Duplicate names, and steps of pipelines that name nothing: MO-PASS-0010, MO-PASS-0011; a group of passes that are
  /// not rules, or that run in both directions, MO-PASS-0024; a pipeline that contains itself, MO-PASS-0012.
  Expected<void> check() const;
  /// Whether some pipeline has a group of that name.
  bool has_group(std::string_view name) const;
  /// How the one traversal of a group goes: backward when all of its members do (nGraph's BackwardGraphRewrite),
  /// forward when none does. Errors: MO-PASS-0011; MO-PASS-0024 for members of both kinds.
  Expected<RuleOrder> order_of(const PassStep& group) const;
  /// Error MO-PASS-0011 with the nearest name.
  Expected<const Pass*> get(std::string_view name) const;

 private:
  Expected<void> check_pipeline(const Pass& pass, std::vector<std::string>& inside) const;
  Expected<void> check_group_member(const Pass& group, const PassStep& step, const std::string& member) const;

  std::map<std::string, Pass, std::less<>> passes_;
  std::map<std::string, std::string, std::less<>> other_names_;
  std::set<std::string, std::less<>> rules_;  ///< names of transformations that are a rule of another one
  std::set<std::string, std::less<>> of_any_layout_;
  std::vector<Diagnostic> problems_;
};

/// Runs transformations of a library over one graph with types. nGraph's Manager with its PassConfig; pipelines inside
/// share the configuration.
class LibraryRun : public PassRunner {
 public:
  LibraryRun(const PassLibrary& library, DiagnosticSink& diagnostics, const Settings& settings)
      : library_(library), diagnostics_(diagnostics), settings_(settings) {
    infers_each = true;
  }

  /// Makes a graph and its bodies channels-first: called before a transformation that takes nothing else meets a graph
  /// with channels-last ops. None: that is error MO-PASS-0025.
  std::function<Expected<void>(Graph&)> make_channels_first;

  /// Says whether the graph changed. Errors: of `get` and of PassRunner; MO-PASS-0022, MO-PASS-0023 for parameters.
  Expected<bool> run(std::span<const PassStep> steps, Graph& graph);
  Expected<bool> run(std::string_view pass, Graph& graph);

 private:
  Expected<bool> run_step(const PassStep& step, Graph& graph, const Settings& settings);
  Expected<bool> run_use(const PassUse& use, Graph& graph, const Settings& settings);
  Expected<bool> run_pipeline(const Pass& pass, Graph& graph, const Settings& settings);
  Expected<bool> run_rules_of(const std::string& name, std::vector<RewriteRule> rules, RuleOrder order, Graph& graph,
                              const Settings& settings);
  Expected<void> check_layout(std::string_view pass, Graph& graph) const;
  Expected<bool> run_leaf(const Pass& pass, Graph& graph, const Settings& settings);
  Expected<void> collect(const PassUse& use, const Settings& settings, std::vector<RewriteRule>& rules) const;

  const PassLibrary& library_;
  DiagnosticSink& diagnostics_;
  const Settings& settings_;
};

/// A transformation of a library as a pass for a PassManager, or for code that runs passes one by one; `library`
/// outlives it. Types of the graph are inferred again when it changed something.
Pass as_pass(const PassLibrary& library, const Pass& transformation);

}  // namespace mo
