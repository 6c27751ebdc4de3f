#include "api/options.hpp"

#include "cli/command_line.hpp"

namespace mo {
namespace {

Expected<cli::CommandLine> command_line_of(const std::vector<std::string>& words, cli::LineFor purpose) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  return cli::parse_command_line(views, purpose);
}

}  // namespace

Expected<Options> parse_options(const std::vector<std::string>& words, DiagnosticSink& sink) {
  MO_ASSIGN(cli::CommandLine line, command_line_of(words, cli::LineFor::conversion));
  for (Diagnostic& warning : line.warnings) sink.report(std::move(warning));
  return std::move(line.options);
}

Expected<Options> parse_model_options(const std::vector<std::string>& words) {
  MO_ASSIGN(cli::CommandLine line, command_line_of(words, cli::LineFor::tool));
  return std::move(line.options);
}

}  // namespace mo
