#pragma once

#include "api/c/request.hpp"
#include "api/c/result.hpp"

namespace mo::api {

/// These do what a request asks for, and leave in `result` what came out. Errors are those of the result.
Expected<void> convert(mo_request& request, mo_result& result);
Expected<void> inspect(mo_request& request, mo_result& result);
Expected<void> verify(mo_request& request, mo_result& result);
/// Errors besides: MO-API-0002 (a tensor whose bytes are not those of its type and shape), MO-API-0003 (an element type
/// that there is not).
Expected<void> run(mo_request& request, std::span<const mo_tensor> inputs, mo_result& result);

}  // namespace mo::api
