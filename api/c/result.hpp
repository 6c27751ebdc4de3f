#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/c/mo.h"
#include "api/c/request.hpp"
#include "api/plan.hpp"
#include "api/run.hpp"
#include "api/verify.hpp"
#include "driver/convert.hpp"

/// What became of a request.
struct mo_result {
  mo_status status = MO_OK;
  std::vector<mo::Diagnostic> messages;  ///< warnings and notes as they came, then the errors
  std::optional<mo::Report> conversion;
  std::optional<mo::tools::Plan> inspection;
  std::optional<mo::Verification> verification;
  std::vector<mo::NamedTensor> outputs;
  bool ran = false;

  // What callers are shown; made by `finish`.
  std::string error_code;
  std::string error_text;
  std::string json;

  void fail(const mo::Error& error);
  /// Makes the texts; `request` knows how what was given as bytes is called.
  void finish(const mo_request& request);
};

namespace mo::api {

/// docs/schemas/api_result.schema.json.
std::string json_of(const mo_result& result);

}  // namespace mo::api
