#include "tools/inspect/value_guess.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace mo::tools {
namespace {

constexpr std::array<std::string_view, 2> kFlags = {"False", "True"};  // what trains is off by default
constexpr std::array<std::string_view, 4> kNumbers = {"1", "0", "-1", "2"};
constexpr std::int64_t kMostNumbers = 8;
constexpr std::size_t kMostSettings = 8;

/// Whether the hint tells to give an input a fixed value.
bool advises_value(const Refusal& refusal) {
  return std::ranges::any_of(std::array{"->", "--freeze_placeholder_with_value", "a constant"},
                             [&](std::string_view word) { return refusal.hint.find(word) != std::string::npos; });
}

}  // namespace

std::vector<Setting> settings_of(const Graph& graph, const std::vector<Refusal>& refusals) {
  std::set<std::string_view> refused;
  for (const Refusal& refusal : refusals)
    if (advises_value(refusal)) refused.insert(refusal.nodes.begin(), refusal.nodes.end());
  std::vector<Setting> settings;
  for (const Node node : graph.nodes()) {
    if (!refused.contains(node.name())) continue;
    for (const InPort& port : node.in_ports()) {
      Value source = port.get_source();
      for (int copies = 0; copies < 4 && source && source.node().in_port_count() == 1; ++copies)
        source = source.node().input(0);
      const Parameter* input = source ? source.node().as<Parameter>() : nullptr;
      if (!input || input->shape.element_count().value_or(kMostNumbers + 1) > kMostNumbers) continue;
      const bool is_flag = input->element_type == ElementType::boolean;
      if (!is_flag && !is_integral(input->element_type)) continue;
      const std::string_view name = source.node().name();
      auto known = std::ranges::find(settings, name, &Setting::name);
      if (known == settings.end()) {
        if (settings.size() == kMostSettings) continue;
        settings.push_back({.name = std::string(name), .values = kNumbers});
        known = settings.end() - 1;
        if (is_flag) known->values = kFlags;
      }
      known->readers.emplace_back(node.name());
    }
  }
  return settings;
}

bool refuses_a_reader(const std::vector<Refusal>& refusals, const Setting& setting) {
  return std::ranges::any_of(refusals, [&](const Refusal& refusal) {
    return std::ranges::any_of(refusal.nodes, [&](const std::string& name) {
      return std::ranges::find(setting.readers, name) != setting.readers.end();
    });
  });
}

}  // namespace mo::tools
