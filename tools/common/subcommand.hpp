#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/exit_code.hpp"
#include "driver/convert.hpp"

namespace mo::tools {

/// Understands words that name a model and how it is read, as `mo` itself does; errors MO-CLI-….
using ParseOptions = std::function<Expected<Options>(const std::vector<std::string>& words)>;

/// What a subcommand of `mo` gets.
struct Invocation {
  std::string name;                ///< as it was called: "mo opt", "mo_opt"
  std::vector<std::string> words;  ///< after the name
  ParseOptions parse_model_options;
  std::size_t width = 80;  ///< of the terminal, for help
  /// Does what `mo` does with these words, which name no subcommand; gives the exit code.
  std::function<int(const std::vector<std::string>& words)> convert;
  /// What would work instead of the words after the name, when converting the model of `options` has ended with the
  /// error: lines to print after it, or nothing. Searches, and may take as long as several conversions.
  std::function<std::string(const Options& options, const Error& error)> advice;
};

/// What is found out about a conversion after it, for its report.
struct Findings {
  /// as `mo verify --json` prints it; null: nothing was compared
  std::shared_ptr<const nlohmann::ordered_json> verification;
  std::vector<Diagnostic> problems;  ///< why something could not be found out
};

/// A face of `mo`: one folder of tools/, whose file subcommand.cpp defines `Subcommand subcommand_<folder>()`.
struct Subcommand {
  std::string name;                ///< after `mo`: "opt"
  std::vector<std::string> links;  ///< names of programs that mean it: "mo_opt"
  std::string summary;             ///< one line
  /// gives the exit code: one of ExitCode, or what programs of the original gave under the link's name
  int (*run)(const Invocation& invocation);
  /// Whether words after the name mean it; otherwise `mo` itself knows what is meant (`mo explain CODE`). None: always.
  bool (*applies)(const std::vector<std::string>& words) = nullptr;
  /// Looks at what a conversion wrote, when the options ask for it; ok when they do not. Null: it has nothing to do
  /// with conversions.
  ExitCode (*after_conversion)(const Options& options, const Report& report, Findings& findings) = nullptr;
  /// What would convert a model whose conversion has ended with an error: lines to print after it, or nothing.
  /// `command`: how command lines begin ("mo").
  std::string (*after_failure)(std::string_view command, const Options& options, const Error& error,
                               const ParseOptions& parse) = nullptr;
  /// What people type who do not know the name: "print". An error tells them.
  std::vector<std::string> also_tried = {};
};

/// All of them by name. Made by the build from the folders.
std::vector<Subcommand> subcommands();

}  // namespace mo::tools
