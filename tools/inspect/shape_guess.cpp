#include "tools/inspect/shape_guess.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/tensor/convert.hpp"

namespace mo::tools {
namespace {

/// Sizes of what no weight tells: pictures, then sequences.
constexpr std::array<std::int64_t, 7> kSizes = {224, 64, 16, 300, 512, 2, 1};
constexpr std::array<std::size_t, 6> kRanks = {4, 2, 3, 1, 5, 0};
constexpr std::size_t kMostNodesToWeights = 400;
constexpr std::int64_t kUsualElements = std::int64_t{1} << 22;  // larger inputs are tried last: volumes of 224^3

/// Weights may be read through copies and conversions (Identity, Dequantize, a read of a variable).
const Const* constant_behind(const Value& source) {
  Node node = source ? source.node() : Node();
  for (int i = 0; node && i < 4 && !node.is<Const>() && node.in_port_count() > 0 && node.input(0); ++i)
    node = node.input(0).node();
  return node ? node.as<Const>() : nullptr;
}

/// The shape that the first layer with weights after a tensor implies: channels of a convolution, rows of a product.
std::optional<PartialShape> shape_for_weights(const Node& node, const Shape& weights) {
  const std::string_view op = node.origin().op.empty() ? node.type() : node.origin().op;
  const bool channels_last = node.origin().framework == "TensorFlow";
  if (weights.size() == 4 && op.find("Conv") != std::string_view::npos) {
    const std::int64_t group = node.attr<std::int64_t>("group").value_or(1);
    const std::int64_t channels = channels_last ? weights[2] : weights[1] * group;
    return channels_last ? PartialShape{1, Dimension(), Dimension(), channels}
                         : PartialShape{1, channels, Dimension(), Dimension()};
  }
  if (weights.size() == 2 && (op == "MatMul" || op == "Gemm")) return PartialShape{1, weights[0]};
  return std::nullopt;
}

/// The product of what a Reshape is to make, without the dimension that it finds itself.
std::optional<PartialShape> shape_for_reshape(const Const& target) {
  if (!is_integral(target.value.element_type()) || target.value.element_count() > 8) return std::nullopt;
  const auto sizes = to_integers(target.value);
  if (!sizes) return std::nullopt;
  std::int64_t product = 1;
  for (const std::int64_t size : *sizes)
    if (size == 0 || size < -1 || (size > 0 && __builtin_mul_overflow(product, size, &product))) return std::nullopt;
  return PartialShape{1, product};
}

/// Elementwise, or close to it: sizes and channels are those of the input.
bool keeps_shape(const Node& node) {
  constexpr std::array<std::string_view, 24> kOps = {"Identity",
                                                     "Cast",
                                                     "CastLike",
                                                     "Relu",
                                                     "Relu6",
                                                     "LeakyRelu",
                                                     "Sub",
                                                     "Add",
                                                     "AddV2",
                                                     "BiasAdd",
                                                     "Mul",
                                                     "Div",
                                                     "RealDiv",
                                                     "Pad",
                                                     "PadV2",
                                                     "Sigmoid",
                                                     "Tanh",
                                                     "Dropout",
                                                     "Clip",
                                                     "BatchNormalization",
                                                     "FusedBatchNorm",
                                                     "FusedBatchNormV3",
                                                     "Neg",
                                                     "Abs"};
  const std::string_view op = node.origin().op.empty() ? node.type() : node.origin().op;
  return node.out_port_count() > 0 &&
         (node.op_type().traits.elementwise || std::find(kOps.begin(), kOps.end(), op) != kOps.end());
}

std::optional<PartialShape> shape_from_weights(const Value& tensor) {
  std::vector<Value> open = {tensor};
  std::set<std::uint32_t> seen;
  for (std::size_t at = 0; at < open.size() && at < kMostNodesToWeights; ++at)
    for (const InPort& reader : open[at].get_destinations()) {
      const Node node = reader.node();
      if (!seen.insert(node.id().index).second) continue;
      if (node.in_port_count() > 1 && reader.index() == 0)
        if (const Const* second = constant_behind(node.input(1))) {
          const bool reshapes = node.origin().op == "Reshape";
          if (auto shape = reshapes ? shape_for_reshape(*second) : shape_for_weights(node, second->value.shape()))
            return shape;
        }
      if (keeps_shape(node)) open.push_back(node.output());
    }
  return std::nullopt;
}

/// `batch`: the first dimension; the others get `size`.
PartialShape filled(PartialShape shape, std::int64_t batch, std::int64_t size, bool is_static) {
  if (!is_static) return shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    Dimension& dim = shape[axis];
    if (dim.is_known()) continue;
    const std::int64_t wanted = axis == 0 ? batch : size;
    dim = Dimension(std::clamp(wanted, dim.min(), dim.max()));
  }
  return shape;
}

bool has_usual_size(const PartialShape& shape) {
  std::int64_t elements = 1;
  for (const Dimension& dim : shape)
    if (dim.is_known() && __builtin_mul_overflow(elements, dim.value(), &elements)) return false;
  return elements <= kUsualElements;
}

}  // namespace

std::vector<std::vector<PartialShape>> shape_guesses(const std::vector<OpenInput>& inputs, bool is_static) {
  std::vector<std::optional<PartialShape>> by_weights;
  bool some_rank_is_open = false;
  for (const OpenInput& input : inputs) {
    std::optional<PartialShape> known = input.shape.has_rank() ? std::optional(input.shape) : std::nullopt;
    if (const auto found = input.tensor ? shape_from_weights(input.tensor) : std::nullopt) {
      const auto both = input.shape.merge(*found);
      if (both) known = both;
    }
    some_rank_is_open = some_rank_is_open || !known;
    by_weights.push_back(std::move(known));
  }
  std::vector<std::vector<PartialShape>> guesses;
  const auto add = [&](std::size_t rank, std::int64_t batch, std::int64_t size) {
    std::vector<PartialShape> guess;
    for (const auto& known : by_weights)
      guess.push_back(filled(known ? *known : PartialShape::of_rank(rank), batch, size, is_static));
    if (std::find(guesses.begin(), guesses.end(), guess) == guesses.end()) guesses.push_back(std::move(guess));
  };
  for (const std::size_t rank : kRanks) {
    for (const std::int64_t size : kSizes) add(rank, 1, size);
    for (const std::int64_t size : kSizes) add(rank, size, size);
    if (!some_rank_is_open) break;
  }
  std::ranges::stable_partition(
      guesses, [](const std::vector<PartialShape>& guess) { return std::ranges::all_of(guess, has_usual_size); });
  return guesses;
}

}  // namespace mo::tools
