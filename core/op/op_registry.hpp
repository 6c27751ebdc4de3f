#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/op/op_type.hpp"
#include "core/support/owner.hpp"

namespace mo {

/// The ops that are known as structs, by IR type and class version. Filled by one `register_<file>` function per file.
class OpRegistry {
 public:
  /// A struct without `infer` describes a layer that only configurations make.
  template <DescribedOp T>
  void add() {
    add_type(&OpType::of<T>);
  }
  /// A duplicate type is an error, unless a plugin replaces a built-in and has said so; see `problems`.
  /// What replaces an op must be laid out like it (derive from its struct and add no member): code of mo keeps using
  /// the struct that it knows.
  void add(const OpType& type);
  /// Whose the next additions are, and whether they may replace built-in ones.
  void set_owner(std::string owner, bool override_builtin);

  const OpType* find(std::string_view type, int version) const;
  /// The newest class of a type.
  const OpType* newest(std::string_view type) const;
  /// The class that op set `opset` has under this name: the newest one introduced up to it.
  const OpType* in_opset(std::string_view type, int opset) const;
  /// An op of a plugin's own op set.
  const OpType* in_opset(std::string_view type, std::string_view opset_name) const;
  /// Any class of that name, compared case-insensitively as IR readers do (`Relu` finds `ReLU`); exact spelling or
  /// null.
  std::string_view exact_type(std::string_view type) const;
  /// All types, by name and version.
  std::vector<const OpType*> all() const;
  /// Who brought the class, and whether it took the place of a built-in one.
  const Owner& owner_of(const OpType& type) const;

  /// Duplicate registrations; reported once at start-up.
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  /// Takes the function by its address, so that the one definition of `OpType::of<T>` is emitted where the op is
  /// registered.
  void add_type(const OpType& (*of)()) { add(of()); }

  struct Entry {
    const OpType* type;
    Owner owner;
  };
  std::map<std::string, std::vector<Entry>, std::less<>> types_;  ///< sorted by version
  Owner owner_;
  std::vector<Diagnostic> problems_;
};

}  // namespace mo
