#include <algorithm>
#include <numeric>

#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/gather.hpp"
#include "ops/split.hpp"

namespace mo::back {
namespace {

/// Elementwise ops read the part at two places or more.
bool is_read_twice(const OutPort& part) {
  const std::vector<InPort> readers = part.get_destinations();
  return std::count_if(readers.begin(), readers.end(), [](const InPort& reader) { return reader.node().op_type().traits.elementwise; }) > 1;
}

/// Each part that is read -> Gather of its elements along the axis.
Replacement gathered_parts(const Node& node, Rewriter& rw) {
  const TensorType& data = node.input_type(0);
  const auto rank = data.rank();
  const auto number = single_integer_of(node.input(1));
  const auto axis = rank && number ? normalize_axis(*number, *rank) : std::nullopt;
  if (!axis || !is_real(data.element_type)) return declined("not real numbers, or the rank or the axis is unknown");
  const std::vector<OutPort> parts = node.out_ports();
  if (std::count_if(parts.begin(), parts.end(), is_read_twice) < 2) return declined("no two parts are read at two places");
  Outputs outputs;
  std::int64_t begin = 0;
  for (const OutPort& part : parts) {
    const Dimension length = part.type().shape.has_rank() ? part.type().shape[static_cast<std::size_t>(*axis)] : Dimension();
    if (!length.is_known() || length.value() > kMostKnownNumbers) return declined("the length of a part is unknown, or large");
    std::vector<std::int64_t> places(static_cast<std::size_t>(length.value()));
    std::iota(places.begin(), places.end(), begin);
    begin += length.value();
    outputs.push_back(part.disconnected() ? Value() : rw.create(ops::v1::Gather{}, node.input(0), rw.integers(places), rw.scalar(*axis)));
  }
  return outputs;
}

}  // namespace

void register_split_outputs_read_twice(PassRegistry& passes) {
  passes.add(avoid_fault("SplitOutputsReadTwice", {.form = "Split or VariadicSplit of real numbers, two parts of which elementwise ops read twice",
                                                   .symptom = "one part is taken for the other",
                                                   .first = "2022.3",
                                                   .last = "2022.3",
                                                   .replacement = "a Gather for each part"})
                 .add(lowering<ops::Split>("PartsOfSplit", gathered_parts))
                 .add(lowering<ops::VariadicSplit>("PartsOfVariadicSplit", gathered_parts)));
}

}  // namespace mo::back
