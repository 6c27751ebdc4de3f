#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/op/op_registry.hpp"

namespace mo::ir {

/// Finds the op of a layer by `type` and `version` as runtimes do, and remembers what could not be found.
class OpLookup {
 public:
  explicit OpLookup(const OpRegistry& registry) : registry_(registry) {}

  /// Null for an unknown op.
  const OpType* find(std::string_view type, std::string_view version);
  void note_missing(std::string_view type, std::string_view version, std::string_view layer_name);
  /// Error MO-IR-0010: one diagnostic that lists every noted (type, version) with its layers.
  Expected<void> unknown() const;

 private:
  using Key = std::pair<std::string, std::string>;
  struct Missing {
    std::vector<std::string> layers;  ///< the first few
    std::size_t count = 0;
  };
  const OpType* resolve(std::string_view type, std::string_view version) const;

  const OpRegistry& registry_;
  std::map<Key, const OpType*> found_;
  std::map<Key, Missing> missing_;
};

}  // namespace mo::ir
