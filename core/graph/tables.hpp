#pragma once

#include <memory>
#include <string_view>

#include "core/graph/ids.hpp"
#include "core/types/partial_shape.hpp"

namespace mo {

/// Strings, each stored once. Ids and views stay valid as long as the table.
class NameTable {
 public:
  NameTable();
  ~NameTable();
  NameId intern(std::string_view name);
  /// None when the name was never interned.
  NameId find(std::string_view name) const;
  std::string_view operator[](NameId id) const;
  std::size_t bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Tensor types, each stored once.
class TypeTable {
 public:
  TypeTable();
  ~TypeTable();
  TypeId intern(const TensorType& type);
  const TensorType& operator[](TypeId id) const;
  std::size_t bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mo
