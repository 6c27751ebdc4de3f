#pragma once

#include <type_traits>
#include <utility>

#include "core/op/op_type.hpp"

namespace mo {

/// An op by itself, outside of a graph: its type and its attributes. Made implicitly from any op struct
/// (`rewriter.create(ops::Subtract{}, a, b)`), or from a name and attributes for ops without a struct. Move-only;
/// `clone` copies.
class Op {
 public:
  template <OpLike T>
  Op(T op) : type_(&OpType::of<T>()), payload_(payload_of(*type_, std::move(op))) {}  // NOLINT: implicit on purpose
  /// An op known by name only.
  Op(std::string_view name, AttributeMap attributes)
      : type_(&dynamic_op_type(name)), payload_(new AttributeMap(std::move(attributes))) {}
  /// A default-constructed op of a registered type.
  explicit Op(const OpType& type) : type_(&type), payload_(type.create()) {}
  /// Takes over a payload made by `type.create` or `type.clone`.
  Op(const OpType& type, void* payload) : type_(&type), payload_(payload) {}

  Op(Op&& other) noexcept : type_(other.type_), payload_(std::exchange(other.payload_, nullptr)) {}
  Op& operator=(Op&& other) noexcept {
    std::swap(type_, other.type_);
    std::swap(payload_, other.payload_);
    return *this;
  }
  ~Op() {
    if (payload_) type_->destroy(payload_);
  }

  Op clone() const { return {*type_, type_->clone(payload_)}; }
  const OpType& type() const { return *type_; }
  const void* payload() const { return payload_; }
  void* payload() { return payload_; }
  void* release() { return std::exchange(payload_, nullptr); }

  template <OpLike T>
  const T* as() const {
    return type_->same_op(OpType::of<T>()) ? static_cast<const T*>(payload_) : nullptr;
  }

  /// By name, typed or dynamic. `attribute` gives nothing for an unknown name.
  AttributeValue attribute(std::string_view name) const;
  /// Error MO-CORE-0015 for a name that a typed op does not declare, MO-CORE-0010/0011/0014 for a value it does not
  /// take.
  Expected<void> set_attribute(std::string_view name, const AttributeValue& value);

 private:
  template <class T>
  static void* payload_of(const OpType& type, T&& op) {
    if constexpr (std::is_empty_v<std::remove_cvref_t<T>>)
      return type.create();  // without attributes: shared by all nodes
    else
      return new std::remove_cvref_t<T>(std::forward<T>(op));
  }

  const OpType* type_;
  void* payload_;
};

/// By-name access on a type-erased payload; shared by Op and Node.
AttributeValue get_attribute(const OpType& type, const void* payload, std::string_view name);
Expected<void> set_attribute(const OpType& type, void* payload, std::string_view name, const AttributeValue& value);
/// Same op and equal attributes.
bool same_attributes(const OpType& type, const void* a, const void* b);

}  // namespace mo
