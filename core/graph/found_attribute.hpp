#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/graph/ids.hpp"

namespace mo {

class Graph;

/// Throws Misuse: the node has no attribute of this name, or it is of another kind.
[[noreturn]] void no_such_attribute(Graph* graph, NodeId node, const std::string& attribute);

/// A requested attribute of a node: an optional that cannot be used when it is empty. A name that is
/// misspelt or a value of another kind is a Misuse that names the node and the attribute.
template <class T>
class FoundAttribute : public std::optional<T> {
 public:
  using std::optional<T>::optional;
  FoundAttribute(std::optional<T> value) : std::optional<T>(std::move(value)) {}  // NOLINT
  /// Nothing, and where it was looked for.
  FoundAttribute(Graph* graph, NodeId node, std::string_view attribute)
      : graph_(graph), node_(node), attribute_(attribute) {}

  T& value() & { return check(), *static_cast<std::optional<T>&>(*this); }
  const T& value() const& { return check(), *static_cast<const std::optional<T>&>(*this); }
  T&& value() && { return check(), *static_cast<std::optional<T>&&>(*this); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  void check() const {
    if (!this->has_value()) no_such_attribute(graph_, node_, attribute_);
  }
  Graph* graph_ = nullptr;
  NodeId node_;
  std::string attribute_;
};

}  // namespace mo
