#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/graph/ids.hpp"
#include "core/graph/origin.hpp"
#include "core/support/index_table.hpp"
#include "core/types/partial_shape.hpp"

namespace mo {

/// Strings, each stored once. Ids and views stay valid as long as the table.
class NameTable {
 public:
  NameTable();
  ~NameTable();
  NameTable(NameTable&&) noexcept;
  NameTable& operator=(NameTable&&) noexcept;
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
  TypeId intern(const TensorType& type);
  const TensorType& operator[](TypeId id) const { return id.valid() ? *types_[id.index] : unknown(); }
  std::size_t bytes() const;

 private:
  static const TensorType& unknown();
  std::vector<std::unique_ptr<const TensorType>> types_;  ///< each stays where it is
  std::uint32_t last_ = 0;
  IndexTable index_;
};

/// Origins of nodes, each stored once; the texts lie in the name table of the graph.
class OriginTable {
 public:
  OriginId intern(NameTable& names, const Origin& origin);
  Origin at(const NameTable& names, OriginId id) const;
  /// Whether `wanted` holds for some origin that a node has or had.
  template <class Predicate>
  bool any(const NameTable& names, Predicate wanted) const {
    for (std::uint32_t i = 0; i < records_.size(); ++i)
      if (wanted(at(names, OriginId{i}))) return true;
    return false;
  }

 private:
  struct Record {
    NameId framework;
    NameId op;
    NameId part;
    NameId public_name;
    std::int64_t version = 0;
    bool derived = false;
    bool operator==(const Record&) const = default;
  };
  static std::uint32_t hash_of(const Record& record);
  std::vector<Record> records_;
  IndexTable index_;
};

}  // namespace mo
