#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/registry/onnx_forms.hpp"
#include "onnx_emitter/operator_types.hpp"
#include "ops/support/auto_broadcast.hpp"

/// From ops to operators of ONNX. A translator gets one node of the graph and creates the operators that compute the
/// same in a second graph, which the writer of ONNX models takes (frontends/onnx/model_proto).
///
/// An op that is several operators is taken apart by its translator as well, not by a rewrite of the graph before: most
/// of the pieces have no op in the IR (NonMaxSuppression of triples, Loop with captured tensors, QuantizeLinear), which
/// pieces there are depends on the op set and on the element types that its operators take, and a rewrite would have to
/// infer types of ops that exist for one moment only. tests/onnx_emitter/forms has the text of each form, as goldens of
/// passes have.
namespace mo::onnx_emitter {

/// Creates in `made` the operators for the nodes of a body. Returns the tensors of its Results, given those of its
/// Parameters, which are all there.
using BodyTranslator = std::function<Expected<Outputs>(const Graph& body, Graph& made, const Outputs& parameters)>;

/// The node that is being translated, and the graph of operators. Shapes are those of the node: operators of ONNX are
/// not inferred, but for the element types of their outputs as far as operator_types.hpp tells.
class Translation {
 public:
  /// `operators` and `bodies` must outlive the translation. `needed_opset` becomes the newest operator set that is
  /// asked for.
  Translation(const Node& node, std::vector<Value> inputs, Graph& graph, Operators& operators,
              const BodyTranslator& bodies, std::int64_t& needed_opset)
      : node(node),
        opset(operators.opset),
        graph_(graph),
        inputs_(std::move(inputs)),
        operators_(operators),
        bodies_(bodies),
        needed_opset_(needed_opset) {}

  const Node& node;          ///< with types
  const std::int64_t opset;  ///< version of the default operator set

  /// The tensor of ONNX for an input of the node; empty where the node has none.
  Value input(std::size_t i) const { return i < inputs_.size() ? inputs_[i] : Value(); }
  std::vector<Value> inputs() const { return inputs_; }
  /// Input `i` as i64, the type that ONNX requires for sizes and axes: constants are converted, others get a Cast.
  Value input_i64(std::size_t i);
  /// The same as a vector of one dimension: a scalar becomes one element.
  Value input_vector(std::size_t i);

  /// Known axes in input `i` as numbers from 0 to `rank` - 1; refused when they or the rank of input 0 are unknown.
  Expected<std::vector<std::int64_t>> axes(std::size_t i) const;
  Expected<std::vector<std::int64_t>> axes(std::size_t i, std::int64_t rank) const;
  /// Known axes in input `i` for operators that count negative ones from the back as the op does.
  Expected<std::vector<std::int64_t>> signed_axes(std::size_t i) const;
  /// The rank of input `i`; refused when it is unknown.
  Expected<std::int64_t> rank(std::size_t i = 0) const;

  /// An operator of another domain, of `version` of its operator set: "com.acme", "RmsNorm". Its element types are not
  /// known to this class: say those of its outputs where they matter to what reads them.
  Outputs custom_ops(std::string_view domain, std::string_view type, std::int64_t version, std::vector<Value> inputs,
                     std::size_t outputs, AttributeMap attributes = {});

  Value op(std::string_view type, std::vector<Value> inputs, AttributeMap attributes = {}) {
    return ops(type, std::move(inputs), 1, std::move(attributes)).front();
  }
  /// Where the operator does not take an element type, or ONNX Runtime has no kernel for it, it works on a wider one,
  /// between Casts.
  Outputs ops(std::string_view type, std::vector<Value> inputs, std::size_t outputs, AttributeMap attributes = {});
  /// A Cast; where `value` is a Cast from `to` that kept all values, its input.
  Value cast(const Value& value, ElementType to);
  Value constant(Tensor tensor);
  /// A vector of i64.
  Value integers(const std::vector<std::int64_t>& values);
  /// A scalar of the element type.
  Value scalar(ElementType type, double value);
  /// A vector in one dimension as the axes of Squeeze, Unsqueeze and ReduceSum: an attribute up to op set 12, after it
  /// an input.
  Value with_axes(std::string_view type, const Value& value, const std::vector<std::int64_t>& axes,
                  AttributeMap attributes = {}, std::int64_t first_with_input = 13);
  /// Dimensions in another order; a Transpose of a Transpose is one of its input, or the input itself.
  Value transposed(const Value& value, const std::vector<std::int64_t>& order);

  /// Input `i` with dimensions of size 1 appended, so that what the attributes of broadcasting of the IR say (pdpd:
  /// aligned at `axis` of input 0) is what the trailing dimensions say.
  Value aligned(std::size_t i, ops::AutoBroadcast mode, std::int64_t axis);

  /// Creates the operators of a body of the node beside those of the node; see BodyTranslator.
  Expected<Outputs> inlined(const Graph& body, const Outputs& parameters) { return bodies_(body, graph_, parameters); }
  /// Translates the same node in another graph, without inputs: an inner graph (support/inner_graph.hpp).
  Translation inside(Graph& inner) const { return {node, {}, inner, operators_, bodies_, needed_opset_}; }

  /// Why the node has no form in ONNX: "a threshold for soft suppression".
  Diagnostic refused(std::string_view why) const;
  /// The same for a form that a newer operator set has.
  Diagnostic needs_opset(std::int64_t first) const;
  /// The first operator that takes an element type in no form, as an error.
  const std::optional<Diagnostic>& problem() const { return problem_; }
  /// Takes over that of an inner graph.
  void add_problem_of(const Translation& inner) {
    if (!problem_) problem_ = inner.problem_;
  }

 private:
  using WiderTypes = std::map<std::string_view, std::pair<ElementType, ElementType>>;

  Value as(const Value& value, ElementType to);
  Value narrowed(const Value& value, ElementType from, ElementType to);
  Diagnostic not_taken(std::string_view type, std::size_t input, ElementType element_type) const;
  WiderTypes widen(std::string_view type, const OperatorTypes& legal, std::vector<Value>& inputs);
  Outputs typed_outputs(const Node& made, const OperatorTypes& legal, const WiderTypes& widened);

  Graph& graph_;
  std::vector<Value> inputs_;
  Operators& operators_;
  const BodyTranslator& bodies_;
  std::int64_t& needed_opset_;
  std::optional<Diagnostic> problem_;
};

/// An operator with the same inputs, without attributes. `since`: the op set that it came with.
OnnxForm direct(std::string type, std::int64_t since = 1);

/// The forms of all ops of mo; defined by the generated manifest of onnx_emitter/ops.
void register_all(OnnxForms& table);

}  // namespace mo::onnx_emitter
