#include "ops/extract_image_patches.hpp"

#include <algorithm>

#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// Padding before and after one dimension of an image.
struct PatchPads {
  std::int64_t before = 0;
  std::int64_t after = 0;
};

std::int64_t patch_extent(const ops::ExtractImagePatches& op, std::size_t i) {
  return (op.sizes[i] - 1) * op.rates[i] + 1;
}

/// With a stride of 1 padding does not depend on the size.
Expected<PatchPads> patch_pads(const Translation& t, const ops::ExtractImagePatches& op, std::size_t i) {
  if (op.auto_pad == ops::PatchPadding::valid) return PatchPads{};
  const PartialShape& shape = t.node.input_type(0).shape;
  std::int64_t total = patch_extent(op, i) - 1;
  if (op.strides[i] != 1) {
    if (!shape.has_rank() || !shape[2 + i].is_known()) return t.refused("its padding follows from an unknown size");
    const std::int64_t size = shape[2 + i].value();
    const std::int64_t count = (size + op.strides[i] - 1) / op.strides[i];
    total = std::max<std::int64_t>(0, (count - 1) * op.strides[i] + patch_extent(op, i) - size);
  }
  const std::int64_t half = total / 2;
  return op.auto_pad == ops::PatchPadding::same_lower ? PatchPads{total - half, half} : PatchPads{half, total - half};
}

/// For each place in a patch a Slice of the padded image, from the place on to the place of the last patch.
Expected<Outputs> image_patches(Translation& t) {
  const auto& op = *t.node.as<ops::ExtractImagePatches>();
  constexpr std::int64_t kMostPlaces = 1024;
  if (op.sizes[0] > kMostPlaces || op.sizes[1] > kMostPlaces || op.sizes[0] * op.sizes[1] > kMostPlaces)
    return t.refused("patches of more than 1024 elements");
  MO_ASSIGN(const PatchPads rows, patch_pads(t, op, 0));
  MO_ASSIGN(const PatchPads columns, patch_pads(t, op, 1));
  Value image = t.input(0);
  if (rows.before + rows.after + columns.before + columns.after > 0) {
    if (t.node.output_type().element_type == ElementType::boolean && t.opset < 13) return t.needs_opset(13);
    image = t.op("Pad", {image, t.integers({0, 0, rows.before, columns.before, 0, 0, rows.after, columns.after})});
  }
  const Value axes = t.integers({2, 3});
  const Value steps = t.integers(op.strides);
  const auto end = [&](std::size_t i, std::int64_t place) {
    const std::int64_t left = patch_extent(op, i) - 1 - place * op.rates[i];  // elements of a patch after the place
    return left == 0 ? sizes::kAfterLast : -left;
  };
  std::vector<Value> parts;
  for (std::int64_t y = 0; y < op.sizes[0]; ++y)
    for (std::int64_t x = 0; x < op.sizes[1]; ++x)
      parts.push_back(t.op("Slice", {image, t.integers({y * op.rates[0], x * op.rates[1]}),
                                     t.integers({end(0, y), end(1, x)}), axes, steps}));
  return Outputs{parts.size() == 1 ? parts.front() : t.op("Concat", std::move(parts), {{"axis", 1}})};
}

}  // namespace

void register_patches(OnnxForms& table) { table.add<ops::ExtractImagePatches>(image_patches); }

}  // namespace mo::onnx_emitter
