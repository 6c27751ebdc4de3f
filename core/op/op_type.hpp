#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/attributes/declaration.hpp"
#include "core/op/data_layout.hpp"
#include "core/op/layout_rule.hpp"

namespace mo {

class InferContext;
class EvalContext;

/// Identity of an op: its IR type and the version of its class ("v11" of TopK).
///
/// `opset` is the first op set that has this class, which is what the IR prints as `version="opset<N>"`. It is the
/// class version for most ops and differs for some (CumSum is class v0, first in opset3). Ops of a plugin name their
/// own op set.
struct OpId {
  std::string_view type;
  int version = 0;
  int opset = 1;
  std::string_view opset_name;  ///< instead of "opset<N>", for ops outside of the op sets

  constexpr OpId(std::string_view type_, int version_)
      : type(type_), version(version_), opset(version_ == 0 ? 1 : version_) {}
  constexpr OpId(std::string_view type_, int version_, int opset_) : type(type_), version(version_), opset(opset_) {}
  constexpr OpId(std::string_view type_, std::string_view opset_name_) : type(type_), opset_name(opset_name_) {}
};

/// What the engine and patterns may know of an op without knowing the op.
struct OpTraits {
  /// How many outputs a node of this op has; 0: as many as its attributes or its model say (Split, Loop).
  std::uint32_t outputs = 1;
  /// The first two inputs may be exchanged.
  bool commutative = false;
  /// Every output element depends on the elements at the same place (after broadcasting) of the inputs.
  bool elementwise = false;
  /// Evaluation writes every byte of the outputs that were allocated for it, so they are not zeroed first. Holds for
  /// `elementwise` ops as well.
  bool fills_outputs = false;
  /// The output has the bytes of input 0 under another shape or name (Reshape, Squeeze, Identity): folding shares the
  /// buffer.
  bool reinterprets = false;
  /// The value is a shape: the start of a sub-graph that folding leaves alone so that the model stays reshape-able
  /// (ShapeOf).
  bool shape_of = false;
  /// Two evaluations may differ, or have effects (RandomUniform, Assign): never folded, never removed as duplicates.
  bool stateful = false;
  /// Folding leaves it alone even when all inputs are constants (FakeQuantize of weights: the runtime wants to see it).
  bool never_folded = false;
  /// Owns graphs in attributes of kind body (If, Loop, TensorIterator).
  bool owns_bodies = false;
  /// Bit i: input i contributes its elements unchanged to the output, the other inputs only say where they go. Lets the
  /// engine evaluate partially known values (Concat: ~0u, Gather: 1).
  std::uint32_t moves_elements = 0;
  /// Bit i: input i is a shape, a list of axes or sizes: it stays an integer (or f32 scales) whatever --data_type says.
  std::uint32_t shape_inputs = 0;
};

/// The type-erased description of an op: one object per op for the life of the process. Compare ops with `same_op`, not
/// by address (a plugin may carry its own copy).
struct OpType {
  std::string_view name;  ///< IR type; for a dynamic op its name ("onnx::Softmax", "Gemm")
  int version = 0;
  int opset = 1;
  std::string_view opset_name;
  bool dynamic = false;  ///< known by name only; the payload is an AttributeMap
  OpTraits traits;
  LayoutRule layout_rule;
  std::vector<AttributeInfo> attributes;
  std::size_t size = 0;  ///< of the struct

  void* (*create)() = nullptr;
  void* (*clone)(const void*) = nullptr;
  void (*destroy)(void*) = nullptr;
  /// null when the op has no shape inference
  Expected<void> (*infer)(const void* op, InferContext& ctx) = nullptr;
  /// null when the op cannot be evaluated
  Expected<void> (*evaluate)(const void* op, EvalContext& ctx) = nullptr;
  /// Rows (along dimension 0) of the only output: as many as the output in `ctx` has, from `first` on. The inputs are
  /// whole. Null when the op has no `evaluate_rows`; `elementwise` ops need none.
  Expected<void> (*evaluate_rows)(const void* op, EvalContext& ctx, std::int64_t first) = nullptr;
  /// the member `layout`; null when the op has none
  DataLayout* (*data_layout)(void* op) = nullptr;
  /// null: what `layout_rule` says holds always
  LayoutNeed (*layout_need)(const void* op, const InferContext& ctx) = nullptr;
  /// The same op with a `layout` beside its struct: configurations and plugins set it where the op has no layout of its
  /// own. Null when the op belongs to an op set, has a `layout`, or has no shape inference.
  const OpType* with_layout = nullptr;

  const AttributeInfo* find_attribute(std::string_view attribute) const;
  /// "SoftMax" for the only or first class, "TopK.v11" where the text form needs the version.
  bool same_op(const OpType& other) const {
    return this == &other || (name == other.name && version == other.version && dynamic == other.dynamic &&
                              opset_name == other.opset_name);
  }

  /// Whether the data of `op` are channels-last (see DataLayout).
  bool is_channels_last(const void* op) const {
    return data_layout && *data_layout(const_cast<void*>(op)) == DataLayout::channels_last;
  }

  /// The type of an op struct. Defined in core/op/define_op.hpp and instantiated once, in the file that registers the
  /// op: who only uses an op compiles nothing of it.
  template <class T>
  static const OpType& of();
};

/// A plain struct that says what the IR calls an op and which attributes it has: enough for a layer that takes the
/// place of a sub-graph, whose types it then has (docs/extending.md, `op`).
template <class T>
concept DescribedOp = requires {
  { T::id } -> std::convertible_to<OpId>;
  T::attributes;
};

/// A plain struct that is an op: identity, attributes, inference. No base class.
template <class T>
concept OpLike = DescribedOp<T> && requires(const T& op, InferContext& ctx) {
  { op.infer(ctx) } -> std::same_as<Expected<void>>;
};

template <class T>
concept EvaluatableOp = OpLike<T> && requires(const T& op, EvalContext& ctx) {
  { op.evaluate(ctx) } -> std::same_as<Expected<void>>;
};

/// The type of an op that is known by name only. Interned for the life of the process.
const OpType& dynamic_op_type(std::string_view name);

}  // namespace mo
