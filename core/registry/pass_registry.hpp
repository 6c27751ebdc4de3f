#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/pass/pass.hpp"
#include "core/support/owner.hpp"

namespace mo {

/// The replacers and passes that files and plugins contribute; the driver hands them to a PassManager.
class PassRegistry {
 public:
  /// A duplicate name is a problem, unless a plugin replaces a built-in and has said so.
  void add(Pass pass);
  /// Whose the next additions are. Exceptions of plugins become errors of their pass.
  void set_owner(std::string owner, bool override_builtin) { owner_ = {std::move(owner), override_builtin}; }

  std::vector<Pass> take() { return std::move(passes_); }
  const std::vector<Pass>& passes() const { return passes_; }
  /// Who brought the pass, and whether it took the place of a built-in one.
  const Owner& owner_of(std::string_view pass) const;
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  std::vector<Pass> passes_;
  std::map<std::string, Owner, std::less<>> owners_;  ///< by name of the pass; `overrides`: it did
  Owner owner_;
  std::vector<Diagnostic> problems_;
};

}  // namespace mo
