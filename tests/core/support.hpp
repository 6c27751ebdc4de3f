#pragma once

#include <gtest/gtest.h>

#include "core/pass/pass_manager.hpp"
#include "core/text/parser.hpp"
#include "ops/pattern.hpp"
#include "tests/support/builtins.hpp"

namespace mo::test {

inline std::unique_ptr<Graph> parse(std::string_view text, bool infer = false) {
  auto graph = parse_graph(text, builtins().ops(), {.infer = infer});
  EXPECT_TRUE(graph) << (graph ? "" : graph.error().first().format());
  return graph ? *std::move(graph) : nullptr;
}
inline std::unique_ptr<Graph> parse_and_infer(std::string_view text) { return parse(text, true); }

/// What passes run in.
struct Context {
  DiagnosticList diagnostics;
  Settings settings;
  PassContext context{diagnostics, settings, nullptr};
};

/// x * x -> x + x, where both factors are the same tensor.
inline RewriteRule square_rule() {
  const Pat x = pattern::any();
  return rewrite("Square").match(pattern::op<ops::Multiply>(x, x)).rule([=](const Match& m, Rewriter& rw) {
    return rw.create(ops::Add{}, m[x], m[x]);
  });
}

}  // namespace mo::test
