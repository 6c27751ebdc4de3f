#include "tools/opt/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace mo::tools {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_of(const Pass& pass) {
  if (!pass.steps.empty()) return pass.steps.size() == 1 && !pass.steps.front().group.empty() ? "group" : "pipeline";
  return pass.rules ? "rewrite" : "graph pass";
}

/// Whether the callbacks of the configuration for single nodes hold: of rules, the engine asks.
bool asks_nodes(const Pass& pass) { return pass.rules || pass.asks_nodes; }

/// Names of the pipelines and groups that have it as a step.
std::vector<std::string> users_of(const PassLibrary& library, const Pass& pass) {
  std::vector<std::string> users;
  for (const Pass* user : library.passes())
    for (const PassStep& step : user->steps)
      for (const PassUse& use : step.passes)
        if (library.find(use.pass) == &pass && (users.empty() || users.back() != user->name))
          users.push_back(user->name);
  return users;
}

Json json_of(const PassLibrary& library, const Pass& pass) {
  Json row;
  row["name"] = pass.name;
  row["kind"] = kind_of(pass);
  row["other_names"] = pass.other_names;
  row["before"] = pass.description.before;
  row["after"] = pass.description.after;
  row["conditions"] = pass.description.conditions;
  row["settings"] = pass.parameters;
  row["enabled"] = pass.enabled;
  row["asks_nodes"] = asks_nodes(pass);
  row["whole_graph"] = pass.whole_graph;
  row["steps"] = Json::array();
  for (const PassStep& step : pass.steps)
    for (const PassUse& use : step.passes)
      row["steps"].push_back({{"pass", use.pass}, {"group", step.group}, {"enabled", use.enabled}});
  row["part_of"] = users_of(library, pass);
  return row;
}

std::string text_of(const PassLibrary& library, const Pass& pass) {
  std::string text = fmt::format("{} ({})\n", pass.name, kind_of(pass));
  const auto row = [&](const char* title, const std::string& what) {
    if (!what.empty()) text += fmt::format("  {:<11} {}\n", title, what);
  };
  row("also", fmt::format("{}", fmt::join(pass.other_names, ", ")));
  row("before", pass.description.before);
  row("after", pass.description.after);
  row("conditions", pass.description.conditions);
  row("settings", fmt::format("{}", fmt::join(pass.parameters, ", ")));
  if (!pass.whole_graph.empty()) row("nodes", fmt::format("all or none: {}", pass.whole_graph));
  row("part of", fmt::format("{}", fmt::join(users_of(library, pass), ", ")));
  for (const PassStep& step : pass.steps) {
    if (!step.group.empty() && pass.steps.size() > 1) row("group", step.group);
    for (const PassUse& use : step.passes)
      row(step.group.empty() ? "step" : "  one of", use.pass + (use.enabled ? "" : " (off by default)"));
  }
  return text;
}

}  // namespace

std::string list_of_passes(const PassLibrary& library, bool as_json) {
  if (as_json) {
    Json rows = Json::array();
    for (const Pass* pass : library.passes()) rows.push_back(json_of(library, *pass));
    return rows.dump(1) + "\n";
  }
  std::string text;
  for (const Pass* pass : library.passes()) {
    const PassDescription& form = pass->description;
    const std::string what = form.after.empty() ? form.before : fmt::format("{} -> {}", form.before, form.after);
    text += fmt::format("{:<44} {}\n", pass->name, what.empty() ? kind_of(*pass) : what);
  }
  return text;
}

Expected<std::string> description_of(const PassLibrary& library, const std::vector<std::string>& names, bool as_json) {
  Json rows = Json::array();
  std::string text;
  for (const std::string& name : names) {
    MO_ASSIGN(const Pass* const pass, library.get(name));
    rows.push_back(json_of(library, *pass));
    text += text_of(library, *pass);
  }
  return as_json ? rows.dump(1) + "\n" : text;
}

}  // namespace mo::tools
