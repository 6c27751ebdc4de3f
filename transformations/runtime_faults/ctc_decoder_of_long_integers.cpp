#include <array>

#include "ops/convert.hpp"
#include "ops/ctc_greedy_decoder.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// CTCGreedyDecoderSeqLen with outputs of i64 -> outputs of i32, Convert.
Replacement short_integers(const Node& node, Rewriter& rw) {
  ops::CTCGreedyDecoderSeqLen op = *node.as<ops::CTCGreedyDecoderSeqLen>();
  const std::array<ElementType, 2> types{op.classes_index_type, op.sequence_length_type};
  if (types[0] == ElementType::i32 && types[1] == ElementType::i32) return declined("its outputs are of i32");
  op.classes_index_type = op.sequence_length_type = ElementType::i32;
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  Outputs outputs = rw.create_node(op, inputs).out_ports();
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i] != ElementType::i32)
      outputs[i] =
          node.output(i).disconnected() ? Value() : rw.create(ops::Convert{.destination_type = types[i]}, outputs[i]);
  return outputs;
}

}  // namespace

void register_ctc_decoder_of_long_integers(PassRegistry& passes) {
  passes.add(
      avoid_fault("CtcDecoderOfLongIntegers",
                  {.form = "CTCGreedyDecoderSeqLen with outputs of i64",
                   .symptom = "not compiled, where a Concat joins one with a tensor that the runtime has made i32",
                   .first = "2021.4",
                   .last = "2022.1",
                   .replacement = "outputs of i32, Convert"})
          .add(lowering<ops::CTCGreedyDecoderSeqLen>("ShortIntegers", short_integers)));
}

}  // namespace mo::transformations
