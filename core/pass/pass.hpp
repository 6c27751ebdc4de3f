#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"
#include "core/pass/runtime_fault.hpp"
#include "core/pass/settings.hpp"
#include "core/pattern/pattern.hpp"

namespace mo {

/// When a pass runs. extraction: framework nodes become ops, the user's cuts. front: before shapes are known.
/// inference: the steps that find them. middle, back: with shapes. finish: what every IR needs, after all replacers.
enum class Phase : std::uint8_t { extraction, front, inference, middle, back, finish };
inline constexpr Phase kPhases[] = {Phase::extraction, Phase::front, Phase::inference,
                                    Phase::middle,     Phase::back,  Phase::finish};

std::string_view to_string(Phase phase);

class PassConfig;
struct Pass;

/// What became of one rule at one node that has an op which the rule starts from. Without a node: what became of a
/// whole pass.
struct RuleVerdict {
  enum class Outcome : std::uint8_t { no_match, declined, replaced };
  std::string_view pass;
  std::string_view rule;
  std::string_view node;  ///< its name, or that of what it was made of
  std::string_view op;
  Outcome outcome = Outcome::no_match;
  std::size_t fitted = 0;  ///< no_match: vertices of the pattern that fitted before the deepest failure
  /// no_match: that failure; declined: the reason that the rule gave, if any; of a pass: all there is to say
  std::string why;
};

/// One line: "PReLUFusion: PReLUOfSum at 'sum' (Add): no match after 3 tensors, at 'erf' (Erf): expected Multiply".
std::string to_string(const RuleVerdict& verdict);

/// What a pass may ask for besides the graph.
struct PassContext {
  DiagnosticSink& diagnostics;
  const Settings& settings;
  const PassConfig* config = nullptr;
  std::string_view pass = {};  ///< that runs; the engine sets it
  /// Rules and patterns leave here what became of them, for those who run passes.
  struct Search {
    bool searched = false;  ///< something was looked for
    bool found = false;     ///< and there it was
    std::string why = {};   ///< of a pattern: where the search ended, when it found nothing
  };
  Search search = {};
  /// Passes that found something at a node that a translator had made (Pass::run_at).
  std::set<std::string, std::less<>> found_translated = {};
  /// Whether a pass that another one runs (Pass::run_at) may, besides what the configuration says; empty: all may.
  std::function<bool(const Pass&)> may_run = {};
  /// What reads the node at work has no types yet: a replacement may be of another type.
  bool readers_wait = false;
  /// Where rules report what they did and why not; empty: nothing is recorded.
  std::function<void(const RuleVerdict&)> explain = {};
  /// What `explain` is for passes that run inside of another one; empty: nothing is recorded.
  std::function<void(const RuleVerdict&)> explain_others = {};

  /// Whether a callback of the configuration (PassConfig::set_callback) wants `node` to stay as it is; tells `explain`
  /// then. Of rules, the engine asks; a pass that is a function asks before it changes a node, and says so
  /// (GraphPassBuilder::asks_nodes).
  bool skips(const Node& node) const;
};

/// One pattern and what to do where it matches. Made by `rewrite`, run alone or inside `graph_rewrite`.
struct RewriteRule {
  using Replace = std::function<Replacement(const Match&, Rewriter&, PassContext&)>;
  std::string name;
  std::vector<std::string> root_types;  ///< empty: any
  std::optional<Matcher> matcher;       ///< none: every node of `root_types` matches
  Replace replace;
  /// `root_types` may also be what the framework calls the operator, extracted or not
  bool framework_names = false;
  bool once = false;  ///< all places are found first: what the rule made is not looked at again
  /// that it is of, where it runs in one traversal with rules of others; empty: the one that runs
  std::string pass = {};

