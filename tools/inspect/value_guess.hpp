#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "tools/inspect/refusal.hpp"

namespace mo::tools {

/// An input that a refused node takes a setting from, and values to try.
struct Setting {
  std::string name;
  std::vector<std::string> readers = {};  ///< nodes that are refused
  std::span<const std::string_view> values = {};
};

/// Inputs with a few integers or flags that refused nodes read, directly or through copies, where the hint of the
/// refusal tells to give a fixed value. The first ones, of many.
std::vector<Setting> settings_of(const Graph& graph, const std::vector<Refusal>& refusals);

/// Whether one of the nodes that read the setting is refused.
bool refuses_a_reader(const std::vector<Refusal>& refusals, const Setting& setting);

}  // namespace mo::tools
