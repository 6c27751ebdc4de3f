#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {
namespace {

/// `blank_first`: class 0 is the blank one (CTCLossV2), else the last class.
Expected<Op> loss(const FrameworkNode& node, bool blank_first) {
  node.ignore({"ignore_longer_outputs_than_inputs"});
  node.declare_outputs(2);
  return front_op("TfCTCLoss", {{"preprocess_collapse_repeated", node.attr("preprocess_collapse_repeated", false)},
                                {"ctc_merge_repeated", node.attr("ctc_merge_repeated", true)},
                                {"blank_first", blank_first}});
}

}  // namespace

void register_ctc(OperatorTable& table) {
  table.extract("CTCGreedyDecoder", [](const FrameworkNode& node) -> Expected<Op> {
    node.declare_outputs(4);
    return front_op("TfCTCGreedyDecoder", {{"merge_repeated", node.attr("merge_repeated", false)},
                                           {"blank_index", node.attr<std::int64_t>("blank_index", -1)},
                                           {"type", node.attr("T", ElementType::f32)}});
  });
  table.extract("CTCLoss", [](const FrameworkNode& node) { return loss(node, false); });
  table.extract("CTCLossV2", [](const FrameworkNode& node) { return loss(node, true); });
}

}  // namespace mo::tensorflow
