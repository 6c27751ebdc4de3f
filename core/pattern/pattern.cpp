#include "core/pattern/pattern.hpp"

#include <algorithm>

#include "core/diagnostics/misuse.hpp"
#include "core/tensor/convert.hpp"

namespace mo {

Pat Pat::where(std::function<bool(const Value&)> predicate) const {
  auto node = refined();
  node->predicates.push_back(std::move(predicate));
  return Pat(std::move(node));
}

Pat Pat::rank(std::int64_t rank) const {
  return where([rank](const Value& v) { return v.type().rank() == rank; });
}

Pat Pat::static_shape() const {
  return where([](const Value& v) { return v.type().shape.is_static(); });
}

Pat Pat::element_type(ElementType type) const {
  return where([type](const Value& v) { return v.type().element_type == type; });
}

Pat Pat::constant() const {
  return where([](const Value& v) { return v.node().is<Const>(); });
}

Pat Pat::one_use() const {
  return where([](const Value& v) { return v.has_one_destination(); });
}

Pat Pat::attr(std::string name, AttributeValue value) const {
  return where([name = std::move(name), value = std::move(value)](const Value& v) { return v.node().attribute(name) == value; });
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
  if (!value) throw Misuse("the match was asked for a pattern that took no part in it; find() says whether one did");
  return value;
}

std::vector<Node> Match::nodes() const {
  std::vector<Node> found;
  for (const Binding& b : bindings_)
    if (b.pattern->kind == PatternNode::Kind::op)
      if (const Node node = b.value.node(); std::find(found.begin(), found.end(), node) == found.end()) found.push_back(node);
  return found;
}

namespace {

struct Goal {
  const PatternNode* pattern;
  Value value;
  const Goal* next;
};

}  // namespace

/// Depth-first search over goals; every choice tries the rest of the goals, so a later failure reaches earlier choices.
/// The depth is bounded by the size of the pattern.
std::optional<Match> Matcher::match(const Value& root) const {
  struct Search {
    std::vector<Match::Binding> bindings;
    int steps = 20'000;

    bool solve(const Goal* goal) {
      if (!goal) return true;
      if (--steps <= 0) return false;
      const PatternNode& p = *goal->pattern;
      const Value& v = goal->value;
      for (const Match::Binding& b : bindings)
        if (b.pattern == &p) return b.value == v && solve(goal->next);
      if (p.kind == PatternNode::Kind::op && !op_fits(p, v)) return false;
      for (const auto& predicate : p.predicates)
        if (!predicate(v)) return false;
      bindings.push_back({&p, v});
      if (expand(p, v, goal->next)) return true;
      bindings.pop_back();
      return false;
    }

    static bool op_fits(const PatternNode& p, const Value& v) {
      if (p.output >= 0 && v.index() != static_cast<std::size_t>(p.output)) return false;
      const OpType& type = v.node().op_type();
      return std::any_of(p.ops.begin(), p.ops.end(), [&](const PatternNode::OpName& name) {
        return name.type == type.name && (name.version < 0 || name.version == type.version);
      });
    }

    bool expand(const PatternNode& p, const Value& v, const Goal* rest) {
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
      if (count != p.inputs.size()) return false;
      for (std::size_t i = 0; i < count; ++i)
        if (!node.input(i)) return false;
      std::vector<Goal> goals(count);
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

  Search search;
  const Goal goal{pattern_.get(), root, nullptr};
  if (!search.solve(&goal)) return std::nullopt;
  Match match;
  match.bindings_ = std::move(search.bindings);
  match.root_ = root;
  return match;
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
  return constant().where([value](const Value& v) {
    const Tensor& tensor = v.node().as<Const>()->value;
    if (tensor.element_count() == 0 || tensor.byte_size() > 64 * 1024) return false;  // a pattern's number is a scalar or a few of them
    const auto wanted = from_reals(tensor.element_type(), {}, {value});
    const auto numbers = to_reals(tensor);
    if (!wanted || !numbers) return false;
    const auto rounded = to_reals(*wanted);
    // An integer constant does not equal a fraction that truncates to it.
    if (!rounded || (!is_real(tensor.element_type()) && rounded->front() != value)) return false;
    return std::all_of(numbers->begin(), numbers->end(), [&](double n) { return n == rounded->front(); });
  });
}

Pat op_pattern(std::vector<PatternNode::OpName> ops, std::vector<Pat> inputs, bool inputs_given) {
  auto node = std::make_shared<PatternNode>();
  node->kind = PatternNode::Kind::op;
  node->ops = std::move(ops);
  for (const Pat& input : inputs) node->inputs.push_back(input.node());
  node->inputs_given = inputs_given;
  return Pat(std::move(node));
}

Pat any_of(std::vector<Pat> alternatives) {
  auto node = std::make_shared<PatternNode>();
  node->kind = PatternNode::Kind::any_of;
  for (const Pat& alternative : alternatives) node->inputs.push_back(alternative.node());
  return Pat(std::move(node));
}

}  // namespace pattern

}  // namespace mo
