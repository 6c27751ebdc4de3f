#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/text/parser.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "tests/support/builtins.hpp"

namespace mo::config {

inline std::unique_ptr<Graph> parse(std::string_view text) {
  auto graph = parse_graph(text, test::builtins().ops());
  EXPECT_TRUE(graph) << (graph ? "" : graph.error().first().format());
  return graph ? *std::move(graph) : nullptr;
}

inline std::vector<Descriptor> descriptors(const std::string& text) {
  const auto document = parse_json(text, "c.json");
  EXPECT_TRUE(document) << (document ? "" : document.error().first().format());
  auto read = read_descriptors(*document, "c.json");
  EXPECT_TRUE(read) << (read ? "" : read.error().first().format());
  return read ? std::move(read->descriptors) : std::vector<Descriptor>();
}

/// A pass and the descriptors that it sees.
struct ConfigRun {
  explicit ConfigRun(const std::string& json) { settings.set(Replacements{descriptors(json)}); }
  std::string run(const Pass& pass, Graph& graph) {
    const auto changed = run_pass(pass, graph, context);
    if (!changed) return changed.error().first().code;
    return *changed ? "changed" : "unchanged";
  }
  std::vector<std::string> warnings() const {
    std::vector<std::string> codes;
    for (const Diagnostic& d : diagnostics.items) codes.push_back(d.code);
    return codes;
  }
  DiagnosticList diagnostics;
  Settings settings;
  PassContext context{diagnostics, settings, nullptr};
};

/// Two blocks of one form one after the other, with an input each, a constant inside, and a side branch.
inline constexpr std::string_view kBlocks = R"(graph(%x: f32[4] "x") {
  %p = ReLU(%x) "net/start"
  %a = Sigmoid(%p) "net/block1/a"
  %b = Tanh(%p) "net/block1/b"
  %k = Const {value=2:f32} "net/block1/k"
  %c = Add(%a, %b) "net/block1/c"
  %d = Multiply(%c, %k) "net/block1/d"
  %e = Sigmoid(%d) "net/block2/a"
  %f = Tanh(%d) "net/block2/b"
  %l = Const {value=3:f32} "net/block2/k"
  %g = Add(%e, %f) "net/block2/c"
  %h = Multiply(%g, %l) "net/block2/d"
  return %h "out"
})";

/// A descriptor of kind points.
inline std::string points(std::string_view starts, std::string_view ends, std::string_view more = "") {
  return R"([{"id": "P", "match_kind": "points", "instances": {"start_points": [)" + std::string(starts) +
         R"(], "end_points": [)" + std::string(ends) + "]}" + std::string(more) + "}]";
}

}  // namespace mo::config
