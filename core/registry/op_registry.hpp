#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/op/op_type.hpp"

namespace mo {

/// The ops that are known as structs, by IR type and class version. Filled by one `register_<file>` function per file.
class OpRegistry {
 public:
  template <OpLike T>
  void add() {
    add(OpType::of<T>());
  }
  /// A type that is there already is an error unless `override_builtin` was announced; see `problems`.
  void add(const OpType& type);
  /// The next additions replace what is there (plugins only).
  void set_owner(std::string owner, bool override_builtin);

  const OpType* find(std::string_view type, int version) const;
  /// The newest class of a type.
  const OpType* newest(std::string_view type) const;
  /// The class that op set `opset` has under this name: the newest one introduced up to it.
  const OpType* in_opset(std::string_view type, int opset) const;
  /// An op of a plugin's own op set.
  const OpType* in_opset(std::string_view type, std::string_view opset_name) const;
  /// Any class of that name, compared case-insensitively as IR readers do (`Relu` finds `ReLU`); exact spelling or null.
  std::string_view exact_type(std::string_view type) const;
  /// All types, by name and version.
  std::vector<const OpType*> all() const;

  /// Duplicate registrations; reported once at start-up.
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  struct Entry {
    const OpType* type;
    std::string owner;
  };
  std::map<std::string, std::vector<Entry>, std::less<>> types_;  ///< sorted by version
  std::string owner_ = "mo";
  bool override_ = false;
  std::vector<Diagnostic> problems_;
};

}  // namespace mo
