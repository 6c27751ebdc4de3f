#pragma once

#include <type_traits>

#include "core/diagnostics/exception.hpp"
#include "core/op/op_type.hpp"

/// The definition of `OpType::of`. Only the file that registers an op includes it, through core/op/op_registry.hpp.
namespace mo {

namespace detail {

/// An op with bodies moves only: its members, all of them declared, are copied one by one, the bodies by `clone`.
template <class T>
T copy_of(const T& op) {
  if constexpr (std::is_copy_constructible_v<T>) {
    return op;
  } else {
    T copy;
    const auto take = [](auto& to, const auto& from) {
      if constexpr (std::is_same_v<std::decay_t<decltype(from)>, Body>)
        to = from.clone();
      else
        to = from;
    };
    for_each_attribute<T>([&](const auto& declared) { take(copy.*declared.member, op.*declared.member); });
    return copy;
  }
}

/// An op without a layout of its own, together with a layout that a configuration or plugin gives it. T is the base
/// class, so that a pointer to this is also a pointer to T.
template <class T>
struct LaidOut : T {
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes = Attributes{T::attributes, attr("@layout", &LaidOut::layout).internal().optional()};
};

template <class T>
concept HasLayout = requires(T& op) {
  { op.layout } -> std::same_as<DataLayout&>;
};

/// What the engine keeps of the struct of an op.
template <class T>
OpType described() {
  OpType t;
  constexpr OpId id = T::id;
  t.name = id.type;
  t.version = id.version;
  t.opset = id.opset;
  t.opset_name = id.opset_name;
  if constexpr (requires { T::traits; }) t.traits = T::traits;
  if constexpr (requires { T::layout_rule; })
    t.layout_rule = T::layout_rule;
  else if (t.traits.elementwise)
    t.layout_rule = {.follows = true, .data_inputs = ~0U, .broadcasts = true};
  if constexpr (HasLayout<T>) t.data_layout = [](void* op) { return &static_cast<T*>(op)->layout; };
  if constexpr (requires(const T& op, const InferContext& ctx) {
                  { op.layout_need(ctx) } -> std::same_as<LayoutNeed>;
                })
    t.layout_need = [](const void* op, const InferContext& ctx) { return static_cast<const T*>(op)->layout_need(ctx); };
  t.attributes = mo::attribute_infos<T>();
  t.size = sizeof(T);
  if constexpr (std::is_empty_v<T>) {
    // Nothing in it that could differ: all nodes share one.
    static T shared;
    t.create = []() -> void* { return &shared; };
    t.clone = [](const void* /*op*/) -> void* { return &shared; };
    t.destroy = [](void* /*op*/) {};
  } else {
    t.create = []() -> void* { return new T(); };
    t.clone = [](const void* op) -> void* { return new T(copy_of(*static_cast<const T*>(op))); };
    t.destroy = [](void* op) { delete static_cast<T*>(op); };
  }
  // Ops of plugins are compiled elsewhere: their exceptions end here.
  if constexpr (OpLike<T>)
    t.infer = [](const void* op, InferContext& ctx) -> Expected<void> {
      try {
        return static_cast<const T*>(op)->infer(ctx);
      } catch (...) { return caught_exception(OpId(T::id).type); }
    };
  if constexpr (EvaluatableOp<T>)
    t.evaluate = [](const void* op, EvalContext& ctx) -> Expected<void> {
      try {
        return static_cast<const T*>(op)->evaluate(ctx);
      } catch (...) { return caught_exception(OpId(T::id).type); }
    };
  if constexpr (requires(const T& op, EvalContext& ctx) { op.evaluate_rows(ctx, std::int64_t{0}); })
    t.evaluate_rows = [](const void* op, EvalContext& ctx, std::int64_t first) -> Expected<void> {
      return static_cast<const T*>(op)->evaluate_rows(ctx, first);
    };
  return t;
}

template <class T>
OpType with_layout_of() {
  OpType t = described<LaidOut<T>>();
  // Which inputs are images is not declared: those of the largest rank.
  if constexpr (!requires { T::layout_rule; }) t.layout_rule.data_inputs = ~0U;
  return t;
}

}  // namespace detail

// "used": emitted even where the compiler has inlined all calls, for the files that only declare it.
template <class T>
[[gnu::used]] const OpType& OpType::of() {
  static_assert(DescribedOp<T>, "an op needs id and attributes");
  static_assert(
      OpLike<T> || !requires { &T::infer; }, "inference is Expected<void> infer(InferContext&) const");
  static const OpType type = [] {
    OpType t = detail::described<T>();
    if constexpr (OpLike<T> && !detail::HasLayout<T> && !OpId(T::id).opset_name.empty()) {
      static const OpType laid_out = detail::with_layout_of<T>();
      t.with_layout = &laid_out;
    }
    return t;
  }();
  return type;
}

}  // namespace mo
