#include "ops/concat.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Layouts that are the same in memory: with the channels first or last where there is one, and in blocks of 16
/// channels or with the channels last where there are 16.
bool has_alike_layouts(const Dimension& channels) { return channels == Dimension(1) || channels == Dimension(16); }

/// Concat(x, y) -> Concat(Maximum(x, x), y), where another op reads x.
Replacement copied_first(const Node& node, Rewriter& rw) {
  const Value first = node.input(0);
  const TensorType& type = first.type();
  const auto rank = type.rank();
  if (!rank || *rank < 3 || normalize_axis(node.as<ops::Concat>()->axis, *rank) != 1)
    return declined("not along the channels");
  if (!is_real(type.element_type) || type.shape[0] != Dimension(1) || !has_alike_layouts(type.shape[1]))
    return declined("not 1 or 16 channels of floating-point values and one batch");
  if (!node.output_type().shape.is_static()) return declined("unknown sizes: the runtime joins them elsewhere");
  if (first.has_one_destination()) return declined("nothing else reads the first input");
  std::vector<Value> inputs{rw.create(ops::Maximum{}, first, first)};
  for (std::size_t i = 1; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return rw.create(*node.as<ops::Concat>(), inputs);
}

}  // namespace

void register_alike_layouts_first_in_concat(PassRegistry& passes) {
  passes.add(avoid_fault("AlikeLayoutsFirstInConcat",
                         {.form = "Concat along axis 1, where the batch is 1 and the first input, which another op "
                                  "reads, has 1 or 16 channels",
                          .symptom = "uninitialized memory instead of the first input, or the result of the other op",
                          .first = "2022.3",
                          .last = "2022.3",
                          .replacement = "Maximum(x, x) as a copy of the first input"})
                 .add(lowering<ops::Concat>("CopiedFirst", copied_first)));
}

}  // namespace mo::transformations
