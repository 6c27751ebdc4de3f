#include "tools/common/subcommand.hpp"
#include "tools/common/arguments.hpp"
#include "tools/inspect/summarize.hpp"

namespace mo::tools {
namespace {

int run_summarize_graph(const Invocation& invocation) {
  return with_arguments(invocation, [](int argc, char** argv) { return summarize_main(argc, argv) == ExitCode::ok ? 0 : kFailedAsInTensorFlow; });
}

}  // namespace

Subcommand subcommand_inspect() { return {"summarize_graph", {"summarize_graph"}, "what is in a GraphDef", run_summarize_graph}; }

}  // namespace mo::tools
