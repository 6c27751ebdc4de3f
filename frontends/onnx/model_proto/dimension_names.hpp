#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/graph/graph.hpp"
#include "frontends/onnx/encoding.hpp"

namespace mo::onnx {

/// Names of unknown dimensions: those that the source gave, and d1, d2 … for other symbols, in the order in which they
/// are asked for.
class DimensionNames {
 public:
  explicit DimensionNames(const Graph& graph) {
    const AttributeValue* const names = graph.properties.find("dim_params");
    if (const auto* const texts = names ? names->get_if<std::vector<std::string>>() : nullptr) given_ = *texts;
  }

  /// Symbols that the source has not named mean something in their own graph only: in inner graphs they have no names.
  DimensionNamer namer(bool is_body) {
    return [this, is_body](Dimension::Symbol symbol) { return is_body ? given(symbol) : name_of(symbol); };
  }

  /// Empty for a symbol that the source has not named.
  std::string given(Dimension::Symbol symbol) const {
    return symbol >= 1 && static_cast<std::size_t>(symbol) <= given_.size()
               ? given_[static_cast<std::size_t>(symbol) - 1]
               : std::string();
  }

  std::string name_of(Dimension::Symbol symbol) {
    if (std::string name = given(symbol); !name.empty()) return name;
    std::string& name = made_[symbol];
    while (name.empty()) {
      std::string next = fmt::format("d{}", ++last_);
      if (std::find(given_.begin(), given_.end(), next) == given_.end()) name = std::move(next);
    }
    return name;
  }

 private:
  std::vector<std::string> given_;  ///< by symbol, from 1
  std::map<Dimension::Symbol, std::string> made_;
  int last_ = 0;
};

}  // namespace mo::onnx
