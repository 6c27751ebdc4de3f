#pragma once

#include <string>
#include <vector>

#include "tools/common/subcommand.hpp"
#include "tools/verify/verify.hpp"

namespace mo::tools {

/// What a line of `mo verify` asks for.
struct VerifyOptions {
  VerifyRequest request;
  std::string model;
  std::string report;  ///< a file; empty: none
  bool json = false;
  bool help = false;
  std::string help_text;
  std::vector<std::string> model_words;  ///< the rest of the line
};

/// Understands the words of `mo verify`; what only conversions know stays in `model_words`, and `request.source` is still to be made of it. Error
/// MO-VERIFY-0007.
Expected<VerifyOptions> parse_verify_options(const Invocation& invocation);

}  // namespace mo::tools
