#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "core/pass/pass.hpp"
#include "core/support/owner.hpp"

namespace mo {

/// The passes that files and plugins contribute: those of a conversion, which the driver hands to a PassManager, and
/// those on request, which a PassLibrary finds by their names.
class PassRegistry {
 public:
  /// Of a conversion. A duplicate name is a problem, unless a plugin replaces a built-in and has said so.
  void add(Pass pass) { add_to(passes_, std::move(pass)); }
  /// On request: no conversion runs it by itself. The names are those of all passes.
  void offer(Pass pass) { add_to(offers_, std::move(pass)); }
  /// Whose the next additions are. Exceptions of plugins become errors of their pass.
  void set_owner(std::string owner, bool override_builtin) { owner_ = {std::move(owner), override_builtin}; }

  std::deque<Pass> take() { return std::move(passes_); }
  std::deque<Pass> take_offers() { return std::move(offers_); }
  const std::deque<Pass>& passes() const { return passes_; }
  const std::deque<Pass>& offers() const { return offers_; }
  /// Who brought the pass, and whether it took the place of a built-in one.
  const Owner& owner_of(std::string_view pass) const;
  const std::vector<Diagnostic>& problems() const { return problems_; }

 private:
  void add_to(std::deque<Pass>& passes, Pass&& pass);

  std::deque<Pass> passes_;  ///< there are hundreds, and they are large: where they are made, they stay
  std::deque<Pass> offers_;
  std::map<std::string, Owner, std::less<>> owners_;  ///< by name of the pass; `overrides`: it did
  Owner owner_;
  std::vector<Diagnostic> problems_;
};

}  // namespace mo
