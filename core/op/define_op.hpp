#pragma once

#include <type_traits>

#include "core/diagnostics/exception.hpp"
#include "core/op/op_type.hpp"

/// The definition of `OpType::of`, for the file that brings an op in (through core/op/op_registry.hpp) and for nobody else.
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
    std::apply([&](const auto&... declared) { (take(copy.*declared.member, op.*declared.member), ...); }, T::attributes);
    return copy;
  }
}

}  // namespace detail

// "used": emitted even where the compiler has inlined all calls, for the files that only declare it.
template <class T>
[[gnu::used]] const OpType& OpType::of() {
  static_assert(OpLike<T>, "an op needs id, attributes and infer");
  static const OpType type = [] {
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
    if constexpr (requires(T & op) {
                    { op.layout } -> std::same_as<DataLayout&>;
                  })
      t.data_layout = [](void* op) { return &static_cast<T*>(op)->layout; };
    if constexpr (requires(const T& op, const InferContext& ctx) {
                    { op.layout_need(ctx) } -> std::same_as<LayoutNeed>;
                  })
      t.layout_need = [](const void* op, const InferContext& ctx) { return static_cast<const T*>(op)->layout_need(ctx); };
    t.attributes = attribute_infos<T>();
    t.size = sizeof(T);
    if constexpr (std::is_empty_v<T>) {
      // Nothing in it that could differ: all nodes share one.
      static T shared;
      t.create = []() -> void* { return &shared; };
      t.clone = [](const void* /*op*/) -> void* { return &shared; };
      t.destroy = [](void* /*op*/) {};
    } else {
      t.create = []() -> void* { return new T(); };
      t.clone = [](const void* op) -> void* { return new T(detail::copy_of(*static_cast<const T*>(op))); };
      t.destroy = [](void* op) { delete static_cast<T*>(op); };
    }
    // Ops of plugins are compiled elsewhere: their exceptions end here.
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
    return t;
  }();
  return type;
}

}  // namespace mo
