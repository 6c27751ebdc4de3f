#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/batch_to_space.hpp"
#include "ops/pattern.hpp"
#include "ops/space_to_batch.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/convolutions.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using Margins = std::vector<std::int64_t>;

/// Nothing happens to batch and channels.
bool is_spatial(const Margins& numbers, std::int64_t neutral) {
  return numbers.size() >= 3 && numbers[0] == neutral && numbers[1] == neutral;
}

bool margins_are(const Margins& numbers, std::int64_t value) {
  return std::all_of(numbers.begin(), numbers.end(), [&](std::int64_t n) { return n == value; });
}

}  // namespace

void register_dilated_convolution_converter(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat weights = any();
  const Pat to_batch = op<ops::SpaceToBatch>(x, constant(), constant(), constant()).one_use();
  const Pat convolution = op<ops::Convolution>(to_batch, weights).one_use();
  const Pat to_space = op<ops::BatchToSpace>(convolution, constant(), constant(), constant());
  passes.offer(rewrite("DilatedConvolutionConverter")
                   .described("BatchToSpace(Convolution(SpaceToBatch(x), w))", "Convolution(x, w) {dilations = blocks}",
                              "constant blocks, the same in both; pads are not smaller than crops; the convolution has "
                              "no stride, dilation and pads of its own")
                   .match(to_space)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const auto numbers = [](const Node& node, std::size_t i) {
                       return constant_integers_of(node.input(i));
                     };
                     const Node first = m.node(to_batch);
                     const Node last = m.node(to_space);
                     const auto blocks = numbers(first, 1);
                     const auto begin = numbers(first, 2);
                     const auto end = numbers(first, 3);
                     const auto crops_begin = numbers(last, 2);
                     const auto crops_end = numbers(last, 3);
                     if (!blocks || blocks != numbers(last, 1) || !begin || !end || !crops_begin || !crops_end)
                       return declined("the blocks differ");
                     if (!is_spatial(*blocks, 1) || !is_spatial(*begin, 0) || !is_spatial(*end, 0) ||
                         !is_spatial(*crops_begin, 0) || !is_spatial(*crops_end, 0))
                       return declined("batch or channels take part");
                     ops::Convolution made = *m.node(convolution).as<ops::Convolution>();
                     const bool pads = made.auto_pad == ops::AutoPad::explicit_pads &&
                                       (!margins_are(made.pads_begin, 0) || !margins_are(made.pads_end, 0));
                     const bool unknown_pads =
                         made.auto_pad == ops::AutoPad::same_upper || made.auto_pad == ops::AutoPad::same_lower;
                     if (pads || unknown_pads || !margins_are(made.strides, 1) || !margins_are(made.dilations, 1) ||
                         made.layout != DataLayout::channels_first)
                       return declined("the convolution has strides, dilations or pads of its own");
                     const std::size_t count = blocks->size() - 2;
                     if (begin->size() != count + 2 || end->size() != count + 2 || crops_begin->size() != count + 2 ||
                         crops_end->size() != count + 2 || made.strides.size() != count)
                       return declined("there is not one value for each dimension");
                     made.auto_pad = ops::AutoPad::explicit_pads;
                     made.dilations.assign(blocks->begin() + 2, blocks->end());
                     made.pads_begin.resize(count);
                     made.pads_end.resize(count);
                     for (std::size_t i = 0; i < count; ++i) {
                       made.pads_begin[i] = (*begin)[i + 2] - (*crops_begin)[i + 2];
                       made.pads_end[i] = (*end)[i + 2] - (*crops_end)[i + 2];
                       if (made.pads_begin[i] < 0 || made.pads_end[i] < 0)
                         return declined("the crops are larger than the pads");
                     }
                     return rw.create(made, m[x], m[weights]);
                   }));
}

}  // namespace mo::transformations
