#pragma once

#include <optional>
#include <utility>

#include "core/graph/graph.hpp"

namespace mo {

/// What a replacer gives back: the new outputs, nothing (it declined: leave the graph alone), or an error.
class Replacement {
 public:
  Replacement(const Value& value) {  // NOLINTBEGIN: implicit on purpose
    if (value) outputs_ = {value};
  }
  Replacement(Outputs outputs) : outputs_(std::move(outputs)) {}
  Replacement(Diagnostic diagnostic) : error_(Error(std::move(diagnostic))) {}
  Replacement(Error error) : error_(std::move(error)) {}  // NOLINTEND
  Replacement() = default;
  static Replacement declined() { return {}; }

  bool is_declined() const { return outputs_.empty() && !error_; }
  const Outputs& outputs() const { return outputs_; }
  std::optional<Error>& error() { return error_; }

 private:
  Outputs outputs_;
  std::optional<Error> error_;
};

}  // namespace mo
