#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/op/op_type.hpp"
#include "core/types/size_symbols.hpp"

namespace mo {

class Graph;
class Node;

/// Integers of which some are not known yet: the value of a shape computation. `elements` are in row-major order;
/// a known element may be negative (a -1 in a Reshape pattern).
struct PartialValue {
  Shape shape;
  std::vector<Dimension> elements;
  bool operator==(const PartialValue&) const = default;
};

/// What inference knows of one tensor.
struct TensorFact {
  TensorType type;
  Tensor value;                                 ///< when completely known, else empty
  std::shared_ptr<const PartialValue> partial;  ///< when partly known, else null
};

/// The same in place, without a copy. Null pointers: no input; not known.
struct FactView {
  const TensorType* type = nullptr;
  const Tensor* value = nullptr;
  const std::shared_ptr<const PartialValue>* partial = nullptr;
};

/// How the graphs that an op owns are inferred. Without one, they are inferred as they are; partial inference brings
/// one that turns framework nodes into ops on the way.
class BodyInference {
 public:
  BodyInference() = default;
  BodyInference(const BodyInference&) = delete;
  BodyInference& operator=(const BodyInference&) = delete;
  virtual ~BodyInference() = default;
  /// What is known of the Results when the Parameters have these facts. `repeats`: may be asked again with other facts;
  /// the last answer counts.
  virtual Expected<std::vector<TensorFact>> infer(Graph& body, const std::vector<TensorFact>& inputs, bool repeats) = 0;
  /// The owner of the body is inferred: the last answer stands.
  virtual void settle(Graph& body) = 0;
  /// Nodes of a body that lie in `graph` now, in topological order: infers them. What a node becomes takes over its
  /// readers.
  virtual Expected<void> infer_inlined(Graph& graph, const std::vector<Node>& nodes) = 0;
};

/// Symbols are numbered per graph, so they mean nothing on the other side of a body's border.
TensorFact without_symbols(TensorFact fact);
/// Larger values are not tracked as partly known.
inline constexpr std::int64_t kMaxPartialElements = 1024;

/// The view that `infer` of an op has of its node: input facts in, output types out. Inputs that are not connected are
/// absent; reading them gives a dynamic type. An op never edits the graph here.
class InferContext {
 public:
  /// What `inputs` views must outlive the context.
  InferContext(const OpType& op, std::span<const FactView> inputs, std::size_t outputs, BodyInference* bodies = nullptr,
               SizeSymbols* symbols = nullptr)
      : op_(&op), inputs_(inputs), outputs_(outputs), bodies_(bodies), symbols_(symbols) {}
  /// With facts of its own.
  InferContext(const OpType& op, std::vector<TensorFact> inputs, const std::vector<bool>& present, std::size_t outputs,
               BodyInference* bodies = nullptr);
  InferContext(const InferContext&) = delete;
  InferContext& operator=(const InferContext&) = delete;

  std::size_t input_count() const { return inputs_.size(); }
  bool has_input(std::size_t i) const { return i < inputs_.size() && inputs_[i].type; }
  const TensorType& input(std::size_t i) const;
  /// The first input that was read although it is absent.
  std::optional<std::size_t> absent_input() const { return absent_input_; }
  const PartialShape& input_shape(std::size_t i) const { return input(i).shape; }
  ElementType input_element_type(std::size_t i) const { return input(i).element_type; }

  /// The completely known value (constant, or computed from known shapes); null otherwise. May be a file or a recipe:
  /// `load` it.
  const Tensor* value(std::size_t i) const;
  /// All elements of a known value as integers (small tensors: axes, shapes); nothing when unknown.
  std::optional<std::vector<std::int64_t>> integers(std::size_t i) const;
  /// The only element of a known value (any rank); nothing when unknown or not one element.
  std::optional<std::int64_t> integer(std::size_t i) const;
  std::optional<std::vector<double>> reals(std::size_t i) const;
  /// Elements with unknown ones among them; also for completely known values; nothing when nothing is known.
  std::optional<PartialValue> partial(std::size_t i) const;

  std::size_t output_count() const { return outputs_.size(); }
  /// Sets what is known of output `i`. Ignored when the node does not have that output; Misuse when its op has none
  /// either.
  void output(std::size_t i, TensorType type);
  void output(std::size_t i, ElementType type, PartialShape shape) { output(i, TensorType{type, std::move(shape)}); }
  void output_value(std::size_t i, Tensor value);
  void output_partial(std::size_t i, PartialValue value);

  /// Error MO-OPS-0001 unless between `least` and `most` inputs are there and the first `least` are connected.
  Expected<void> expect_inputs(std::size_t least, std::size_t most) const;
  Expected<void> expect_inputs(std::size_t count) const { return expect_inputs(count, count); }
  /// Error MO-OPS-0003 unless the rank of input `i` is unknown or between `least` and `most`.
  Expected<void> expect_rank(std::size_t i, std::int64_t least, std::int64_t most) const;

  /// An error of this op. The engine adds node, phase and inputs.
  template <class... Args>
  [[nodiscard]] Diagnostic error(std::string_view code, fmt::format_string<Args...> text, Args&&... args) const {
    Diagnostic d = mo::error(code, text, std::forward<Args>(args)...);
    d.op = op_->name;
    return d;
  }
  const OpType& op() const { return *op_; }

  /// Infers a body graph whose Parameters get `inputs` in order; returns what is known of its Results in order.
  /// `repeats`: the op may ask again with wider types (what a loop carries), and the last answer counts.
  Expected<std::vector<TensorFact>> infer_body(Graph& body, const std::vector<TensorFact>& inputs,
                                               bool repeats = false) const;

  /// As SizeSymbols::quotient; `interval` as it is where dimensions have no symbols.
  Dimension quotient(std::span<const Dimension> of, std::span<const Dimension> by, const Dimension& interval) const {
    return symbols_ ? symbols_->quotient(of, by, interval) : interval;
  }

  TensorFact input_fact(std::size_t i) const;
  std::vector<TensorFact>& outputs() { return outputs_; }

 private:
  /// Where to put what is known of output `i`; null when the node does not have that output.
  TensorFact* output_fact(std::size_t i);
  const OpType* op_;
  std::span<const FactView> inputs_;
  std::vector<TensorFact> outputs_;
  BodyInference* bodies_;
  SizeSymbols* symbols_ = nullptr;
  std::vector<TensorFact> own_;
  std::vector<FactView> own_views_;
  mutable std::optional<std::size_t> absent_input_;
};

inline FactView view_of(const TensorFact& fact) {
  return {&fact.type, fact.value.empty() ? nullptr : &fact.value, fact.partial ? &fact.partial : nullptr};
}

}  // namespace mo
