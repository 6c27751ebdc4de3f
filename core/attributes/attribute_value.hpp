#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo {

class Graph;
class AttributeMap;
class AttributeValue;

/// A graph owned by an op: the body of a Loop, a branch of an If. It moves; who needs a second one says `clone`.
class Body {
 public:
  Body();  ///< an empty graph
  explicit Body(std::unique_ptr<Graph> graph);
  ~Body();
  Body(Body&& other) noexcept;
  Body& operator=(Body&& other) noexcept;

  Body clone() const;
  Graph& graph() const { return *graph_; }
  bool operator==(const Body& other) const;  ///< same canonical text

 private:
  std::unique_ptr<Graph> graph_;
};

using AttributeList = std::vector<AttributeValue>;

/// What an attribute can hold. `std::monostate`: no value (an unset optional attribute).
/// Enumerations are strings here. Numbers keep their full width: 64-bit integers, doubles. A copy of a value with a graph clones the graph: look at
/// attributes by reference.
class AttributeValue {
 public:
  using Variant = std::variant<std::monostate, bool, std::int64_t, double, std::string, ElementType, PartialShape, std::vector<std::int64_t>,
                               std::vector<double>, std::vector<std::string>, Tensor, Body, AttributeList, std::shared_ptr<const AttributeMap>>;

  AttributeValue() = default;
  AttributeValue(const AttributeValue& other);
  AttributeValue& operator=(const AttributeValue& other) { return *this = AttributeValue(other); }
  AttributeValue(AttributeValue&& other) noexcept = default;
  AttributeValue& operator=(AttributeValue&& other) noexcept = default;
  ~AttributeValue() = default;
  AttributeValue(bool v) : value_(v) {}  // NOLINTBEGIN: implicit on purpose
  AttributeValue(std::int64_t v) : value_(v) {}
  AttributeValue(int v) : value_(std::int64_t{v}) {}
  AttributeValue(double v) : value_(v) {}
  AttributeValue(std::string v) : value_(std::move(v)) {}
  AttributeValue(std::string_view v) : value_(std::string(v)) {}
  AttributeValue(const char* v) : value_(std::string(v)) {}
  AttributeValue(ElementType v) : value_(v) {}
  AttributeValue(PartialShape v) : value_(std::move(v)) {}
  AttributeValue(std::vector<std::int64_t> v) : value_(std::move(v)) {}
  AttributeValue(std::vector<double> v) : value_(std::move(v)) {}
  AttributeValue(std::vector<std::string> v) : value_(std::move(v)) {}
  AttributeValue(Tensor v) : value_(std::move(v)) {}
  AttributeValue(Body v) : value_(std::move(v)) {}
  AttributeValue(AttributeList v) : value_(std::move(v)) {}
  AttributeValue(AttributeMap v);  // NOLINTEND

  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value_);
  }
  template <class T>
  T* get_if() {
    return std::get_if<T>(&value_);
  }
  template <class T>
  bool holds() const {
    return std::holds_alternative<T>(value_);
  }
  const AttributeMap* map() const;
  bool is_none() const { return holds<std::monostate>(); }
  const Variant& variant() const { return value_; }

  /// "an integer", "a list of numbers" …, for messages.
  std::string_view kind_name() const;
  /// Equality of content; tensors compare type, shape and bytes (loading them), bodies their text.
  bool operator==(const AttributeValue& other) const;

 private:
  Variant value_;
};

/// Named attributes in the order in which they were set. Small: look-up is linear.
class AttributeMap {
 public:
  struct Item {
    std::string name;
    AttributeValue value;
    bool operator==(const Item&) const = default;
  };

  AttributeMap() = default;
  AttributeMap(std::initializer_list<Item> items) : items_(items) {}

  const AttributeValue* find(std::string_view name) const;
  AttributeValue* find(std::string_view name);
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  void set(std::string_view name, AttributeValue value);
  bool erase(std::string_view name);

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  /// Same names and values, in any order.
  bool operator==(const AttributeMap& other) const;

 private:
  std::vector<Item> items_;
};

}  // namespace mo
