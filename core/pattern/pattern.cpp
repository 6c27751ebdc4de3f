#include "core/pattern/pattern.hpp"

#include <absl/container/inlined_vector.h>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/diagnostics/misuse.hpp"
#include "core/tensor/convert.hpp"

namespace mo {

namespace {

std::string place_of(const Value& v) {
  const Node node = v.node();
  std::string_view name = node.name();
  if (name.empty() && !node.sources().empty()) name = node.sources().front();
  return name.empty() ? std::string(node.type()) : fmt::format("'{}' ({})", name, node.type());
}

/// Describes a tensor, for messages about what a pattern expected: "f32[2,3]", "f32[]: 0.3".
std::string facts_of(const Value& v) {
  constexpr std::size_t kShown = 4;
  const Const* const constant = v.node().as<Const>();
  std::string text = (constant ? constant->value.type() : v.type()).to_string();
  if (!constant || constant->value.element_count() == 0 || constant->value.element_count() > 1024) return text;
  const auto numbers = to_reals(constant->value);
  if (!numbers) return text;
  const std::size_t shown = std::min(kShown, numbers->size());
  return fmt::format("{}: {}{}", text,
                     fmt::join(numbers->begin(), numbers->begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < numbers->size() ? " …" : "");
}

}  // namespace

std::string PatternNode::describe() const {
  switch (kind) {
    case Kind::any: return constant ? "Const" : alias.empty() ? "any tensor" : alias;
    case Kind::any_of: return "one of several patterns";
    case Kind::op: break;
  }
  std::vector<std::string_view> names;
  for (const OpName& name : ops)
    if (std::find(names.begin(), names.end(), name.type) == names.end()) names.push_back(name.type);
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string PartialMatch::describe() const {
  if (!pattern) return "nothing was tried";
  std::string why;
  switch (reason) {
    case Reason::none: break;
    case Reason::op:
    case Reason::constant: why = fmt::format("expected {}", pattern->describe()); break;
    case Reason::output: why = fmt::format("expected output {}, got output {}", pattern->output, value.index()); break;
    case Reason::condition: {
      const PatternNode::Condition& condition = pattern->conditions[detail];
      why = condition.what.empty() ? "a condition of the pattern does not hold"
                                   : fmt::format("expected {}", condition.what);
      if (condition.number) why = fmt::format("expected {} {}", condition.what, *condition.number);
      why += fmt::format(", got {}", facts_of(value));
      break;
    }
    case Reason::input_count:
      why = fmt::format("expected {} inputs, got {}", detail, value.node().in_port_count());
      break;
    case Reason::missing_input: why = fmt::format("input {} is not connected", detail); break;
    case Reason::repeated: why = fmt::format("expected the tensor of {} again", place_of(expected)); break;
    case Reason::steps: why = "the search was stopped, there are too many possible matches"; break;
  }
  return fmt::format("at {}: {}", place_of(value), why);
}

Pat Pat::where(std::function<bool(const Value&)> holds, std::string what) const {
  auto node = refined();
  node->conditions.push_back({std::move(holds), std::move(what), {}});
  return Pat(std::move(node));
}

Pat Pat::rank(std::int64_t rank) const {
  auto node = refined();
  node->conditions.push_back(
      {[rank](const Value& v) { return v.type().rank() == rank; }, "rank", static_cast<double>(rank)});
  return Pat(std::move(node));
}

Pat Pat::static_shape() const {
  return where([](const Value& v) { return v.type().shape.is_static(); }, "static shape");
}

Pat Pat::element_type(ElementType type) const {
  return where([type](const Value& v) { return v.type().element_type == type; }, std::string(to_string(type)));
}

Pat Pat::constant() const {
  auto node = refined();
  node->constant = true;
  return Pat(std::move(node));
}

Pat Pat::one_use() const {
  return where([](const Value& v) { return v.has_one_destination(); }, "one reader");
}

Pat Pat::attr(std::string name, AttributeValue value) const {
  std::string what = "attribute " + name;
  return where(
      [name = std::move(name), value = std::move(value)](const Value& v) { return v.node().attribute(name) == value; },
      std::move(what));
}

Pat Pat::output(int i) const {
  auto node = refined();
  node->output = i;
  return Pat(std::move(node));
}

Pat Pat::as(std::string alias) const {
  auto node = refined();
  node->alias = std::move(alias);
  return Pat(std::move(node));
}

Value Match::find(const Pat& pattern) const {
  for (const Binding& b : bindings_)
    if (b.pattern == pattern.get()) return b.value;
  return {};
}

Value Match::find(std::string_view alias) const {
  for (const Binding& b : bindings_)
    if (b.pattern->alias == alias) return b.value;
  return {};
}

Value Match::operator[](const Pat& pattern) const {
  const Value value = find(pattern);
  if (!value) throw Misuse("the match was queried for a pattern that is not part of it; use find() to check");
  return value;
}

std::vector<Node> Match::nodes() const {
  std::vector<Node> found;
  for (const Binding& b : bindings_)
    if (b.pattern->kind == PatternNode::Kind::op)
      if (const Node node = b.value.node(); std::find(found.begin(), found.end(), node) == found.end())
        found.push_back(node);
  return found;
}

namespace {

struct Goal {
  const PatternNode* pattern;
  Value value;
  const Goal* next;
};

/// A pattern is a DAG: vertices that were measured already are not measured again.
// as deep as the pattern
std::size_t depth_of(const PatternNode* p, std::unordered_map<const PatternNode*, std::size_t>& known) {
  if (const auto it = known.find(p); it != known.end()) return it->second;
  std::size_t depth = 0;
  for (const auto& input : p->inputs) depth = std::max(depth, depth_of(input.get(), known));
  if (p->kind == PatternNode::Kind::op && !p->inputs.empty()) ++depth;
  return known[p] = depth;
}

}  // namespace

Matcher::Matcher(const Pat& pattern) : pattern_(pattern) {}

std::size_t Matcher::depth() const {
  std::unordered_map<const PatternNode*, std::size_t> known;
  return depth_of(pattern_.get(), known);
}

/// Depth-first search over goals; every choice tries the rest of the goals, so a later failure reaches earlier choices.
/// The depth is bounded by the size of the pattern.
std::optional<Match> Matcher::match(const Value& root, PartialMatch* deepest) const {
  struct Search {
    std::vector<Match::Binding> bindings;
    PartialMatch* deepest;
    int steps = 20'000;

    /// Remembers the failure if none was deeper. Gives false.
    bool fail(PartialMatch::Reason reason, const PatternNode& p, const Value& v, std::size_t detail = 0,
              const Value& expected = {}) const {
      if (deepest && (deepest->reason == PartialMatch::Reason::none || bindings.size() > deepest->fitted))
        *deepest = {reason, bindings.size(), &p, v, detail, expected};
      return false;
    }

    bool solve(const Goal* goal) {
      using Reason = PartialMatch::Reason;
      if (!goal) return true;
      const PatternNode& p = *goal->pattern;
      const Value& v = goal->value;
      if (--steps <= 0) return fail(Reason::steps, p, v);
      for (const Match::Binding& b : bindings)
        if (b.pattern == &p) return b.value == v ? solve(goal->next) : fail(Reason::repeated, p, v, 0, b.value);
      if (p.kind == PatternNode::Kind::op) {
        if (!op_fits(p, v)) return fail(Reason::op, p, v);
        if (p.output >= 0 && v.index() != static_cast<std::size_t>(p.output)) return fail(Reason::output, p, v);
      }
      if (p.constant && !v.node().is<Const>()) return fail(Reason::constant, p, v);
      for (std::size_t i = 0; i < p.conditions.size(); ++i)
        if (!p.conditions[i].holds(v)) return fail(Reason::condition, p, v, i);
      bindings.push_back({&p, v});
      if (expand(p, v, goal->next)) return true;
      bindings.pop_back();
      return false;
    }

    static bool op_fits(const PatternNode& p, const Value& v) {
      const OpType& type = v.node().op_type();
      return std::any_of(p.ops.begin(), p.ops.end(), [&](const PatternNode::OpName& name) {
        return name.type == type.name && (name.version < 0 || name.version == type.version);
      });
    }

    bool expand(const PatternNode& p, const Value& v, const Goal* rest) {
      using Reason = PartialMatch::Reason;
      const std::size_t depth = bindings.size();
      if (p.kind == PatternNode::Kind::any_of) {
        for (const auto& alternative : p.inputs) {
          const Goal goal{alternative.get(), v, rest};
          if (solve(&goal)) return true;
          bindings.resize(depth);
        }
        return false;
      }
      if (!p.inputs_given) return solve(rest);
      const Node node = v.node();
      std::size_t count = node.in_port_count();
      while (count > p.inputs.size() && !node.input(count - 1)) --count;
      if (count != p.inputs.size()) return fail(Reason::input_count, p, v, p.inputs.size());
      for (std::size_t i = 0; i < count; ++i)
        if (!node.input(i)) return fail(Reason::missing_input, p, v, i);
      absl::InlinedVector<Goal, 4> goals(count);
      const auto chain = [&](bool swapped) {
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t from = swapped && i < 2 ? 1 - i : i;
          goals[i] = {p.inputs[i].get(), node.input(from), i + 1 < count ? &goals[i + 1] : rest};
        }
        return count == 0 ? rest : &goals[0];
      };
      if (solve(chain(false))) return true;
      bindings.resize(depth);
      if (count < 2 || !node.op_type().traits.commutative) return false;
      if (solve(chain(true))) return true;
      bindings.resize(depth);
      return false;
    }
  };

  Search search{{}, deepest};
  const Goal goal{pattern_.get(), root, nullptr};
  if (!search.solve(&goal)) return std::nullopt;
  Match match;
  match.bindings_ = std::move(search.bindings);
  match.root_ = root;
  return match;
}

bool Matcher::may_occur_in(const Graph& graph) const {
  // A pattern is a DAG: vertices that were asked about already are not asked again.
  struct Search {
    const Graph& graph;
    std::vector<std::pair<const PatternNode*, bool>> known;

    bool ask(const PatternNode* p) {  // as deep as the pattern
      for (const auto& [pattern, answer] : known)
        if (pattern == p) return answer;
      const bool answer = find_out(*p);
      known.emplace_back(p, answer);
      return answer;
    }
    bool find_out(const PatternNode& p) {
      if (p.constant && !graph.has_op(OpId(Const::id).type)) return false;
      const auto may_occur = [&](const std::shared_ptr<const PatternNode>& input) { return ask(input.get()); };
      if (p.kind == PatternNode::Kind::any_of) return std::any_of(p.inputs.begin(), p.inputs.end(), may_occur);
      if (p.kind == PatternNode::Kind::any) return true;
      if (std::none_of(p.ops.begin(), p.ops.end(),
                       [&](const PatternNode::OpName& name) { return graph.has_op(name.type); }))
        return false;
      return !p.inputs_given || std::all_of(p.inputs.begin(), p.inputs.end(), may_occur);
    }
  };
  return Search{graph, {}}.ask(pattern_.get());
}

std::vector<std::string> Matcher::root_types() const {
  std::vector<std::string> types;
  std::vector<const PatternNode*> open = {pattern_.get()};
  while (!open.empty()) {
    const PatternNode* p = open.back();
    open.pop_back();
    if (p->kind == PatternNode::Kind::any) return {};
    if (p->kind == PatternNode::Kind::any_of)
      for (const auto& alternative : p->inputs) open.push_back(alternative.get());
    else
      for (const auto& name : p->ops) types.push_back(name.type);
  }
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

namespace pattern {

Pat any() { return Pat(std::make_shared<const PatternNode>()); }
Pat constant() { return any().constant(); }

Pat constant(double value) {
  auto node = std::make_shared<PatternNode>();
  node->constant = true;
  const auto holds = [value](const Value& v) {
    const Tensor& tensor = v.node().as<Const>()->value;
    // a pattern's number is a scalar or a few of them
    if (tensor.element_count() == 0 || tensor.byte_size() > 64 * 1024) return false;
    const auto wanted = from_reals(tensor.element_type(), {}, {value});
    const auto numbers = to_reals(tensor);
    if (!wanted || !numbers) return false;
    const auto rounded = to_reals(*wanted);
    // An integer constant does not equal a fraction that truncates to it.
    if (!rounded || (!is_real(tensor.element_type()) && rounded->front() != value)) return false;
    return std::all_of(numbers->begin(), numbers->end(), [&](double n) { return n == rounded->front(); });
  };
  node->conditions.push_back({holds, "all elements", value});
  return Pat(std::move(node));
}

Pat op_pattern(std::vector<PatternNode::OpName> ops, std::vector<Pat> inputs, bool inputs_given) {
  auto node = std::make_shared<PatternNode>();
  node->kind = PatternNode::Kind::op;
  node->ops = std::move(ops);
  for (const Pat& input : inputs) node->inputs.push_back(input.node());
  node->inputs_given = inputs_given;
  return Pat(std::move(node));
}

Pat op_pattern(std::initializer_list<OpId> ops, std::initializer_list<Pat> inputs, bool inputs_given) {
  std::vector<PatternNode::OpName> names;
  for (const OpId& id : ops) names.push_back({std::string(id.type), id.version});
  return op_pattern(std::move(names), std::vector<Pat>(inputs), inputs_given);
}

Pat any_of(std::vector<Pat> alternatives) {
  auto node = std::make_shared<PatternNode>();
  node->kind = PatternNode::Kind::any_of;
  for (const Pat& alternative : alternatives) node->inputs.push_back(alternative.node());
  return Pat(std::move(node));
}

}  // namespace pattern

}  // namespace mo
