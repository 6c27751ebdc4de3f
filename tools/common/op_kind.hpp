#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mo::tools {

/// What an op does, as far as pictures tell it by a colour.
enum class OpKind : std::uint8_t {
  compute,        ///< multiplies by weights: convolutions, matrix products, recurrent cells, attention
  normalization,  ///< BatchNormalization, LRN, MVN
  activation,     ///< Relu, Softmax
  arithmetic,     ///< elementwise, and conversions of elements
  reduction,      ///< pooling, sums, places of the largest
  movement,       ///< shapes and places of elements: Reshape, Concat, Gather, Resize
  quantization,   ///< FakeQuantize, QuantizeLinear
  detection,      ///< boxes: NonMaxSuppression, PriorBox, RoiAlign
  control,        ///< bodies, states, sequences
  end,            ///< inputs and outputs of the model
  constant,
  other,
};

inline constexpr std::array kOpKinds = {OpKind::compute,      OpKind::normalization, OpKind::activation,
                                        OpKind::arithmetic,   OpKind::reduction,     OpKind::movement,
                                        OpKind::quantization, OpKind::detection,     OpKind::control,
                                        OpKind::end,          OpKind::constant,      OpKind::other};

/// "compute"; docs/schemas/report.schema.json lists them.
std::string_view to_string(OpKind kind);

/// The colour of a kind in pictures: a hue in degrees; -1: grey.
int hue_of(OpKind kind);

/// By the name alone, of an op of any framework or of an IR ("Conv", "Convolution.v1", "com.microsoft::FusedConv",
/// "InnerProduct"): graphs before translation have nothing else. `other` for names that tell nothing.
OpKind kind_of_op(std::string_view op);

}  // namespace mo::tools
