#include "api/options.hpp"

#include "cli/command_line.hpp"

namespace mo {
namespace {

struct ProgramOption {
  std::string_view name;
  std::string_view hint;
};

/// What the program does around a conversion, or in place of it.
constexpr ProgramOption kProgramOptions[] = {
    {"report", "run the program: mo MODEL --report FILE, or mo verify MODEL --report FILE"},
    {"verify", "call verify in its place: mo::verify, mo_verify, mo_openvino.verify"},
    {"check", "run the program: mo MODEL -o FILE.onnx --check"},
    {"json", "leave it out: results are data"},
    {"list-options", "run the program: mo --list-options"},
    {"explain", "run the program: mo explain CODE"},
    {"version", "leave it out: the library has a function for its version"},
    {"help", "run the program: mo --help"},
};

Expected<void> refuse_program_options(const Options& options) {
  for (const auto& [name, hint] : kProgramOptions)
    if (options.is_given(name)) return program_option(name, hint);
  return {};
}

Expected<cli::CommandLine> command_line_of(const std::vector<std::string>& words, cli::LineFor purpose) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  return cli::parse_command_line(views, purpose);
}

}  // namespace

Diagnostic program_option(std::string_view name, std::string_view hint) {
  return error("MO-API-0007", "{} is an option of the program mo only", name).hint("{}", hint);
}

Expected<Options> parse_options(const std::vector<std::string>& words, DiagnosticSink& sink) {
  MO_ASSIGN(cli::CommandLine line, command_line_of(words, cli::LineFor::conversion));
  MO_TRY(refuse_program_options(line.options));
  for (Diagnostic& warning : line.warnings) sink.report(std::move(warning));
  return std::move(line.options);
}

Expected<Options> parse_model_options(const std::vector<std::string>& words) {
  MO_ASSIGN(cli::CommandLine line, command_line_of(words, cli::LineFor::tool));
  MO_TRY(refuse_program_options(line.options));
  return std::move(line.options);
}

}  // namespace mo
