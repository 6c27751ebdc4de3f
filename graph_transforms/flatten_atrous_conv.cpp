#include "core/tensor/convert.hpp"
#include "graph_transforms/engine/matching.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/convolution_fusing.hpp"

namespace mo::graph_transforms {
namespace {

/// The integers of a constant of `shape`; nothing when it is none.
std::optional<std::vector<std::int64_t>> integers_of(const Node& node, const Shape& shape, const GraphEditor& editor) {
  const auto value = editor.constant_of(node);
  if (!value || value->shape() != shape) return std::nullopt;
  auto numbers = to_integers(*value);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

/// The filter with `block` - 1 zeros between its rows and columns.
Expected<Tensor> spread(const Tensor& filter, const std::vector<std::int64_t>& block) {
  const Shape& shape = filter.shape();
  const Shape wide{(shape[0] - 1) * block[0] + 1, (shape[1] - 1) * block[1] + 1, shape[2], shape[3]};
  MO_ASSIGN(Tensor result, Tensor::allocate(ElementType::f32, wide));
  const auto from = filter.values<float>();
  const auto to = result.mutable_values<float>();
  const std::int64_t depth = shape[2] * shape[3];
  for (std::int64_t h = 0; h < shape[0]; ++h)
    for (std::int64_t w = 0; w < shape[1]; ++w)
      std::copy_n(from.begin() + (h * shape[1] + w) * depth, depth,
                  to.begin() + (h * block[0] * wide[1] + w * block[1]) * depth);
  return result;
}

/// Whether paddings before and crops after together equal the padding of a SAME convolution of stride 1: `reach` rows,
/// half of them first.
bool pads_as_same(const std::vector<std::int64_t>& paddings, const std::vector<std::int64_t>& crops, std::size_t axis,
                  std::int64_t reach) {
  return paddings[2 * axis] - crops[2 * axis] == reach / 2 &&
         paddings[2 * axis + 1] - crops[2 * axis + 1] == reach - reach / 2;
}

Expected<bool> flatten(const NodeMatch& match, GraphEditor& editor) {
  const Node to_space = match.node;
  const Node convolution = match.inputs[0].node;
  const Node to_batch = match.inputs[0].inputs[0].node;
  const auto block = integers_of(to_batch.input(1).node(), {2}, editor);
  const auto paddings = integers_of(to_batch.input(2).node(), {2, 2}, editor);
  const auto block_behind = integers_of(to_space.input(1).node(), {2}, editor);
  const auto crops = integers_of(to_space.input(2).node(), {2, 2}, editor);
  const auto filter = editor.floats_of(convolution.input(1).node());
  if (!block || !paddings || !crops || block != block_behind || !filter || filter->rank() != 4) return false;
  const auto strides = convolution.attr<std::vector<std::int64_t>>("strides");
  const bool is_dense =
      strides && *strides == std::vector<std::int64_t>{1, 1, 1, 1} && is_plain_convolution(convolution);
  constexpr std::int64_t kMost = 1 << 12;
  const auto is_sane = [](std::int64_t b) { return b >= 1 && b <= kMost; };
  if (!is_dense || convolution.attr<std::string>("padding") != "VALID" || !is_sane((*block)[0]) ||
      !is_sane((*block)[1]))
    return false;
  for (std::size_t axis = 0; axis < 2; ++axis)
    if (!pads_as_same(*paddings, *crops, axis, (filter->shape()[axis] - 1) * (*block)[axis])) return false;
  MO_ASSIGN(const Tensor wide, spread(*filter, *block));
  editor.set_constant(convolution, 1, wide);
  editor.set_input(convolution, 0, to_batch.input(0));
  attributes_of(convolution).set("padding", "SAME");
  editor.replace(to_space, convolution);
  return true;
}

}  // namespace

/// BatchToSpaceND(conv(SpaceToBatchND(x, block, paddings), filter), block, crops) -> conv(x, filter with zeros
/// between), padding SAME: for programs without the two rearrangements. Left alone where paddings and crops are not
/// those of SAME.
void register_flatten_atrous_conv(TransformRegistry& registry) {
  registry.register_transform(
      "flatten_atrous_conv", [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
        GraphEditor editor(graph, context);
        const OpTypePattern rearranged{"SpaceToBatchND", {{"*", {}}, {"*", {}}, {"*", {}}}};
        const OpTypePattern pattern{"BatchToSpaceND",
                                    {{"Conv2D|DepthwiseConv2dNative", {rearranged, {"*", {}}}}, {"*", {}}, {"*", {}}}};
        MO_TRY(replace_all_matching_op_types(editor, pattern, flatten));
        return {};
      });
  registry.describe("flatten_atrous_conv",
                    {"Turns BatchToSpaceND(Conv2D(SpaceToBatchND(x))) into a Conv2D whose filter has zeros in it", {}});
}

}  // namespace mo::graph_transforms
