#include <cstdio>

#include "driver/convert.hpp"
#include "driver/version.hpp"

/// Converts nothing: an embedding program sees the error of a missing model with its code.
int main() {
  mo::Options options;
  options.input_model = "missing.onnx";
  mo::DiagnosticList diagnostics;
  const auto report = mo::convert(options, diagnostics);
  std::printf("mo %.*s: %s\n", static_cast<int>(mo::version().size()), mo::version().data(),
              report ? "converted?" : report.error().first().code.c_str());
  return report || report.error().first().code.substr(0, 3) != "MO-" ? 1 : 0;
}
