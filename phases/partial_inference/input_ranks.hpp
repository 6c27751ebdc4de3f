#pragma once

#include "core/pass/pass.hpp"

namespace mo::phases {

/// Pass "InputRanks": gives an input of the model whose rank nothing tells the rank that its readers need: that of the
/// weights of a convolution, of the order of a Transpose, of a product of matrices in TensorFlow. Elementwise ops hand
/// the need on. The sizes stay unknown.
///
/// Warning MO-FRONT-0022 for inputs whose rank stays unknown in IR version 11, with an option that converts: no runtime
/// compiles such an IR. (Version 10 needs static shapes, which CheckTarget tells.)
Pass input_ranks();

}  // namespace mo::phases
