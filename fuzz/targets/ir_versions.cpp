// An ONNX model gives the same numbers as IR version 10 and 11, where version 10 can express it.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/execution.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_ir_versions(std::string_view input) {
  Options options = options_for("onnx", "model.onnx", input);
  options.ir_version = 10;
  const auto older = converted(options);
  if (!older) return;
  const auto wanted = results_of(*older);
  options.ir_version = 11;
  const auto newer = converted(options);
  if (!wanted || !newer) return;
  if (const auto found = results_of(*newer)) require_same(*wanted, *found, kOfVariants, "version 11 in place of 10");
}

}  // namespace mo::fuzz
