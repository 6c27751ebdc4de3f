#include <cmath>

#include "frontends/tensorflow/ops/support/spatial_window.hpp"

namespace mo::tensorflow {
namespace {

/// Places of the four gates in TensorFlow's weights of one LSTM: input, cell, forget, output.
constexpr std::string_view kInputCellForgetOutput = "icfo";
constexpr std::string_view kInputForgetCellOutput = "ifco";

struct LstmDefaults {
  double forget_bias;
  double cell_clip;
  std::string_view gates;
};

/// The attributes of TensorFlow's block LSTMs. Error MO-TF-0660 for a number that is not finite.
Expected<AttributeMap> lstm_attributes(const FrameworkNode& node, const LstmDefaults& defaults) {
  const double forget_bias = node.attr("forget_bias", defaults.forget_bias);
  const double clip = node.attr("cell_clip", defaults.cell_clip);
  if (!std::isfinite(forget_bias) || !std::isfinite(clip))
    return node.error("MO-TF-0660", "forget_bias is {} and cell_clip is {}", forget_bias, clip).hint("check how the model was exported");
  node.declare_outputs(7);
  return AttributeMap{{"gates", defaults.gates},
                      {"forget_bias", forget_bias},
                      {"cell_clip", clip > 0 ? clip : 0.0},
                      {"use_peephole", node.attr("use_peephole", false)},
                      {"type", read_type(node, "T").value_or(ElementType::f32)}};
}

Extractor lstm(std::string front_name, LstmDefaults defaults) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(AttributeMap attributes, lstm_attributes(node, defaults));
    return front_op(front_name, std::move(attributes));
  };
}

}  // namespace

void register_recurrent(OperatorTable& table) {
  table.extract("LSTMBlockCell", lstm("TfLSTMBlockCell", {1, 3, kInputCellForgetOutput}));
  table.extract("BlockLSTM", lstm("TfBlockLSTM", {1, 3, kInputCellForgetOutput}));
  // Version 2 has no forget_bias: it is part of the bias.
  table.extract("BlockLSTMV2", lstm("TfBlockLSTM", {0, 0, kInputForgetCellOutput}));
  table.extract("GRUBlockCell", [](const FrameworkNode& node) -> Expected<Op> {
    node.declare_outputs(4);
    return front_op("TfGRUBlockCell", {{"type", read_type(node, "T").value_or(ElementType::f32)}});
  });
}

}  // namespace mo::tensorflow
