#pragma once

#include <string>
#include <vector>

#include "tools/verify/verify.hpp"

namespace mo {

using tools::Check;
using tools::GuiltyPass;
using tools::LayerCheck;
using tools::OutputCheck;
using tools::Tolerances;
using tools::Verdict;
using tools::Verification;
using tools::VerifyRequest;

/// Computes a model as its framework would, and its IR (or another model) with the same inputs, and compares. The
/// source's options come from `parse_model_options`; its budget bounds reading, converting and each run. That both
/// differ is a result, no error. Errors: those of reading, converting and running, MO-VERIFY-0002 to -0006 and -0008 to
/// -0013, MO-LIMIT-….
Expected<Verification> verify(const VerifyRequest& request, DiagnosticSink& sink);

/// A request from the words after `mo verify` (docs/tools.md): {"model.onnx", "model.xml", "--seeds", "3", "--bisect"}.
/// Errors: MO-VERIFY-0007, MO-API-0007, MO-CLI-….
Expected<VerifyRequest> parse_verify_request(const std::vector<std::string>& words);

/// What came out, as `mo verify` prints it: for people, and with --json (docs/tools.md).
std::string text_of(const Verification& verification);
std::string json_of(const Verification& verification);

}  // namespace mo
