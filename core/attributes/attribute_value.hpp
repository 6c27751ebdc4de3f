#pragma once

#include <memory>
#include <string>
#include <type_traits>
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
  bool operator==(const Body& other) const;  ///< same canonical text (core/text)

 private:
  std::unique_ptr<Graph> graph_;
};

using AttributeList = std::vector<AttributeValue>;

/// A list, a text or another large value that copies share until one of them is changed: a function of a model is
/// copied for each of its calls.
template <class T>
class Shared {
 public:
  Shared(T value) : value_(std::make_shared<T>(std::move(value))) {}  // NOLINT: implicit on purpose
  const T* get() const { return value_.get(); }
  T* get() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return value_.get();
  }
  bool operator==(const Shared& other) const { return value_ == other.value_ || *value_ == *other.value_; }

 private:
  std::shared_ptr<T> value_;
};

/// What an attribute can hold. `std::monostate`: no value (an unset optional attribute).
/// Enumerations are strings here. Numbers keep their full width: 64-bit integers, doubles. A copy of a value with a
/// graph clones the graph: look at attributes by reference.
class AttributeValue {
 public:
  using Variant =
      std::variant<std::monostate, bool, std::int64_t, double, Shared<std::string>, ElementType, Shared<PartialShape>,
                   Shared<std::vector<std::int64_t>>, Shared<std::vector<double>>, Shared<std::vector<std::string>>,
                   Shared<Tensor>, Body, Shared<AttributeList>, std::shared_ptr<const AttributeMap>>;

  // Defined once: what a variant of fourteen kinds does is much code for each file that has attributes.
  AttributeValue();
  AttributeValue(const AttributeValue& other);
  AttributeValue& operator=(const AttributeValue& other);
  AttributeValue(AttributeValue&& other) noexcept;
  AttributeValue& operator=(AttributeValue&& other) noexcept;
  ~AttributeValue();
  AttributeValue(bool v);  // NOLINTBEGIN: implicit on purpose
  AttributeValue(std::int64_t v);
  AttributeValue(int v);
  AttributeValue(double v);
  AttributeValue(std::string v);
  AttributeValue(std::string_view v);
  AttributeValue(const char* v);
  AttributeValue(ElementType v);
  AttributeValue(PartialShape v);
  AttributeValue(std::vector<std::int64_t> v);
  AttributeValue(std::vector<double> v);
  AttributeValue(std::vector<std::string> v);
  AttributeValue(Tensor v);
  AttributeValue(Body v);
  AttributeValue(AttributeList v);
  AttributeValue(AttributeMap v);  // NOLINTEND

  template <class T>
  const T* get_if() const {
    if constexpr (is_shared<T>) {
      const auto* shared = std::get_if<Shared<T>>(&value_);
      return shared ? shared->get() : nullptr;
    } else {
      return std::get_if<T>(&value_);
    }
  }
  /// To be changed; a list that other values share is copied first.
  template <class T>
  T* get_if() {
    if constexpr (is_shared<T>) {
      auto* shared = std::get_if<Shared<T>>(&value_);
      return shared ? shared->get() : nullptr;
    } else {
      return std::get_if<T>(&value_);
    }
  }
  template <class T>
  bool holds() const {
    if constexpr (is_shared<T>)
      return std::holds_alternative<Shared<T>>(value_);
    else
      return std::holds_alternative<T>(value_);
  }
  const AttributeMap* map() const;
  bool is_none() const { return holds<std::monostate>(); }

  /// "an integer", "a list of numbers" …, for messages.
  std::string_view kind_name() const;
  /// Equality of content; tensors compare type, shape and bytes (loading them), bodies their text.
  bool operator==(const AttributeValue& other) const;

 private:
  template <class T>
  static constexpr bool is_shared =
      std::is_same_v<T, std::string> || std::is_same_v<T, PartialShape> ||
      std::is_same_v<T, std::vector<std::int64_t>> || std::is_same_v<T, std::vector<double>> ||
      std::is_same_v<T, std::vector<std::string>> || std::is_same_v<T, Tensor> || std::is_same_v<T, AttributeList>;
  Variant value_;
};

/// Named attributes in the order in which they were set. Small: look-up is linear. Copies share the items until one of
/// them is changed (nodes of a large model mostly say the same), unless these own graphs, which belong to one map each.
/// References to items hold until the map, or a copy that shares them, is changed.
class AttributeMap {
 public:
  struct Item {
    std::string name;
    AttributeValue value;
    bool operator==(const Item&) const = default;
  };

  AttributeMap();
  AttributeMap(std::initializer_list<Item> items);
  AttributeMap(const AttributeMap& other);
  AttributeMap(AttributeMap&& other) noexcept;
  AttributeMap& operator=(const AttributeMap& other);
  AttributeMap& operator=(AttributeMap&& other) noexcept;
  ~AttributeMap();

  const AttributeValue* find(std::string_view name) const;
  AttributeValue* find(std::string_view name);
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  void set(std::string_view name, AttributeValue value);
  bool erase(std::string_view name);

  bool empty() const { return size() == 0; }
  std::size_t size() const { return items_ ? items_->size() : 0; }
  const Item* begin() const { return items_ ? items_->data() : nullptr; }
  const Item* end() const { return begin() + size(); }
  Item* begin() { return items_ ? own().data() : nullptr; }
  Item* end() { return begin() + size(); }
  /// Same names and values, in any order.
  bool operator==(const AttributeMap& other) const;

 private:
  using Items = std::vector<Item>;
  /// To be changed: of this map alone.
  Items& own();
  std::shared_ptr<Items> items_;  ///< null: none
};

}  // namespace mo
