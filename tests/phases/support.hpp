#pragma once

#include <gtest/gtest.h>

#include "core/inference/infer.hpp"
#include "core/pass/pass.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "tests/support/builtins.hpp"

namespace mo::test {

inline std::unique_ptr<Graph> parse(std::string_view text, bool infer = false) {
  auto graph = parse_graph(text, builtins().ops(), {.infer = infer});
  EXPECT_TRUE(graph) << (graph ? "" : graph.error().first().format());
  return graph ? *std::move(graph) : nullptr;
}

struct PassResult {
  std::string code;  ///< of the first error; empty when there was none
  std::string text;  ///< of all errors
  bool changed = false;
  std::vector<Diagnostic> diagnostics;
};

inline PassResult run(const Pass& pass, Graph& graph, const Settings& settings = {}) {
  DiagnosticList sink;
  PassContext context{sink, settings, nullptr};
  const auto result = run_pass(pass, graph, context);
  PassResult made;
  made.diagnostics = std::move(sink.items);
  if (result) {
    made.changed = *result;
  } else {
    made.code = result.error().first().code;
    for (const Diagnostic& d : result.error().items()) made.text += d.format() + "\n";
  }
  return made;
}

}  // namespace mo::test
