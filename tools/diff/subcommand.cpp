#include "tools/common/subcommand.hpp"
#include "tools/common/arguments.hpp"
#include "tools/diff/compare.hpp"

namespace mo::tools {
namespace {

int run_compare_graphs(const Invocation& invocation) {
  return with_arguments(invocation, [](int argc, char** argv) { return compare_main(argc, argv); });
}

}  // namespace

Subcommand subcommand_diff() { return {"compare_graphs", {"compare_graphs"}, "whether two GraphDefs are the same", run_compare_graphs}; }

}  // namespace mo::tools