  RewriteRule(std::string name, std::vector<std::string> root_types, std::optional<Matcher> matcher, Replace replace);
  RewriteRule(const RewriteRule& other);
  RewriteRule(RewriteRule&& other) noexcept;
  RewriteRule& operator=(const RewriteRule& other);
  RewriteRule& operator=(RewriteRule&& other) noexcept;
  ~RewriteRule();
};

/// The order in which rules meet the nodes. creation: as nodes were made, the cheapest. forward: inputs first.
/// backward: readers first (nGraph's BackwardGraphRewrite). Nodes that a rule made are looked at next, in the order
/// that they were made in.
enum class RuleOrder : std::uint8_t { creation, forward, backward };

/// A transformation of a library inside of a pipeline.
struct PassUse {
  PassUse(const char* pass) : pass(pass) {}  // NOLINT: a list of names is a list of uses
  PassUse(std::string pass, bool enabled = true, AttributeMap parameters = {},
          std::function<bool(const Settings&)> when = {})
      : pass(std::move(pass)), enabled(enabled), parameters(std::move(parameters)), when(std::move(when)) {}
  std::string pass;
  /// otherwise only when the configuration enables it by name
  bool enabled = true;
  AttributeMap parameters = {};                    ///< for its settings
  std::function<bool(const Settings&)> when = {};  ///< none: always
};

/// One step of a pipeline: a transformation, or several made of rules that share one traversal (nGraph's GraphRewrite)
/// under a name of their own.
struct PassStep {
  std::string group;  ///< empty: a single transformation
  std::vector<PassUse> passes;
};

/// What a transformation does, for its page and for `--describe`.
struct PassDescription {
  std::string before;      ///< algebra: "x * sigmoid(x)"
  std::string after;       ///< "Swish(x)"
  std::string conditions;  ///< beyond the form; empty: none
};

/// A transformation: a value that says what it is called, when it runs, and what it does. Built by the functions below.
struct Pass {
  Pass();
  Pass(const Pass& other);
  Pass(Pass&& other) noexcept;
  Pass& operator=(const Pass& other);
  Pass& operator=(Pass&& other) noexcept;
  ~Pass();

  std::string name;
  std::vector<std::string> other_names = {};  ///< by which it is found as well
  PassDescription description = {};
  Phase phase = Phase::middle;
  /// names of passes and anchors that run before this one
  std::vector<std::string> after;
  /// names of passes and anchors that run after this one
  std::vector<std::string> before;
  std::function<bool(const Graph&, const PassContext&)> condition;  ///< none: always
  bool enabled = true;
  bool into_bodies = true;       ///< the engine runs it on the bodies of sub-graph ops as well
  std::vector<std::string> ops;  ///< names of the ops that it looks for, where its author wrote names
  /// The pass changes only graphs that have one of these ops: it is not run on others. Empty: any graph.
  std::vector<std::string> looks_for;
  /// of a pass that is made of rules: what they start from; empty: anything
  std::vector<std::string> roots;
  bool by_rules = false;
  std::shared_ptr<const std::vector<RewriteRule>> rules = {};  ///< of a pass that is made of rules
  RuleOrder order = RuleOrder::creation;
  /// of a function: it asks PassContext::skips (of rules, the engine asks)
  bool asks_nodes = false;
  /// of a function that does not ask: why it treats all nodes or none
  std::string whole_graph;
  /// of a pipeline, which a library runs (core/pass/library.hpp)
  std::vector<PassStep> steps = {};
  /// that it avoids: it runs only for targets that read an IR in a release which has the fault
  std::shared_ptr<const RuntimeFault> fault = {};
  std::string plugin;  ///< that brought it; empty for mo's own
  /// not named by its author: it is called like the op that it looks for
  bool named_by_op = false;
  /// names of its settings, in the order of their declaration
  std::vector<std::string> parameters = {};
  /// Sets settings of the pass's own by name (--transform Name[key=value]); none: it has no settings.
  std::function<Expected<void>(Settings& settings, const AttributeMap& given)> configure;
  /// Says whether the graph changed.
  std::function<Expected<bool>(Graph&, PassContext&)> run;
  /// Of a replacer of the front phase that looks for an op by name: tries it at a node that a translator has just made,
  /// before anything that reads it was inferred. Says whether the graph changed.
  std::function<Expected<bool>(const Node&, PassContext&)> run_at = {};
};

/// Common part of the builders. `Self` is the builder itself, so that calls chain in any order.
template <class Self>
class PassBuilder {
 public:
  Self phase(Phase phase) && { return pass_.phase = phase, self(); }
  Self run_after(std::vector<std::string> names) && { return append(pass_.after, std::move(names)), self(); }
  Self run_before(std::vector<std::string> names) && { return append(pass_.before, std::move(names)), self(); }
  Self when(std::function<bool(const Graph&, const PassContext&)> condition) && {
    return pass_.condition = std::move(condition), self();
  }
  Self disabled_by_default() && { return pass_.enabled = false, self(); }
  Self also_called(std::vector<std::string> names) && { return append(pass_.other_names, std::move(names)), self(); }
  /// In words or algebra: what it looks for, what comes out, and what must hold besides.
  Self described(std::string before, std::string after, std::string conditions = {}) && {
    pass_.description = {std::move(before), std::move(after), std::move(conditions)};
    return self();
  }
  /// The pass keeps a form out of the IR that some releases compute wrongly. It runs when the target is `fault.last` or
  /// an older release, whose IRs the faulty ones read as well, so what it writes instead is computed right by all of
  /// them.
  Self avoids(RuntimeFault fault) && {
    pass_.description = {fault.form, fault.replacement, fault.symptom};
    pass_.fault = std::make_shared<const RuntimeFault>(std::move(fault));
    return self();
  }
  Self order(RuleOrder order) && { return pass_.order = order, self(); }
  Self only_top_level() && { return pass_.into_bodies = false, self(); }
  /// The pass has settings of its own: the declared members of S, which the user gives by name (--transform
  /// Name[key=value]) and the pass gets by `context.settings.get<S>()`. One struct for each pass.
  template <Record S>
  Self settings() && {
    for (const AttributeInfo& info : attribute_infos<S>()) pass_.parameters.emplace_back(info.name);
    pass_.configure = [](Settings& settings, const AttributeMap& given) -> Expected<void> {
      S made = settings.get<S>();
      MO_TRY(set_by_name(made, given));
      settings.set(std::move(made));
      return {};
    };
    return self();
  }
  /// The pass does nothing to a graph that has none of these ops: it costs nothing there.
  template <OpLike... T>
  Self looks_for() && {
    const auto add = [&](const OpId& id) { pass_.looks_for.emplace_back(id.type); };
    return (add(T::id), ...), self();
  }

