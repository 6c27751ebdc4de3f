#include <algorithm>
#include <set>

#include "ops/convolution.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::size_t kMostOpsOfPart = 256;  ///< the search is cheap

/// The tensor is what elementwise ops make of one of several outputs of an op.
bool is_made_of_part(const Value& tensor) {
  std::set<NodeId> seen;
  std::vector<Node> open{tensor.node()};
  if (!open.back().op_type().traits.elementwise) return false;
  while (!open.empty() && seen.size() < kMostOpsOfPart) {
    const Node node = open.back();
    open.pop_back();
    if (node.out_port_count() > 1) return true;
    if (!node.op_type().traits.elementwise || !seen.insert(node.id()).second) continue;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (node.input(i)) open.push_back(node.input(i).node());
  }
  return false;
}

/// A kernel of size 1 sees every second element: convolution(x) with strides 2 -> convolution(x[:, :, ::2, ::2]) with
/// strides 1.
Replacement of_every_second(const Node& node, Rewriter& rw) {
  ops::Convolution op = *node.as<ops::Convolution>();
  const PartialShape& kernel = node.input_type(1).shape;
  const auto is_one = [](const Dimension& size) { return size == Dimension(1); };
  if (!kernel.has_rank() || kernel.size() < 3 || !std::all_of(kernel.begin() + 2, kernel.end(), is_one))
    return declined("the kernel is larger");
  const auto pads = [](std::int64_t count) { return count != 0; };
  if (std::any_of(op.pads_begin.begin(), op.pads_begin.end(), pads) ||
      std::any_of(op.pads_end.begin(), op.pads_end.end(), pads))
    return declined("padded");
  if (std::all_of(op.strides.begin(), op.strides.end(), [](std::int64_t stride) { return stride == 1; }))
    return declined("no strides");
  if (!is_made_of_part(node.input(0))) return declined("not of elementwise ops of one of several outputs");
  std::vector<std::int64_t> steps(kernel.size(), 1);
  std::copy(op.strides.begin(), op.strides.end(), steps.begin() + 2);
  const Value zeros = rw.integers(std::vector<std::int64_t>(steps.size(), 0));
  ops::StridedSlice slice;
  slice.begin_mask.assign(steps.size(), 1);  // 1: the bound is ignored
  slice.end_mask.assign(steps.size(), 1);
  std::fill(op.strides.begin(), op.strides.end(), 1);
  return rw.create(std::move(op), rw.create(std::move(slice), node.input(0), zeros, zeros, rw.integers(steps)),
                   node.input(1));
}

}  // namespace

void register_strided_convolution_of_part(PassRegistry& passes) {
  passes.add(avoid_fault("StridedConvolutionOfPart", {.form = "Convolution with a kernel of size 1 and strides, after "
                                                              "elementwise ops of one of several outputs of an op",
                                                      .symptom = "computed of the first output, or not compiled",
                                                      .first = "2022.1",
                                                      .last = "latest",
                                                      .replacement = "StridedSlice, Convolution without strides"})
                 .add(lowering<ops::Convolution>("OfEverySecond", of_every_second)));
}

}  // namespace mo::transformations
