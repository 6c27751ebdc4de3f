#include <algorithm>

#include "core/execution/recipe.hpp"
#include "core/graph/values.hpp"
#include "core/inference/infer.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"

namespace mo::transformations {
namespace {

/// The most levels that fit into 4 and into 8 bits.
constexpr std::int64_t kLevelsOf4Bits = 16;
constexpr std::int64_t kLevelsOf8Bits = 256;

/// FakeQuantize of constants as whole numbers and what makes them real again: (q - zero_point) * scale.
struct Quantized {
  std::int64_t levels = 0;
  double lowest() const { return -static_cast<double>(levels / 2); }
  double highest() const { return static_cast<double>(levels - 1) + lowest(); }
};

const Tensor& tensor_of(const Value& constant) { return constant.node().as<Const>()->value; }

/// The whole numbers: those that FakeQuantize would choose, counted from `lowest`. A recipe when large.
Expected<Tensor> whole_numbers(const Node& quantize, const Quantized& q, ElementType type) {
  const TensorType real = quantize.output_type();
  MO_ASSIGN(const Tensor lowest, from_reals(real.element_type, {}, {q.lowest()}));
  MO_ASSIGN(const Tensor highest, from_reals(real.element_type, {}, {q.highest()}));
  const std::vector<Tensor> inputs = {tensor_of(quantize.input(0)), tensor_of(quantize.input(1)),
                                      tensor_of(quantize.input(2)), lowest, highest};
  MO_ASSIGN(const Tensor levels, make_recipe(ops::FakeQuantize{.levels = q.levels}, inputs, 1, 0, real));
  MO_ASSIGN(const Tensor rounded, make_recipe(ops::Round{}, {levels}, 1, 0, real));
  MO_ASSIGN(Tensor made, make_recipe(ops::Convert{.destination_type = type}, {rounded}, 1, 0, {type, real.shape}));
  return made.byte_size() <= kSmallValueBytes ? made.load() : Expected<Tensor>(std::move(made));
}

struct Ranges {
  Tensor scale;
  Tensor zero_point;
  bool are_whole = true;  ///< the levels are the whole numbers themselves
};

/// Of each range: scale = (high - low) / (levels - 1), zero_point = lowest - low / scale; 0 where the range has no
/// width.
std::optional<Ranges> ranges_of(const Node& quantize, const Quantized& q) {
  const auto low = reals_of(quantize.input(3));
  const auto high = reals_of(quantize.input(4));
  const auto shape = quantize.input_type(3).shape.to_shape();
  if (!low || !high || low->size() != high->size() || !shape) return std::nullopt;
  const ElementType type = quantize.output_type().element_type;
  std::vector<double> scale;
  std::vector<double> zero_point;
  bool are_whole = true;
  for (std::size_t i = 0; i < low->size(); ++i) {
    scale.push_back(((*high)[i] - (*low)[i]) / static_cast<double>(q.levels - 1));
    zero_point.push_back(scale.back() == 0 ? 0.0 : q.lowest() - (*low)[i] / scale.back());
    are_whole = are_whole && (*low)[i] == q.lowest() && (*high)[i] == q.highest();
  }
  auto scales = from_reals(type, *shape, scale);
  auto points = from_reals(type, *shape, zero_point);
  if (!scales || !points) return std::nullopt;
  return Ranges{*std::move(scales), *std::move(points), are_whole};
}

/// Whether all readers of the levels want them as whole numbers of this type: a dequantization follows already.
bool is_dequantized(const Node& quantize, ElementType stored) {
  const std::vector<InPort> readers = quantize.output().get_destinations();
  return !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](const InPort& reader) {
    const auto* const convert = reader.node().as<ops::Convert>();
    return convert && convert->destination_type == stored;
  });
}

}  // namespace

void register_compress_quantize_weights(PassRegistry& passes) {
  using namespace pattern;
  const Pat quantize = op<ops::FakeQuantize>(constant(), constant(), constant(), constant(), constant());
  const Pat convert = op<ops::Convert>(quantize);
  passes.offer(rewrite("CompressQuantizeWeights")
                   .described("FakeQuantize(w, …)", "(Convert(q) - zero_point) * scale",
                              "all inputs are constants; 2 < levels <= 256; q has 4 bits up to 16 levels, else 8; a "
                              "Convert of levels that are the "
                              "numbers of q to its type is q itself")
                   .match(any_of(quantize, convert))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(quantize);
                     const Quantized q{node.as<ops::FakeQuantize>()->levels};
                     if (q.levels <= 2 || q.levels > kLevelsOf8Bits)
                       return declined("the levels do not fit into 8 bits, or are bits");
                     const ElementType type = node.output_type().element_type;
                     const auto ranges = ranges_of(node, q);
                     if (!is_real(type) || !ranges)
                       return declined("the output ranges are unknown, or differ in shape");
                     if (!node.output_type().shape.to_shape() || node.output_type().shape != node.input_type(0).shape)
                       return declined("the ranges have more dimensions than the data");
                     const ElementType stored_type = q.levels <= kLevelsOf4Bits ? ElementType::i4 : ElementType::i8;
                     const bool is_done = ranges->are_whole && is_dequantized(node, stored_type);
                     if (is_done == (m.root().node() == node)) return declined("integer levels become Converts alone");
                     auto stored = whole_numbers(node, q, stored_type);
                     if (!stored) return std::move(stored).error();
                     const Value numbers = rw.constant(*std::move(stored));
                     if (is_done) return numbers;
                     const Value real = rw.create(ops::Convert{.destination_type = type}, numbers);
                     const Value shifted = rw.create(ops::Subtract{}, real, rw.constant(ranges->zero_point));
                     return rw.create(ops::Multiply{}, shifted, rw.constant(ranges->scale));
                   }));
}

}  // namespace mo::transformations
