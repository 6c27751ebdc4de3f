#include "core/pass/library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/graph/bodies.hpp"
#include "core/inference/infer.hpp"
#include "core/support/nearest.hpp"
#include "core/support/stopwatch.hpp"

namespace mo {

namespace {

/// The rules of a described pass that have names of their own, each as a transformation; none when the pass is under a
/// condition, which its rules do not know. Rules of a pass without a description are its own affair.
std::vector<Pass> named_rules_of(const Pass& pass) {
  std::vector<Pass> found;
  if (!pass.rules || pass.condition || pass.fault || pass.description.after.empty()) return found;
  for (const RewriteRule& rule : *pass.rules) {
    if (rule.name == pass.name) return {};
    auto builder = graph_rewrite(rule.name)
                       .order(pass.order)
                       .described(pass.description.before, pass.description.after, "a rule of " + pass.name);
    for (const RewriteRule& other : *pass.rules)
      if (other.name == rule.name) builder = std::move(builder).add(other);
    if (std::none_of(found.begin(), found.end(), [&](const Pass& known) { return known.name == rule.name; }))
      found.push_back(std::move(builder).build());
  }
  return found;
}

}  // namespace

void PassLibrary::add(Pass pass, Images images) {
  const std::string name = pass.name;
  if (std::vector<Pass> rules = named_rules_of(pass); !rules.empty()) {
    PassStep group{name, {}};
    for (Pass& rule : rules) {
      group.passes.emplace_back(rule.name);
      rules_.insert(rule.name);
      add(std::move(rule), images);
    }
    pass.steps = {std::move(group)};
  }
  pass.enabled = true;  // of a conversion it may be off by default; here it is asked for by its name
  if (images == Images::any) of_any_layout_.insert(name);
  for (const std::string& other : pass.other_names)
    if (!other_names_.emplace(other, name).second || passes_.contains(other))
      problems_.push_back(
          error("MO-PASS-0010", "there are two transformations of the name {}", other).hint("rename one of them"));
  if (other_names_.contains(name) || !passes_.emplace(name, std::move(pass)).second)
    problems_.push_back(
        error("MO-PASS-0010", "there are two transformations of the name {}", name).hint("rename one of them"));
}

const Pass* PassLibrary::find(std::string_view name) const {
  if (const auto it = passes_.find(name); it != passes_.end()) return &it->second;
  const auto other = other_names_.find(name);
  return other == other_names_.end() ? nullptr : &passes_.find(other->second)->second;
}

std::vector<const Pass*> PassLibrary::passes() const {
  std::vector<const Pass*> all;
  for (const auto& [name, pass] : passes_)
    if (!rules_.contains(name)) all.push_back(&pass);
  return all;
}

bool PassLibrary::has_group(std::string_view name) const {
  for (const auto& [pass_name, pass] : passes_)
    for (const PassStep& step : pass.steps)
      if (!name.empty() && step.group == name) return true;
  return false;
}

Expected<const Pass*> PassLibrary::get(std::string_view name) const {
  if (const Pass* const pass = find(name)) return pass;
  std::vector<std::string> known;
  for (const auto& [known_name, pass] : passes_) known.push_back(known_name);
  for (const auto& [other, pass] : other_names_) known.push_back(other);
  return error("MO-PASS-0011", "there is no pass {}", name)
      .hint("{}mo opt --print-passes lists all", did_you_mean(name, known));
}

namespace {

/// A pipeline of one group is as good as its members inside of another group.
bool is_group(const Pass& pass) { return pass.steps.size() == 1 && !pass.steps.front().group.empty(); }

}  // namespace

Expected<void> PassLibrary::check_group_member(const Pass& group, const PassStep& step,
                                               const std::string& member) const {
  MO_ASSIGN(const Pass* const pass, get(member));
  if (pass->rules || is_group(*pass)) return {};
  return error("MO-PASS-0024", "{} cannot share the traversal {} of {}: it does not consist of rules", member,
               step.group, group.name)
      .hint("make it a separate step");
}

Expected<RuleOrder> PassLibrary::order_of(const PassStep& group) const {
  std::optional<RuleOrder> common;
  for (const PassUse& use : group.passes) {
    MO_ASSIGN(const Pass* const pass, get(use.pass));
    RuleOrder order = pass->order == RuleOrder::backward ? RuleOrder::backward : RuleOrder::forward;
    if (is_group(*pass)) { MO_ASSIGN(order, order_of(pass->steps.front())); }
    if (common && *common != order)
      return error("MO-PASS-0024", "{} cannot share the traversal {}: it meets the nodes in the opposite order",
                   pass->name, group.group)
          .hint("make it a separate step");
    common = order;
  }
  return common.value_or(RuleOrder::forward);
}

Expected<void> PassLibrary::check_pipeline(const Pass& pass, std::vector<std::string>& inside) const {
  if (std::find(inside.begin(), inside.end(), pass.name) != inside.end())
    return error("MO-PASS-0012", "a pipeline runs itself: {} -> {}", fmt::join(inside, " -> "), pass.name)
        .hint("look at its steps");
  inside.push_back(pass.name);
  for (const PassStep& step : pass.steps)
    for (const PassUse& use : step.passes) {
      if (!step.group.empty()) MO_TRY(check_group_member(pass, step, use.pass));
      MO_ASSIGN(const Pass* const member, get(use.pass));
      MO_TRY(check_pipeline(*member, inside));
    }
  inside.pop_back();
  return {};
}

Expected<void> PassLibrary::check() const {
  if (!problems_.empty()) return Error(std::vector<Diagnostic>(problems_));
  for (const auto& [name, pass] : passes_) {
    std::vector<std::string> inside;
    MO_TRY(check_pipeline(pass, inside));
    for (const PassStep& step : pass.steps)
      if (!step.group.empty()) { MO_ASSIGN([[maybe_unused]] const RuleOrder order, order_of(step)); }
  }
  return {};
}

namespace {

/// The settings with the parameters that were given for the pass.
Expected<Settings> with_parameters(const Settings& settings, const Pass& pass, const AttributeMap& given) {
  Settings made = settings;
  if (given.empty()) return made;
  if (!pass.configure)
    return error("MO-PASS-0022", "{} has no settings, but {} was given", pass.name, given.begin()->name)
        .hint("leave it out");
  MO_TRY(pass.configure(made, given));
  return made;
}

/// Counts a pipeline that runs, also when it ends with an error.
class Nesting {
 public:
  explicit Nesting(int& depth) : depth_(depth) { ++depth_; }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& depth_;
};

/// Rules of a library meet inputs before readers unless they say otherwise, as nGraph's do.
Pass inputs_first(const Pass& pass) {
  Pass ordered = pass;
  if (pass.rules && pass.order == RuleOrder::creation)
    ordered.run = [rules = pass.rules](Graph& graph, PassContext& context) {
      return run_rules(*rules, graph, context, RuleOrder::forward);
    };
  return ordered;
}

}  // namespace

Pass as_pass(const PassLibrary& library, const Pass& transformation) {
  Pass pass = inputs_first(transformation);
  if (!transformation.steps.empty()) {
    pass.into_bodies = false;  // its steps look into them
    pass.run = [&library, name = transformation.name](Graph& graph, PassContext& context) {
      return LibraryRun(library, context.diagnostics, context.settings).run(name, graph);
    };
    return pass;
  }
  pass.run = [run = std::move(pass.run)](Graph& graph, PassContext& context) -> Expected<bool> {
    MO_ASSIGN(const bool changed, run(graph, context));
    if (changed) MO_TRY(infer_graph(graph));
    return changed;
  };
  return pass;
}

Expected<void> LibraryRun::collect(const PassUse& use, const Settings& settings,
                                   std::vector<RewriteRule>& rules) const {
  MO_ASSIGN(const Pass* const pass, library_.get(use.pass));
  const bool on = use.enabled && pass->enabled;
  if ((use.when && !use.when(settings)) ||
      !(is_group(*pass) ? config.enters(pass->name, on) : config.runs(pass->name, on)))
    return {};
  MO_ASSIGN(Settings own, with_parameters(settings, *pass, use.parameters));
  if (is_group(*pass)) {
    for (const PassUse& member : pass->steps.front().passes) MO_TRY(collect(member, own, rules));
    return {};
  }
  if (!pass->rules)
    return error("MO-PASS-0024", "{} cannot share a traversal: it does not consist of rules", pass->name)
        .hint("make it a separate step");
  const auto shared = std::make_shared<const Settings>(std::move(own));
  for (const RewriteRule& rule : *pass->rules) {
    rules.push_back(rule);
    rules.back().pass = pass->name;
    // Each transformation sees its own settings.
    rules.back().replace = [replace = rule.replace, shared, name = pass->name](const Match& m, Rewriter& rw,
                                                                               PassContext& context) -> Replacement {
      PassContext inner{.diagnostics = context.diagnostics,
                        .settings = *shared,
                        .config = context.config,
                        .pass = name,
                        .explain = context.explain};
      return replace(m, rw, inner);
    };
  }
  return {};
}

Expected<void> LibraryRun::check_layout(std::string_view pass, Graph& graph) const {
  if (library_.takes_channels_last(pass)) return {};
  for (const Graph* const one : with_bodies(graph)) {
    if (!one->has_op_type([](const OpType& type) { return type.data_layout != nullptr; })) continue;
    for (const Node node : one->nodes()) {
      if (!node.op_type().is_channels_last(node.payload())) continue;
      if (make_channels_first) return make_channels_first(graph);
      return node.error("MO-PASS-0025", "{} takes channels-first images only", pass)
          .hint("change the layout before: LayoutChange");
    }
  }
  return {};
}

Expected<bool> LibraryRun::run_leaf(const Pass& pass, Graph& graph, const Settings& settings) {
  MO_TRY(check_layout(pass.name, graph));
  PassContext context{diagnostics_, settings, &config, {}, {}, {}};
  forget_text();
  MO_ASSIGN(const PassResult result, run_one(pass, true, graph, context));
  return result.changed;
}

Expected<bool> LibraryRun::run_rules_of(const std::string& name, std::vector<RewriteRule> rules, RuleOrder order,
                                        Graph& graph, const Settings& settings) {
  if (rules.empty()) return false;
  Pass pass;
  pass.name = name;
  pass.run = [&rules, order](Graph& one, PassContext& context) { return run_rules(rules, one, context, order); };
  return run_leaf(pass, graph, settings);
}

Expected<bool> LibraryRun::run_pipeline(const Pass& pass, Graph& graph, const Settings& settings) {
  const Stopwatch watch;
  const Nesting inside(depth_);
  bool changed = false;
  for (const PassStep& step : pass.steps) {
    MO_ASSIGN(const bool done, run_step(step, graph, settings));
    changed = changed || done;
  }
  if (after_pass) MO_TRY(after_pass({pass, graph, watch.seconds(), changed, depth_ - 1, /*is_pipeline=*/true}));
  return changed;
}

Expected<bool> LibraryRun::run_use(const PassUse& use, Graph& graph, const Settings& settings) {
  MO_ASSIGN(const Pass* const pass, library_.get(use.pass));
  if (use.when && !use.when(settings)) return false;
  // What is inside of a pipeline is chosen one by one.
  const bool runs = pass->steps.empty() ? config.runs(pass->name, use.enabled && pass->enabled)
                                        : config.enters(pass->name, use.enabled && pass->enabled);
  if (!runs) return false;
  MO_ASSIGN(const Settings own, with_parameters(settings, *pass, use.parameters));
  if (!pass->steps.empty()) return run_pipeline(*pass, graph, own);
  return run_leaf(inputs_first(*pass), graph, own);
}

Expected<bool> LibraryRun::run_step(const PassStep& step, Graph& graph, const Settings& settings) {
  if (step.group.empty()) {
    bool changed = false;
    for (const PassUse& use : step.passes) {
      MO_ASSIGN(const bool done, run_use(use, graph, settings));
      changed = changed || done;
    }
    return changed;
  }
  if (!config.enters(step.group, true)) return false;
  MO_ASSIGN(const RuleOrder order, library_.order_of(step));
  std::vector<RewriteRule> rules;
  for (const PassUse& use : step.passes) MO_TRY(collect(use, settings, rules));
  return run_rules_of(step.group, std::move(rules), order, graph, settings);
}

Expected<bool> LibraryRun::run(std::span<const PassStep> steps, Graph& graph) {
  for (const std::string& name : config.mentioned())
    if (!library_.has_group(name)) MO_TRY(library_.get(name));
  bool changed = false;
  for (const PassStep& step : steps) {
    MO_ASSIGN(const bool done, run_step(step, graph, settings_));
    changed = changed || done;
  }
  return changed;
}

Expected<bool> LibraryRun::run(std::string_view pass, Graph& graph) {
  return run(std::vector<PassStep>{{{}, {PassUse(std::string(pass))}}}, graph);
}

}  // namespace mo
