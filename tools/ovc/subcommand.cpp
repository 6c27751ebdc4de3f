#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/subcommand_line.hpp"

namespace mo::tools {
namespace {

struct OvcOptions : SubcommandOptions {
  std::string model;
  std::string checkpoint;
  std::string output_model;
  bool compress_to_fp16 = true;
  std::string input;
  std::string output;
  std::string extension;
  bool verbose = false;
  bool version = false;
};

using OvcRow = OptionOf<OvcOptions>;

constexpr SubcommandText kOvcText = {
    "MO-OVC-0001", "INPUT_MODEL [CHECKPOINT]",
    "Converts a model with the command line of ovc, OpenVINO's converter since 2023.1, and with its defaults: weights "
    "become f16.\n"
    "All other options of mo are understood as well."};

Expected<void> set_compression(OvcOptions& options, std::string_view text) {
  std::string value(text);
  std::ranges::transform(value, value.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (value != "true" && value != "false")
    return error("MO-OVC-0001", "{} is neither True nor False", in_quotes(text)).hint("write True or False");
  options.compress_to_fp16 = value == "true";
  return {};
}

constexpr std::array kOvcRows = {
    OvcRow{{.name = "output_model",
            .takes = Takes::value,
            .metavar = "PATH",
            .is_path = true,
            .help = "name of the .xml file; a folder, or what ends with '/', gets the name of the model"},
           set_text<&OvcOptions::output_model>},
    OvcRow{{.name = "compress_to_fp16",
            .takes = Takes::perhaps,
            .metavar = "[True|False]",
            .words = "True False",
            .otherwise = "True",
            .help = "store weights as f16; default: True"},
           set_compression},
    OvcRow{{.name = "input",
            .takes = Takes::value,
            .metavar = "NAME[SHAPE],…",
            .help = "inputs and their shapes, or only shapes: \"x[1,100],y[1,?]\", \"[1,100],[1,?]\""},
           set_text<&OvcOptions::input>},
    OvcRow{{.name = "output", .takes = Takes::value, .metavar = "NAME,…", .help = "outputs; the rest is removed"},
           set_text<&OvcOptions::output>},
    OvcRow{{.name = "extension",
            .takes = Takes::value,
            .metavar = "PATH,…",
            .is_path = true,
            .help = "plugins of mo; OpenVINO's extensions are for its own front ends"},
           set_text<&OvcOptions::extension>},
    OvcRow{{.name = "verbose", .help = "say more while it converts"}, set_flag<&OvcOptions::verbose>},
    OvcRow{{.name = "version", .help = "print the version of mo"}, set_flag<&OvcOptions::version>},
};

/// `output_model` as ovc understands it: a folder when it is one or ends with '/', else a file, whose ending may lack.
std::vector<std::string> output_words(const std::string& output_model) {
  if (output_model.empty()) return {};
  std::error_code failure;
  if (output_model.ends_with('/') || std::filesystem::is_directory(output_model, failure))
    return {"--output_dir=" + output_model};
  return {"--output_dir=" + output_model + (output_model.ends_with(".xml") ? "" : ".xml")};
}

/// The command line of mo that means the same.
std::vector<std::string> words_of_mo(OvcOptions options) {
  std::vector<std::string> words;
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) words.push_back(fmt::format("--{}={}", option, value));
  };
  if (!options.model.empty()) words.push_back(std::move(options.model));
  add("input_checkpoint", options.checkpoint);
  std::ranges::move(output_words(options.output_model), std::back_inserter(words));
  add("compress_to_fp16", options.compress_to_fp16 ? "True" : "False");
  add("input", options.input);
  add("output", options.output);
  add("extensions", options.extension);
  if (options.verbose) add("log_level", "INFO");
  std::ranges::move(options.model_words, std::back_inserter(words));
  return words;
}

int run_ovc(const Invocation& invocation) {
  OvcOptions options;
  if (const auto parsed =
          parse_subcommand_line(kOvcText, kOvcRows, invocation, options, {&options.model, &options.checkpoint});
      !parsed) {
    print(parsed.error());
    return static_cast<int>(exit_code_of(parsed.error()));
  }
  if (options.help) {
    fmt::print("{}", options.help_text);
    return static_cast<int>(ExitCode::ok);
  }
  return invocation.convert(options.version ? std::vector<std::string>{"--version"} : words_of_mo(std::move(options)));
}

}  // namespace

Subcommand subcommand_ovc() {
  return {
      .name = "ovc", .links = {"mo-ovc"}, .summary = "convert a model with the command line of ovc", .run = run_ovc};
}

}  // namespace mo::tools
