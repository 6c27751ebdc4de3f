#include "tools/test/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>

#include "core/graph/bodies.hpp"
#include "core/text/printer.hpp"

namespace mo::test {
namespace {

std::string& place() {
  static std::string of_case;
  return of_case;
}

std::FILE* file() {
  static std::FILE* const made = [] {
    const char* path = std::getenv("MO_GOLDEN_COVERAGE");
    return path != nullptr ? std::fopen(path, "w") : nullptr;
  }();
  return made;
}

std::string list(const std::set<std::string>& names) {
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ","));
}

}  // namespace

bool Coverage::wanted() { return file() != nullptr; }
void Coverage::begin_case(std::string of_case) { place() = std::move(of_case); }

Coverage::Coverage(const Graph& graph) {
  if (wanted()) before_ = look_at(graph);
}

Coverage::Facts Coverage::look_at(const Graph& graph) {
  Facts facts;
  const std::unique_ptr<Graph> copy = graph.clone();
  for (const Graph* each : with_bodies(*copy)) {
    if (each != copy.get()) facts.bodies.insert(to_text(*each, {.elide_constants = false}));
    for (const Node node : each->nodes()) ++facts.ops[fmt::format("{}.v{}", node.type(), node.op_type().version)];
  }
  for (const Node& parameter : copy->parameters())
    facts.unknown_shapes = facts.unknown_shapes || !parameter.as<Parameter>()->shape.is_static();
  return facts;
}

void Coverage::record(const Pass& pass, const Graph& after, bool changed) const {
  if (!wanted()) return;
  const Facts now = look_at(after);
  bool body = false;
  std::set<std::string> fewer;
  if (changed) {
    for (const std::string& text : now.bodies) body = body || !before_.bodies.contains(text);
    for (const auto& [op, count] : before_.ops)
      if (const auto left = now.ops.find(op); left == now.ops.end() || left->second < count) fewer.insert(op);
  }
  write(pass, changed ? "hit" : "kept", body, fewer);
}

void Coverage::record_outcome(const Pass& pass, std::string_view outcome) const {
  if (wanted()) write(pass, outcome, false, {});
}

void Coverage::write(const Pass& pass, std::string_view outcome, bool body, const std::set<std::string>& fewer) const {
  std::set<std::string> ops;
  for (const auto& [op, count] : before_.ops) ops.insert(op);
  fmt::print(file(), "{}\t{}\t{}\t{}\t{}\t{}\t{}\n", pass.name, outcome, place(), body ? "body" : "-",
             before_.unknown_shapes ? "unknown" : "-", list(ops), list(fewer));
}

}  // namespace mo::test
