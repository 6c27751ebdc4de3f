#include "tools/common/arguments.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/inspect/summarize.hpp"

namespace mo::tools {
namespace {

/// TensorFlow's tools end with -1 whatever is wrong, and scripts ask for that.
constexpr int kFailed = 255;

int run_summarize_graph(const Invocation& invocation) {
  return with_arguments(invocation, [](int argc, char** argv) { return summarize_main(argc, argv) == ExitCode::ok ? 0 : kFailed; });
}

}  // namespace

Subcommand subcommand_inspect() { return {"summarize_graph", {"summarize_graph"}, "what is in a GraphDef", run_summarize_graph}; }

}  // namespace mo::tools
