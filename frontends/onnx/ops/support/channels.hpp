#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::onnx {

/// x of `rank` dimensions with dimension 1 (channels) moved to the end, and back.
Value channels_to_last(Rewriter& rw, const Value& x, std::size_t rank);
Value channels_to_first(Rewriter& rw, const Value& x, std::size_t rank);

}  // namespace mo::onnx
