#include "core/registry/extractor.hpp"

namespace mo::onnx {

/// The IR has no sequences of tensors. What is put into one and taken out again at known places needs none: a replacer connects the ends;
/// whatever is left is reported as not supported.
void register_sequence(ExtractorTable& table) {
  const auto row = [&table](std::string_view name) {
    table.add(std::string(name), since(11), [front = "Onnx" + std::string(name)](const FrameworkNode&) -> Expected<Op> { return front_op(front); });
  };
  row("SequenceConstruct");
  row("SequenceInsert");
  row("SequenceErase");
  row("SequenceAt");
  row("SequenceLength");
  table.add("SequenceEmpty", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"dtype"});
    return front_op("OnnxSequenceEmpty");
  });
  table.add("ConcatFromSequence", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxConcatFromSequence", {{"axis", node.required<std::int64_t>("axis")}, {"new_axis", node.attr("new_axis", false)}});
  });
  table.add("SplitToSequence", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxSplitToSequence", {{"axis", node.attr<std::int64_t>("axis", 0)}, {"keepdims", node.attr("keepdims", true)}});
  });
}

}  // namespace mo::onnx