 protected:
  explicit PassBuilder(std::string name, Phase phase) {
    pass_.name = std::move(name);
    pass_.phase = phase;
  }
  Self self() { return std::move(static_cast<Self&>(*this)); }
  static void append(std::vector<std::string>& to, std::vector<std::string> names) {
    to.insert(to.end(), names.begin(), names.end());
  }
  Pass pass_;
};

/// A function over the whole graph. nGraph's FunctionPass/ModelPass, the Model Optimizer's find_and_replace_pattern.
/// The function decides itself whether a node that the configuration keeps stays as it is; one of the library says
/// which of the two it does.
class GraphPassBuilder : public PassBuilder<GraphPassBuilder> {
 public:
  explicit GraphPassBuilder(std::string name) : PassBuilder(std::move(name), Phase::middle) {}
  /// It asks `context.skips(node)` before it changes a node.
  GraphPassBuilder asks_nodes() && { return pass_.asks_nodes = true, std::move(*this); }
  /// It does not ask: `why` it changes all nodes or none.
  GraphPassBuilder whole_graph(std::string why) && { return pass_.whole_graph = std::move(why), std::move(*this); }
  Pass run(std::function<Expected<bool>(Graph&, PassContext&)> fn) &&;
};
inline GraphPassBuilder graph_pass(std::string name) { return GraphPassBuilder(std::move(name)); }

/// Many rules, one traversal, indexed by the type of the root op. nGraph's GraphRewrite.
class GraphRewriteBuilder : public PassBuilder<GraphRewriteBuilder> {
 public:
  explicit GraphRewriteBuilder(std::string name) : PassBuilder(std::move(name), Phase::middle) {}
  GraphRewriteBuilder add(RewriteRule rule) &&;
  Pass build() &&;
  operator Pass() && { return std::move(*this).build(); }  // NOLINT

 private:
  std::vector<RewriteRule> rules_;
};
inline GraphRewriteBuilder graph_rewrite(std::string name) { return GraphRewriteBuilder(std::move(name)); }

/// One pattern, one replacement. nGraph's MatcherPass. `replace` gives a Pass; `rule` gives the part for
/// `graph_rewrite`.
class RewriteBuilder : public PassBuilder<RewriteBuilder> {
 public:
  explicit RewriteBuilder(std::string name) : PassBuilder(std::move(name), Phase::middle) {}
  RewriteBuilder match(const Pat& pattern) &&;
  template <class Fn>
  Pass replace(Fn fn) && {
    return std::move(*this).build(std::move(*this).rule(std::move(fn)));
  }
  /// `fn(match, rewriter)` or `fn(match, rewriter, context)`.
  template <class Fn>
  RewriteRule rule(Fn fn) && {
    if constexpr (std::is_invocable_v<Fn, const Match&, Rewriter&, PassContext&>)
      return make_rule(std::move(fn));
    else
      return make_rule(
          [fn = std::move(fn)](const Match& m, Rewriter& rw, PassContext&) -> Replacement { return fn(m, rw); });
  }

