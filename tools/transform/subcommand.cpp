#include "tools/common/subcommand.hpp"
#include "tools/common/arguments.hpp"
#include "tools/transform/transform.hpp"

namespace mo::tools {
namespace {

int run_transform_graph(const Invocation& invocation) {
  return with_arguments(invocation, [](int argc, char** argv) {
    return transform_main(argc, argv) == ExitCode::ok ? 0 : kFailedAsInTensorFlow;
  });
}

}  // namespace

Subcommand subcommand_transform() {
  return {.name = "transform",
          .links = {"transform_graph"},
          .summary = "apply graph transforms to a GraphDef or an ONNX model",
          .run = run_transform_graph,
          .also_tried = {"edit", "freeze"}};
}

}  // namespace mo::tools
