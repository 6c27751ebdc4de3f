#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/rewrite.hpp"

/// Strides with which single pixels are read, on their way towards the inputs of a model: what reads only every second
/// pixel needs no others computed. On its way a stride is a MaxPool of 1x1 with the mark `strides_propagation`, so that
/// the model means the same at each step.
namespace mo::transformations {

using Strides = std::vector<std::int64_t>;

/// A Convolution whose data are channels first.
bool is_channels_first_convolution(const Node& node);

/// The stride, not all ones, with which every reader of the only output takes single pixels: Convolutions of 1x1
/// without pads, and pools on their way. Nothing when one of them reads all pixels, or they differ. O(readers).
std::optional<Strides> stride_of_readers(const Node& node);

/// The output has only every `strides`-th pixel now (its type says so): convolutions among its readers lose their
/// stride, and pools are taken away.
void relieve_readers(Rewriter& rw, const Node& node);

/// Inserts a moving pool before the input; the reader is not inferred.
Expected<void> add_moving_pool(Rewriter& rw, const InPort& port, const Strides& strides);

/// The pool among the readers of a tensor that would go on if it could.
bool is_moving_pool(const Node& node);
/// It stays where it is.
void settle_pool(const Node& pool);

}  // namespace mo::transformations