 private:
  RewriteRule make_rule(RewriteRule::Replace replace) const;
  Pass build(RewriteRule rule) &&;
  std::optional<Matcher> matcher_;
};
inline RewriteBuilder rewrite(std::string name) { return RewriteBuilder(std::move(name)); }

/// One op by name -> a sub-graph; `fn(node, rewriter)` returns one value for each output. The Model Optimizer's
/// FrontReplacementOp. The name is that of the framework ("Sub", or with its domain "com.microsoft::Gelu") or that of
/// an op ("Subtract"), whichever the author wrote, and each operator of the model is offered once: in the front phase
/// under its framework's name, or as the op that it is already; otherwise when it becomes a single op, which is when
/// inference reaches it. Then the node has the attributes of the op, its inputs have types and values, and what reads
/// it has not been inferred yet. So a name of the IR finds the operator of every framework. All places are found first:
/// a replacement may contain the op.
class ReplacementOpBuilder : public PassBuilder<ReplacementOpBuilder> {
 public:
  explicit ReplacementOpBuilder(std::string op) : PassBuilder(op, Phase::front), op_(std::move(op)) {
    pass_.named_by_op = true;
  }
  /// The op is one that no table of mo or of a plugin knows: its name is not checked.
  ReplacementOpBuilder of_unknown_op() && { return checks_name_ = false, std::move(*this); }
  /// Another name than that of the op.
  ReplacementOpBuilder named(std::string name) && {
    pass_.name = std::move(name);
    pass_.named_by_op = false;
    return std::move(*this);
  }
  template <class Fn>
  Pass replace_op(Fn fn) && {
    if constexpr (std::is_invocable_v<Fn, const Node&, Rewriter&, PassContext&>)
      return std::move(*this).build(
          [fn = std::move(fn)](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
            return fn(m.root().node(), rw, ctx);
          });
    else
      return std::move(*this).build([fn = std::move(fn)](const Match& m, Rewriter& rw, PassContext&) -> Replacement {
        return fn(m.root().node(), rw);
      });
  }

 private:
  Pass build(RewriteRule::Replace replace) &&;
  std::string op_;
  bool checks_name_ = true;
};
inline ReplacementOpBuilder front_replacement_op(std::string op) { return ReplacementOpBuilder(std::move(op)); }

/// Transformations of a library, by name and in order. nGraph's container passes.
class PipelineBuilder : public PassBuilder<PipelineBuilder> {
 public:
  explicit PipelineBuilder(std::string name) : PassBuilder(std::move(name), Phase::middle) {}
  PipelineBuilder then(PassUse use) &&;
  PipelineBuilder then(std::string pass, AttributeMap parameters) && {
    return std::move(*this).then(PassUse{std::move(pass), true, std::move(parameters)});
  }
  /// Transformations made of rules (or groups of such) in one traversal, where the first that fits wins.
  PipelineBuilder group(std::string name, std::vector<PassUse> uses) &&;
  Pass build() && { return std::move(pass_); }
  operator Pass() && { return std::move(pass_); }  // NOLINT
};
inline PipelineBuilder pipeline(std::string name) { return PipelineBuilder(std::move(name)); }
/// For PipelineBuilder::group: this transformation only runs when the configuration enables it.
inline PassUse off(std::string pass) { return {std::move(pass), false}; }

/// Runs rules over one graph (not its bodies) in the order given. New nodes are looked at again, and the readers of
/// what changed, as far away as the deepest pattern reaches. Visits only nodes of the ops that rules start from, and
/// looks no further when the graph lacks ops that every rule needs. A budget of rewrites in proportion to the graph
/// ends rules that undo each other, or one that matches its own result: error MO-PASS-0004.
Expected<bool> run_rules(const std::vector<RewriteRule>& rules, Graph& graph, PassContext& context,
                         RuleOrder order = RuleOrder::creation);

/// Tries rules at one node, in their order; says whether one replaced it. nGraph's `MatcherPass::apply(node)`.
Expected<bool> apply_rules(const std::vector<RewriteRule>& rules, const Node& node, PassContext& context);

/// Runs a pass on a graph, and on all bodies inside when it wants that; inner bodies first. Adds the phase and the pass
/// to errors.
Expected<bool> run_pass(const Pass& pass, Graph& graph, PassContext& context);

}  // namespace mo
