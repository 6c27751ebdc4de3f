#include <algorithm>

#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/split_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Elementwise ops read the part at two places or more.
bool is_part_read_twice(const OutPort& part) {
  const std::vector<InPort> readers = part.get_destinations();
  return std::count_if(readers.begin(), readers.end(),
                       [](const InPort& reader) { return reader.node().op_type().traits.elementwise; }) > 1;
}

/// Each part that is read -> Gather of its elements along the axis.
Replacement gathered_parts(const Node& node, Rewriter& rw) {
  if (!is_real(node.input_type(0).element_type)) return declined("not floating-point");
  const std::vector<OutPort> parts = node.out_ports();
  if (std::count_if(parts.begin(), parts.end(), is_part_read_twice) < 2)
    return declined("no two parts are read at two places");
  Outputs outputs;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    outputs.push_back(parts[i].disconnected() ? Value() : gathered_part(rw, node, i));
    if (!parts[i].disconnected() && !outputs.back())
      return declined("the axis or the length of a part is unknown, or a part is long");
  }
  return outputs;
}

}  // namespace

void register_split_outputs_read_twice(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "SplitOutputsReadTwice",
          {.form = "Split or VariadicSplit of floating-point values, two parts of which elementwise ops read twice",
           .symptom = "one part is mistaken for the other",
           .first = "2022.1",
           .last = "2022.3",
           .replacement = "a Gather for each part"})
          .add(lowering<ops::Split>("PartsOfSplit", gathered_parts))
          .add(lowering<ops::VariadicSplit>("PartsOfVariadicSplit", gathered_parts)));
}

}  // namespace mo::transformations
