#include "transformations/support/constant_folding_marks.hpp"

#include <algorithm>

#include "ops/build/quantized.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/fake_quantize.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {

bool is_of_quantized_weights(const Node& node) {
  if (!build::unpacked_constant(node)) return false;
  const std::vector<InPort> readers = node.output().get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& reader) {
    return reader.node().is<ops::Subtract>() || reader.node().is<ops::Multiply>() ||
           reader.node().is<ops::FakeQuantize>();
  });
}

namespace {

/// Weights that are worth it. Numbers along one dimension are zero points and limits, which fusions want as constants.
bool are_weights(const Node& node) {
  if (!is_of_quantized_weights(node) || !build::stays_compressed(node.input(0).node().as<Const>()->value)) return false;
  const Shape& shape = node.input(0).node().as<Const>()->value.shape();
  return std::count_if(shape.begin(), shape.end(), [](std::int64_t size) { return size > 1; }) > 1;
}

bool are_zero_points(const Node& node) {
  if (!is_of_quantized_weights(node)) return false;
  const std::vector<InPort> readers = node.output().get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& reader) {
    return reader.node().is<ops::Subtract>() && reader.index() == 1 && are_weights(reader.node().input(0).node());
  });
}

}  // namespace

bool is_decompression(const Node& node) {
  if (!node.is<ops::Convert>()) return false;
  return are_weights(node) || are_zero_points(node) ||
         (has_mark(node, kDecompression) && !has_mark(node, kAllowConstantFolding));
}

}  // namespace mo::transformations
