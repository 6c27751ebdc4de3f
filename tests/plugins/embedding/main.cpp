#include <cstdio>

#include "driver/convert.hpp"

/// Converts a model with plugins, twice: MODEL PLUGINS OUTPUT_DIR. Prints the code of the first error, or the number of
/// layers.
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  for (int i = 0; i < 2; ++i) {
    mo::Options options;
    options.input_model = argv[1];
    options.extensions = {argv[2]};
    options.output_dir = argv[3];
    mo::DiagnosticList diagnostics;
    const auto report = mo::convert(options, diagnostics);
    if (report)
      std::printf("%zu layers\n", report->layers);
    else
      std::printf("%s\n", report.error().first().code.c_str());
  }
  return 0;
}
