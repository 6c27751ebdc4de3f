#include "frontends/onnx/ops/support/data_type_attribute.hpp"

namespace mo::onnx {
namespace {

/// The window is the sum of weights[k] * cos(2 pi k n / length).
Expected<Op> extract_window(const FrameworkNode& node, std::vector<double> weights) {
  MO_ASSIGN(const ElementType type, data_type_of_number(node, "output_datatype", node.attr<std::int64_t>("output_datatype", 1)));
  return front_op("OnnxWindow", {{"weights", std::move(weights)}, {"periodic", node.attr("periodic", true)}, {"type", type}});
}

AttributeMap dft_attributes(const FrameworkNode& node) {
  return {{"inverse", node.attr("inverse", false)}, {"onesided", node.attr("onesided", false)}};
}

}  // namespace

void register_signal(OperatorTable& table) {
  table.extract("HannWindow", since(17), [](const FrameworkNode& node) { return extract_window(node, {0.5, -0.5}); });
  table.extract("HammingWindow", since(17), [](const FrameworkNode& node) { return extract_window(node, {25.0 / 46.0, -21.0 / 46.0}); });
  table.extract("BlackmanWindow", since(17), [](const FrameworkNode& node) { return extract_window(node, {0.42, -0.5, 0.08}); });
  table.extract("MelWeightMatrix", since(17), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, data_type_of_number(node, "output_datatype", node.attr<std::int64_t>("output_datatype", 1)));
    return front_op("OnnxMelWeightMatrix", {{"type", type}});
  });
  // ONNX DFT-17: the axis is an attribute; DFT-20: it is input 2.
  table.extract("DFT", versions(17, 19), [](const FrameworkNode& node) -> Expected<Op> {
    AttributeMap attributes = dft_attributes(node);
    attributes.set("axis", node.attr<std::int64_t>("axis", 1));
    return front_op("OnnxDFT", std::move(attributes));
  });
  table.extract("DFT", since(20), [](const FrameworkNode& node) -> Expected<Op> { return front_op("OnnxDFT", dft_attributes(node)); });
  table.extract("STFT", since(17), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxSTFT", {{"onesided", node.attr("onesided", true)}});
  });
}

}  // namespace mo::onnx
