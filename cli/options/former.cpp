#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"

namespace mo::cli {
namespace {

constexpr Row former_flag(std::string_view name, std::string_view advice) {
  return {{.name = name, .standing = Standing::removed, .advice = advice}, keep_given};
}
constexpr Row former_value(std::string_view name, std::string_view advice) {
  return {{.name = name, .takes = Takes::value, .standing = Standing::removed, .advice = advice}, keep_given};
}

// Options that some release of the original, or its successor, has, and `mo` has not: first to third generation of the
// original (2018 to 2020), then its successor (2023.1 and later).
constexpr std::array kFormerRows = {
    former_value(
        "tensorflow_subgraph_patterns",
        "runtimes do not call TensorFlow any more: describe the ops with --custom_ops, replace the sub-graph with "
        "--transformations_config, or cut it off with --output"),
    former_value(
        "tensorflow_operation_patterns",
        "runtimes do not call TensorFlow any more: describe the ops with --custom_ops, or cut them off with --output"),
    former_flag(
        "offload_unsupported_operations_to_tf",
        "runtimes do not call TensorFlow any more: `mo inspect` lists the unsupported ops, and the largest part that "
        "converts without them"),
    former_flag("generate_experimental_IR_V10", "write --ir_version 10"),
    former_flag("generate_deprecated_IR_V2", "IR version 2 cannot be written any more; --ir_version takes 10 and 11"),
    former_flag("blobs_as_inputs", "weights are constants of the network; leave it out"),
    former_flag("keep_quantize_ops_in_IR", "FakeQuantize stays in the IR in any case; leave it out"),
};

}  // namespace

std::span<const Row> former_options() { return kFormerRows; }

}  // namespace mo::cli
