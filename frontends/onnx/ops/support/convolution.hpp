#pragma once

#include "core/pass/rewriter.hpp"
#include "frontends/onnx/ops/support/window.hpp"

namespace mo::onnx {

/// A number of groups (attribute `group`, by default 1). Error MO-ONNX-0102 for one that is not positive.
Expected<std::int64_t> groups_of(const FrameworkNode& node, std::string_view attribute = "group");

/// Error MO-ONNX-0477 when the bias (which may be empty) certainly has another length than there are channels in the
/// result.
Expected<void> check_bias(const FrameworkNode& node, const Value& bias, const Dimension& channels);

/// result + bias, a number for each channel; `bias` may be empty.
Value with_channel_bias(Rewriter& rw, const Value& result, const Value& bias, std::size_t spatial_rank);
/// A number per tensor stays; a number per output channel is aligned with the filters [O, I, spatial…]. May be empty.
Value per_filter(Rewriter& rw, const Value& numbers, std::size_t spatial_rank);

/// Conv of data [N, C, spatial…] and filters [O, I, spatial…], with the attributes of `node`; `bias` may be empty.
/// Errors: as convolution_window.
Expected<Value> make_convolution(const FrameworkNode& node, Rewriter& rw, const Value& x, const Value& filters,
                                 const Value& bias);

/// QLinearConv with the attributes and inputs of `node`, but data `x` instead of input 0. Errors: as above,
/// MO-ONNX-0150.
Expected<Value> make_quantized_convolution(const FrameworkNode& node, Rewriter& rw, const Value& x);

/// ConvTranspose with the attributes of `node`; `bias` may be empty. Errors: as convolution_window.
Expected<Value> make_transposed_convolution(const FrameworkNode& node, Rewriter& rw, const Value& x,
                                            const Value& filters, const Value& bias);

}  // namespace mo::onnx
