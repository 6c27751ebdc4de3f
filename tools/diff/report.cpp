#include "tools/diff/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace mo::tools {
namespace {

char mark_of(ChangeKind kind) { return kind == ChangeKind::removed ? '-' : kind == ChangeKind::added ? '+' : '~'; }

}  // namespace

std::string diff_text(const std::vector<GraphChange>& changes) {
  std::string text;
  std::map<std::string_view, std::size_t> counts;
  for (const GraphChange& change : changes) {
    text += fmt::format("{} {}\n", mark_of(change.kind), change.to_string());
    ++counts[to_string(change.kind)];
  }
  if (changes.empty()) return "the graphs are the same\n";
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts) parts.push_back(fmt::format("{} {}", count, kind));
  return text +
         fmt::format("{} difference{}: {}\n", changes.size(), changes.size() == 1 ? "" : "s", fmt::join(parts, ", "));
}

nlohmann::ordered_json diff_json(const std::vector<GraphChange>& changes) {
  using Json = nlohmann::ordered_json;
  const auto node_json = [](const Node& node) {
    return node ? Json{{"name", std::string(node.name())}, {"op", std::string(node.type())}} : Json();
  };
  Json rows = Json::array();
  for (const GraphChange& change : changes) {
    Json elements;
    // JSON has no infinity: a difference that is none has no size.
    if (change.elements)
      elements = {{"differing", change.elements->differing},
                  {"largest", change.elements->largest()},
                  {"place", change.elements->place}};
    rows.push_back({{"kind", std::string(to_string(change.kind))},
                    {"before", node_json(change.before)},
                    {"after", node_json(change.after)},
                    {"inside", change.inside},
                    {"what", change.what},
                    {"from", change.from},
                    {"to", change.to},
                    {"elements", std::move(elements)}});
  }
  return {{"same", changes.empty()}, {"differences", std::move(rows)}};
}

}  // namespace mo::tools
