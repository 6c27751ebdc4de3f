// Reads an IR, runs a pass of its own and transformations of mo's library, draws the result and writes it as an IR.
//   transform_ir IN.xml OUT.xml
#include <cstdio>

#include "core/inference/infer.hpp"
#include "core/pass/library.hpp"
#include "core/rewrite.hpp"
#include "core/text/visualize_tree.hpp"
#include "frontends/ir/reader.hpp"
#include "ir_emitter/emitter.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/register_all.hpp"
#include "transformations/catalogue.hpp"

namespace {

/// ReLU(ReLU(x)) -> ReLU(x)
mo::Pass idempotent_relu() {
  using namespace mo;
  const Pat x = pattern::any();
  return rewrite("IdempotentReLU")
      .described("ReLU(ReLU(x))", "ReLU(x)")
      .match(pattern::op<ops::ReLU>(pattern::op<ops::ReLU>(x)))
      .replace([=](const Match& m, Rewriter& rewriter) -> Replacement { return rewriter.create(ops::ReLU{}, m[x]); });
}

mo::Expected<void> transform(const char* from, const char* to) {
  mo::OpRegistry ops;
  mo::ops::register_all(ops);
  mo::DiagnosticList diagnostics;
  MO_ASSIGN(const std::unique_ptr<mo::Graph> graph, mo::ir::read_ir(from, "", ops, diagnostics));
  MO_TRY(mo::infer_graph(*graph));
  graph->set_has_types(true);

  mo::PassLibrary library;
  mo::transformations::add_catalogue(library);
  library.add(idempotent_relu());
  const mo::Settings settings;
  mo::LibraryRun run(library, diagnostics, settings);
  // What a plugin says of an op that it computes itself: leave it alone.
  run.config.set_callback("ReduceL1Decomposition", [](const mo::Node& node) { return node.name() == "keep_me"; });
  run.after_pass = [](const mo::PassEvent& event) -> mo::Expected<void> {
    std::printf("%s: %s\n", event.pass.name.c_str(), event.changed ? "changed" : "nothing to do");
    return {};
  };
  for (const char* pass : {"IdempotentReLU", "ReduceL1Decomposition"}) MO_TRY(run.run(pass, *graph));

  std::printf("%s", mo::visualize_tree(*graph, {.shapes = true}).c_str());
  MO_TRY(mo::ir_emitter::emit(*graph, {.xml_path = to}));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s IN.xml OUT.xml\n", argv[0]);
    return 2;
  }
  const auto done = transform(argv[1], argv[2]);
  if (done) return 0;
  for (const mo::Diagnostic& diagnostic : done.error().items())
    std::fprintf(stderr, "%s\n", diagnostic.format().c_str());
  return 1;
}
