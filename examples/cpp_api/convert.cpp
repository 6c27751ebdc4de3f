// Converts a model with the options of a command line, shows how far it is, and stops on Ctrl-C.
//   convert_model MODEL [OPTION…]
#include <atomic>
#include <csignal>
#include <cstdio>

#include "api/options.hpp"
#include "driver/convert.hpp"

namespace {

std::atomic<bool> cancelled = false;

/// Prints warnings when they come.
struct Printer final : mo::DiagnosticSink {
  void report(mo::Diagnostic diagnostic) override { std::fprintf(stderr, "%s\n", diagnostic.format().c_str()); }
};

struct Steps final : mo::ProgressSink {
  void step(double share, std::string_view step) override {
    std::fprintf(stderr, "%3.0f %%  %.*s\n", share * 100, static_cast<int>(step.size()), step.data());
  }
};

mo::Expected<mo::Report> convert(const std::vector<std::string>& words) {
  Printer printer;
  MO_ASSIGN(mo::Options options, mo::parse_options(words, printer));
  options.budget.cancel = &cancelled;
  Steps steps;
  return mo::convert(options, printer, &steps);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, [](int) { cancelled = true; });
  const auto report = convert({argv + 1, argv + argc});
  if (!report) {
    for (const mo::Diagnostic& problem : report.error().items()) std::fprintf(stderr, "%s\n", problem.format().c_str());
    return 1;
  }
  std::printf("%s: version %d, %zu layers, of\n", report->xml_path.c_str(), report->ir_version, report->layers);
  for (const std::string& input : report->inputs) std::printf("  %s\n", input.c_str());
}
