#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "core/graph/graph.hpp"

namespace mo {

/// Why a replacer does not change what it matched. Costs nothing unless requested (--explain-pass).
struct Declined {
  std::string_view reason;
};
/// `return declined("w is read elsewhere");`: `reason` is a literal.
constexpr Declined declined(const char* reason) { return {reason}; }

/// What a replacer gives back: the new outputs, nothing (it declined: leave the graph alone), or an error. An empty
/// value and an empty list are outputs that are missing (MO-PASS-0002), not a way to decline.
class Replacement {
 public:
  Replacement(const Value& value);  // NOLINTBEGIN: implicit on purpose
  Replacement(Outputs outputs);
  Replacement(Declined declined);
  Replacement(Diagnostic diagnostic);
  Replacement(Error error);  // NOLINTEND
  Replacement();
  Replacement(const Replacement& other);
  Replacement(Replacement&& other) noexcept;
  Replacement& operator=(const Replacement& other);
  Replacement& operator=(Replacement&& other) noexcept;
  ~Replacement();
  static Replacement declined() { return {}; }

  bool is_declined() const { return !outputs_ && !error_; }
  /// Why, when it was declined with a reason.
  std::string_view reason() const { return reason_; }
  /// Empty when it was declined.
  const Outputs& outputs() const {
    static const Outputs kNone;
    return outputs_ ? *outputs_ : kNone;
  }
  std::optional<Error>& error() { return error_; }

 private:
  std::optional<Outputs> outputs_;
  std::string_view reason_;
  std::optional<Error> error_;
};

}  // namespace mo
