#pragma once

#include <string>
#include <vector>

#include "tools/common/subcommand_line.hpp"
#include "tools/verify/verify.hpp"

namespace mo::tools {

/// What a line of `mo verify` asks for.
struct VerifyOptions : SubcommandOptions {
  VerifyRequest request;
  std::string model;
  std::string engine;  ///< as --engine names it
  std::string report;  ///< a file; empty: none
  bool json = false;
};

/// Understands the words of `mo verify`; what only conversions know stays in `model_words`, and `request.source` is
/// still to be made of it. Error MO-VERIFY-0007.
Expected<VerifyOptions> parse_verify_options(const Invocation& invocation);

}  // namespace mo::tools
