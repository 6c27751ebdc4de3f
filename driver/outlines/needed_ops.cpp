#include "driver/outlines/needed_ops.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/graph/builtin_ops.hpp"

namespace mo {
namespace {

/// Of a pattern; beyond, its root says enough.
constexpr std::size_t kLongest = 400;

/// What has to hold together, in the order in which it is asked; empty: nothing.
using AllOf = std::vector<std::string>;

void add_to(AllOf& needs, std::string text) {
  if (!text.empty() && std::find(needs.begin(), needs.end(), text) == needs.end()) needs.push_back(std::move(text));
}

std::string text_of(const AllOf& needs) { return fmt::format("{}", fmt::join(needs, "&")); }

/// "(A|B)", as one of several things that have to hold; empty when an alternative needs nothing.
std::string any_text(const std::set<std::string>& alternatives) {
  if (alternatives.empty() || alternatives.contains("")) return {};
  return alternatives.size() == 1 ? *alternatives.begin() : fmt::format("({})", fmt::join(alternatives, "|"));
}

/// What Matcher::may_occur_in asks of a graph. As deep as the pattern.
AllOf needs_of(const PatternNode& pattern) {
  AllOf needs;
  std::set<std::string> alternatives;
  switch (pattern.kind) {
    case PatternNode::Kind::any: break;
    case PatternNode::Kind::any_of:
      for (const auto& input : pattern.inputs) alternatives.insert(text_of(needs_of(*input)));
      add_to(needs, any_text(alternatives));
      break;
    case PatternNode::Kind::op:
      for (const PatternNode::OpName& op : pattern.ops) alternatives.insert(op.type);
      add_to(needs, any_text(alternatives));
      if (!pattern.inputs_given) break;
      const AllOf root = needs;
      for (const auto& input : pattern.inputs)
        for (std::string& need : needs_of(*input)) add_to(needs, std::move(need));
      if (text_of(needs).size() > kLongest) needs = root;
  }
  if (pattern.constant) add_to(needs, std::string(OpId(Const::id).type));
  return needs;
}

/// The ops that a rule starts from come first: most graphs lack them.
AllOf needs_of(const RewriteRule& rule) {
  AllOf needs;
  // before types are known, rules may start from names that are not those of ops
  if (rule.framework_names) return needs;
  add_to(needs, any_text({rule.root_types.begin(), rule.root_types.end()}));
  if (rule.matcher)
    for (std::string& need : needs_of(*rule.matcher->pattern().get())) add_to(needs, std::move(need));
  return needs;
}

/// Reads a text from its begin on, and asks the graph only for what is not decided yet.
class NeededOps {
 public:
  NeededOps(std::string_view text, const Graph& graph) : text_(text), graph_(graph) {}

  /// All that is needed, up to the first thing that is missing.
  bool all_there() {
    do {
      if (!one(true)) return false;
    } while (take('&'));
    return true;
  }

 private:
  bool any(bool asks) {
    bool found = all(asks);
    while (take('|')) found = all(asks && !found) || found;
    return found;
  }
  bool all(bool asks) {
    bool found = one(asks);
    while (take('&')) found = one(asks && found) && found;
    return found;
  }
  bool one(bool asks) {
    if (take('(')) {
      const bool found = any(asks);
      take(')');
      return found;
    }
    std::size_t size = 0;
    while (size < text_.size() && text_[size] != '&' && text_[size] != '|' && text_[size] != ')') ++size;
    const std::string_view op = text_.substr(0, size);
    text_.remove_prefix(size);
    return asks && graph_.has_op(op);
  }
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::string_view text_;
  const Graph& graph_;
};

}  // namespace

std::string needed_ops(const Pass& pass) {
  std::set<std::string> rules;
  for (const RewriteRule& rule : *pass.rules) rules.insert(text_of(needs_of(rule)));
  if (rules.contains("")) return {};
  if (rules.size() == 1) return *rules.begin();
  AllOf needs;
  add_to(needs, any_text({pass.roots.begin(), pass.roots.end()}));
  add_to(needs, any_text(rules));
  return text_of(needs);
}

bool has_needed_ops(std::string_view needed, const Graph& graph) {
  return needed.empty() || NeededOps(needed, graph).all_there();
}

}  // namespace mo
