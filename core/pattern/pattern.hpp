#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// One vertex of a pattern. Made through `Pat`; immutable once made.
struct PatternNode {
  enum class Kind : std::uint8_t { any, op, any_of };
  Kind kind = Kind::any;
  /// op: any of these op types fits (with `version` >= 0: exactly that class).
  struct OpName {
    std::string type;
    int version = -1;
  };
  std::vector<OpName> ops;
  std::vector<std::shared_ptr<const PatternNode>> inputs;  ///< op: its inputs; any_of: the alternatives
  bool inputs_given = false;                               ///< op: whether inputs are looked at
  int output = -1;                                         ///< op: only this output of the node; -1: any
  struct Condition {
    std::function<bool(const Value&)> holds;
    /// in words, for those who ask why something did not match; may be empty
    std::string what;
    std::optional<double> number;  ///< belongs to `what`
  };
  std::vector<Condition> conditions;
  bool constant = false;  ///< only a Const fits
  std::string alias;

  /// "Add or Subtract", "a Const", "any tensor".
  std::string describe() const;
};

/// A pattern is a value: a small tree (or DAG) that describes a tensor by how it is computed. Using one `Pat` twice
/// means "the same tensor". Refinements (`rank`, `one_use` …) give a new pattern; capture the refined one.
class Pat {
 public:
  explicit Pat(std::shared_ptr<const PatternNode> node) : node_(std::move(node)) {}

  /// Any further condition on the tensor; `what` says in words what it must be: "a matrix".
  Pat where(std::function<bool(const Value&)> holds, std::string what = {}) const;
  Pat rank(std::int64_t rank) const;
  Pat static_shape() const;
  Pat element_type(ElementType type) const;
  /// The tensor is a Const.
  Pat constant() const;
  /// Exactly one input port reads the tensor.
  Pat one_use() const;
  /// The attribute has this value.
  Pat attr(std::string name, AttributeValue value) const;
  /// Only output `i` of the node.
  Pat output(int i) const;
  /// A name by which the match can be asked for this tensor.
  Pat as(std::string alias) const;

  const PatternNode* get() const { return node_.get(); }
  const std::shared_ptr<const PatternNode>& node() const { return node_; }

 private:
  std::shared_ptr<PatternNode> refined() const { return std::make_shared<PatternNode>(*node_); }
  std::shared_ptr<const PatternNode> node_;
};

/// What a pattern was found to be: tensors by pattern, and the op nodes that take part.
class Match {
 public:
  /// The tensor that `pattern` stands for; asserted: it took part in the match.
  Value operator[](const Pat& pattern) const;
  /// An empty value when `pattern` took no part (another alternative was taken).
  Value find(const Pat& pattern) const;
  Value find(std::string_view alias) const;
  /// The node that produces the tensor of `pattern`.
  Node node(const Pat& pattern) const { return (*this)[pattern].node(); }
  Value root() const { return root_; }
  /// The nodes that matched op patterns, root first.
  std::vector<Node> nodes() const;

 private:
  friend class Matcher;
  struct Binding {
    const PatternNode* pattern;
    Value value;
  };
  std::vector<Binding> bindings_;
  Value root_;
};

/// How far a pattern that did not match came: the failure after the largest number of tensors that matched.
struct PartialMatch {
  enum class Reason : std::uint8_t {
    none,
    op,
    constant,
    output,
    condition,
    input_count,
    missing_input,
    repeated,
    steps
  };
  Reason reason = Reason::none;
  std::size_t fitted = 0;                ///< vertices of the pattern
  const PatternNode* pattern = nullptr;  ///< that failed; lives as long as the pattern
  Value value;                           ///< where
  std::size_t detail = 0;                ///< the condition; the number of inputs of the pattern
  Value expected;                        ///< repeated: the tensor that should be there

  /// "at 'relu' (ReLU): expected Clamp".
  std::string describe() const;
};

/// Matches one pattern. Backtracks over alternatives and over both orders of commutative ops, within a budget of steps,
/// so that no graph makes it run long.
class Matcher {
 public:
  explicit Matcher(const Pat& pattern);
  /// A match whose root is `root`; nothing when it does not fit: then `deepest` tells how far it came, for those who
  /// ask.
  std::optional<Match> match(const Value& root, PartialMatch* deepest = nullptr) const;
  /// Whether the graph has the ops that each match needs. O(size of the pattern).
  bool may_occur_in(const Graph& graph) const;
  /// Op types that a root can have; empty: any.
  std::vector<std::string> root_types() const;
  const Pat& pattern() const { return pattern_; }
  /// The number of inputs between the root and the farthest tensor that the pattern looks at: how far away a change can
  /// make a root match.
  std::size_t depth() const;

 private:
  Pat pattern_;
};

namespace pattern {

/// Any tensor.
Pat any();
/// Any Const.
Pat constant();
/// A Const whose elements all equal `value` (compared after rounding `value` to the element type).
Pat constant(double value);

Pat op_pattern(std::vector<PatternNode::OpName> ops, std::vector<Pat> inputs, bool inputs_given);
Pat op_pattern(std::initializer_list<OpId> ops, std::initializer_list<Pat> inputs, bool inputs_given);
Pat any_of(std::vector<Pat> alternatives);

template <class... P>
Pat any_of(const Pat& first, const P&... more) {
  return any_of(std::vector<Pat>{first, more...});
}

/// An output of a node of op T, whatever its attributes. Without inputs: they are not looked at. A number stands for
/// `constant(number)`.
template <OpLike T>
Pat op() {
  return op_pattern({T::id}, {}, false);
}
inline Pat as_pattern(const Pat& p) { return p; }
inline Pat as_pattern(double value) { return constant(value); }
template <OpLike T, class... P>
requires(sizeof...(P) > 0) Pat op(const P&... inputs) { return op_pattern({T::id}, {as_pattern(inputs)...}, true); }
/// As above, and every attribute equals that of `prototype`: `op(ops::Clamp{.min = 0, .max = 6}, x)`.
template <OpLike T, class... P>
Pat op(const T& prototype, const P&... inputs) {
  const auto wanted = std::make_shared<const T>(prototype);
  return op_pattern({T::id}, {as_pattern(inputs)...}, sizeof...(P) > 0)
      .where([wanted](const Value& v) { return same_attributes(OpType::of<T>(), v.node().payload(), wanted.get()); },
             "attributes as given");
}
/// An output of a node of one of several ops.
template <OpLike T, OpLike U, OpLike... More, class... P>
Pat any_op(const P&... inputs) {
  return op_pattern({T::id, U::id, More::id...}, {as_pattern(inputs)...}, sizeof...(P) > 0);
}
/// By type name, any class of it; also dynamic ops ("Gemm", "onnx::Foo").
template <class... P>
Pat named(std::string type, const P&... inputs) {
  return op_pattern(std::vector<PatternNode::OpName>{{std::move(type), -1}}, {as_pattern(inputs)...}, sizeof...(P) > 0);
}
/// `T(x)` or `x` itself.
template <OpLike T>
Pat optional(const Pat& x) {
  return any_of(op<T>(x), x);
}

}  // namespace pattern

}  // namespace mo
