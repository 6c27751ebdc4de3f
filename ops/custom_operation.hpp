#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/graph/graph.hpp"
#include "core/op.hpp"
#include "core/op/data_layout.hpp"

namespace mo::ops {

/// How an op that has no struct finds its types and values: a function for each. Shared by all nodes that were made
/// from one description.
struct CustomRules {
  /// Output types from input types. None: the outputs stay unknown.
  std::function<Expected<void>(const AttributeMap& attributes, InferContext& ctx)> infer;
  /// Output values. None: the op cannot be evaluated.
  std::function<Expected<void>(const AttributeMap& attributes, EvalContext& ctx)> evaluate;
};

/// An op of a runtime that `mo` does not know: what the IR says about it, and how its output types are found.
/// `custom_operation` makes the op; in the graph it is a dynamic op (`node.type()` is the IR type, `node.attr("x")` an
/// attribute), printed as <layer type="TYPE" version="OP_SET"> with all attributes whose name does not start with '@'.
struct CustomOperation {
  std::string type;                  ///< IR type; without "::", which names of framework ops have
  std::string op_set = "extension";  ///< what the IR prints as version; not empty
  AttributeMap attributes;           ///< printed in this order
  /// What the op computes, as a closed graph: Parameter i is input i (an input that it does not need may be missing at
  /// the end), Result i is output i. It serves inference and evaluation only, passes treat it as any body, and nothing
  /// of it is written to the IR. Goes before `rules`.
  std::optional<Body> body;
  std::shared_ptr<const CustomRules> rules;
  /// Set: the layer takes and makes images channels-first, and this is how the model has them. channels_last: the
  /// layout step gives the layer channels-first tensors (docs/layout.md); `rules` see them so from the beginning,
  /// `body` has them as the model does. Unset: the layer has the layout of the model, whatever that is.
  std::optional<DataLayout> layout;
};

/// The attribute of the made op that holds the hidden body.
inline constexpr std::string_view kHiddenBodyAttribute = "@body";
/// The attribute that tells how the model has the images of an op with a `layout`.
inline constexpr std::string_view kModelLayoutAttribute = "@model_layout";

/// Asserted: `type` and `op_set` are not empty, `type` has no "::".
Op custom_operation(CustomOperation operation);

/// Whether the op was made by `custom_operation`.
bool is_custom_operation(const OpType& type);

/// The hidden body of a custom op; null when it has none, or the op is another one.
Graph* hidden_body(const Node& node);

}  // namespace mo::ops
