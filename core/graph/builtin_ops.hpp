#pragma once

#include "core/op/eval_context.hpp"

namespace mo {

/// An input of the model. IR: <layer type="Parameter">; `shape` and `element_type` are its declared type.
struct Parameter {
  static constexpr OpId id{"Parameter", 0};
  PartialShape shape;
  ElementType element_type = ElementType::dynamic;
  static constexpr auto attributes =
      Attributes{attr("shape", &Parameter::shape), attr("element_type", &Parameter::element_type)};
  Expected<void> infer(InferContext& ctx) const;
};

/// An output of the model: reads one tensor, produces none.
struct Result {
  static constexpr OpId id{"Result", 0};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const;
};

/// A constant tensor. The emitter writes element_type, shape, offset and size.
struct Const {
  static constexpr OpId id{"Const", 0};
  Tensor value;
  static constexpr auto attributes = Attributes{attr("value", &Const::value).internal()};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// A scalar of the element type of input 0, of which only the type matters: for passes that need a constant before
/// types are known (Rewriter::scalar_like). Inference knows its value, and folding makes it a Const; it is never
/// written.
struct ScalarLike {
  static constexpr OpId id{"ScalarLike", "mo"};
  double value = 0;
  static constexpr auto attributes = Attributes{attr("value", &ScalarLike::value)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo
