#include "phases/partial_inference/size_rewrites.hpp"

#include "core/graph/values.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/lengths.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/slice.hpp"

namespace mo::phases {
namespace {

/// Elements of a constant that are compared.
constexpr std::int64_t kMostElements = std::int64_t{1} << 20;

Value computed(Rewriter& rewriter, const Value& data, const TargetElement& element) {
  Value size = build::length_along(rewriter, data, element.axis);
  if (element.number != 1) size = rewriter.create(ops::Multiply{}, size, rewriter.integers({element.number}));
  if (element.divisor != 1) size = rewriter.create(ops::Divide{}, size, rewriter.integers({element.divisor}));
  return size;
}

/// Whether a constant is the same at each index of dimension `axis`.
bool has_equal_rows(const Value& value, std::size_t axis) {
  const PartialShape& shape = value.type().shape;
  if (shape[axis] == Dimension(1)) return true;
  const auto elements = value.node().is<Const>() ? reals_of(value, kMostElements) : std::nullopt;
  const auto sizes = shape.to_shape();
  if (!elements || !sizes) return false;
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < sizes->size(); ++i) inner *= static_cast<std::size_t>((*sizes)[i]);
  const std::size_t row = inner * static_cast<std::size_t>((*sizes)[axis]);
  for (std::size_t i = 0; i < elements->size(); ++i)
    if ((*elements)[i] != (*elements)[i / row * row + i % inner]) return false;
  return true;
}

}  // namespace

Value target_of(Rewriter& rewriter, const Value& data, const std::vector<TargetElement>& target) {
  std::vector<Value> parts;
  std::vector<std::int64_t> numbers;
  const auto flush = [&] {
    if (!numbers.empty()) parts.push_back(rewriter.integers(numbers));
    numbers.clear();
  };
  for (const TargetElement& element : target) {
    if (element.kind == TargetElement::Kind::number) {
      numbers.push_back(element.number);
      continue;
    }
    flush();
    parts.push_back(computed(rewriter, data, element));
  }
  flush();
  return parts.size() == 1 ? parts.front() : build::join(rewriter, parts);
}

Value integers_like(Rewriter& rewriter, const std::vector<std::int64_t>& numbers, const Value& like) {
  if (like.type().element_type != ElementType::i32) return rewriter.integers(numbers);
  return rewriter.constant(Tensor::vector(std::vector<std::int32_t>(numbers.begin(), numbers.end())));
}

Value stretched(Rewriter& rewriter, const Value& value, std::int64_t axis, const Value& like, std::int64_t like_axis) {
  const auto at = static_cast<std::size_t>(axis);
  if (!has_equal_rows(value, at)) return {};
  const PartialShape& shape = value.type().shape;
  Value row = value;
  if (shape[at] != Dimension(1))
    row = rewriter.fold(ops::Slice{}, value, rewriter.integers({0}), rewriter.integers({1}), rewriter.integers({1}),
                        rewriter.integers({axis}));
  std::vector<TargetElement> target(shape.size(), TargetElement{.number = 1});
  target[at] = {TargetElement::Kind::computed, 1, like_axis, 1};
  return rewriter.create(ops::Broadcast{.mode = ops::v3::BroadcastMode::bidirectional}, row,
                         target_of(rewriter, like, target));
}

}  // namespace mo::phases
