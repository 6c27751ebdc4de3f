#pragma once

#include <span>
#include <vector>

#include "cli/command_line.hpp"
#include "core/command_line/option_row.hpp"

/// The options of `mo`: a file of rows for each section, in cli/options. docs/how_to/add_an_option.md shows how a row
/// is added.
namespace mo::cli {

using Row = OptionOf<CommandLine>;

inline constexpr OptionSection kGeneral{"general", "General", ""};
inline constexpr OptionSection kModel{"model", "Inputs and outputs", ""};
inline constexpr OptionSection kPreprocessing{"preprocessing", "Preprocessing that becomes part of the model", ""};
inline constexpr OptionSection kIr{"ir", "Generated IR", ""};
inline constexpr OptionSection kOptimisation{"optimisation", "Optimisations", ""};
inline constexpr OptionSection kExtensions{"extensions", "Extensions", ""};
inline constexpr OptionSection kDebugging{"debugging", "Debugging", ""};
inline constexpr OptionSection kDeprecated{"deprecated", "Accepted for old command lines, without effect", ""};
inline constexpr OptionSection kTensorflow{"tensorflow", "TensorFlow", "tf"};
inline constexpr OptionSection kCaffe{"caffe", "Caffe", "caffe"};
inline constexpr OptionSection kMxnet{"mxnet", "MXNet", "mxnet"};
inline constexpr OptionSection kKaldi{"kaldi", "Kaldi", "kaldi"};

/// The answer to all who ask for 8 or 4 bits, as an option, a value, a subcommand or a topic.
inline constexpr std::string_view kNoQuantisation =
    "mo does not quantise; give its IR to NNCF, in Python: "
    "openvino.save_model(nncf.compress_weights(openvino.Core().read_model(\"model.xml\")), \"compressed.xml\"), or "
    "nncf.quantize with samples";

std::span<const Row> general_options();
std::span<const Row> model_options();
std::span<const Row> preprocessing_options();
std::span<const Row> ir_options();
std::span<const Row> optimisation_options();
std::span<const Row> extension_options();
std::span<const Row> debugging_options();
std::span<const Row> deprecated_options();
std::span<const Row> tensorflow_options();
std::span<const Row> caffe_options();
std::span<const Row> mxnet_and_kaldi_options();
/// Those that are refused with what to do instead: Standing::removed, and Standing::foreign.
std::span<const Row> former_options();
std::span<const Row> foreign_options();

/// All options that there are, in the order of --help: that of files and rows.
const std::vector<const OptionRow*>& option_table();

/// The sections of the table, in its order.
std::vector<const OptionSection*> option_sections();

}  // namespace mo::cli
