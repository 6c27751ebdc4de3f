#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/options.hpp"

namespace mo {

/// A framework that the command line knows, supported or not.
struct Framework {
  std::string_view name;   ///< the word for --framework: "tf"
  std::string_view title;  ///< for sentences: "TensorFlow"
  bool supported;          ///< whether this build can read its models
};

/// The framework called `name`, or nullptr.
const Framework* find_framework(std::string_view name);
/// All names, in the order in which messages list them.
std::vector<std::string_view> framework_names();

/// `options.framework` when given; else deduced from an option that only one framework has, from the content of the
/// model file, or from its name. Errors: the content is a model of another framework (MO-CLI-0070), of a tool that
/// mo does not support, or no model (why_no_model), or nothing tells the framework (MO-CLI-0020, or why the file cannot
/// be a model); this build cannot read models of the framework (MO-CLI-0021). Looks at the beginning of the file only.
Expected<const Framework*> choose_framework(const Options& options);

/// Error MO-PB-…, MO-IO-0020 to -0025 when the content of --input_model cannot be a model of `framework`. Says nothing
/// where the reader has to judge, and about models that plugins may read.
Expected<void> check_content(const Options& options, std::string_view framework);

/// MO-CLI-0092: this build has no reader for a framework that mo knows (docs/selective_build.md).
Diagnostic reader_left_out(const Framework& framework);

}  // namespace mo
