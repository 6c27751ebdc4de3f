#include "cli/former_options.hpp"

#include <algorithm>
#include <array>

namespace mo::cli {
namespace {

// Releases: first to third generation of the original (2018 to 2020), then its successor (2023.1 and later).
constexpr std::array kFormerOptions = {
    FormerOption{"tensorflow_subgraph_patterns", true,
                 "runtimes do not call TensorFlow any more: describe the ops with --custom_ops, replace the sub-graph "
                 "with --transformations_config, or "
                 "cut it off with --output"},
    FormerOption{
        "tensorflow_operation_patterns", true,
        "runtimes do not call TensorFlow any more: describe the ops with --custom_ops, or cut them off with --output"},
    FormerOption{"offload_unsupported_operations_to_tf", false,
                 "runtimes do not call TensorFlow any more: `mo inspect` lists the unsupported ops, and the largest "
                 "part that converts without them"},
    FormerOption{"generate_experimental_IR_V10", false, "write --ir_version 10"},
    FormerOption{"generate_deprecated_IR_V2", false,
                 "IR version 2 cannot be written any more; --ir_version takes 10 and 11"},
    FormerOption{"blobs_as_inputs", false, "weights are constants of the network; leave it out"},
    FormerOption{"keep_quantize_ops_in_IR", false, "FakeQuantize stays in the IR in any case; leave it out"},
    FormerOption{"output_model", true, "write --output_dir for the folder, and --model_name for the name of the files"},
    FormerOption{"verbose", false, "write --log_level=INFO"},
};

}  // namespace

const FormerOption* find_former_option(std::string_view name) {
  const auto* const found = std::ranges::find(kFormerOptions, name, &FormerOption::name);
  return found == kFormerOptions.end() ? nullptr : found;
}

}  // namespace mo::cli
