#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::onnx {

/// start, start + delta … up to `limit`, without it. The three tensors of one element have one element type, which is
/// that of the result.
Value make_range(Rewriter& rw, const Value& start, const Value& limit, const Value& delta);

}  // namespace mo::onnx
