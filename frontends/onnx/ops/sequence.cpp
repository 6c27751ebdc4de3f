#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// The IR has no sequences of tensors and no optional values. What is put into one and taken out again at known places needs none: a replacer connects the ends;
/// whatever is left is reported as not supported.
void register_sequence(OperatorTable& table) {
  const auto row = [&table](std::string_view name) {
    table.extract(std::string(name), since(11), [front = "Onnx" + std::string(name)](const FrameworkNode&) -> Expected<Op> { return front_op(front); });
  };
  row("SequenceConstruct");
  row("SequenceInsert");
  row("SequenceErase");
  row("SequenceAt");
  row("SequenceLength");
  table.extract("SequenceMap", since(17), [](const FrameworkNode& node) -> Expected<Op> {
    Body body = node.required<Body>("body");
    if (node.failure()) return *node.failure();
    return front_op("OnnxSequenceMap", {{"body", std::move(body)}, {"captures", node.attr("@captures", std::vector<std::string>())}});
  });
  // Optional values: `type` only tells what an empty one would hold. Opset 18 lets tensors stand for optional values that hold them.
  table.extract("Optional", since(15), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"type"});
    return front_op("OnnxOptional");
  });
  for (const VersionRange range : {versions(15, 17), since(18)}) {
    table.extract("OptionalGetElement", range, [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxOptionalGetElement"); });
    table.extract("OptionalHasElement", range, [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxOptionalHasElement"); });
  }
  table.extract("SequenceEmpty", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"dtype"});
    return front_op("OnnxSequenceEmpty");
  });
  table.extract("ConcatFromSequence", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxConcatFromSequence", {{"axis", node.required<std::int64_t>("axis")}, {"new_axis", node.attr("new_axis", false)}});
  });
  table.extract("SplitToSequence", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxSplitToSequence", {{"axis", node.attr<std::int64_t>("axis", 0)}, {"keepdims", node.attr("keepdims", true)}});
  });
}

}  // namespace mo::onnx
