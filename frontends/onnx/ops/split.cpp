#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

/// Up to opset 12 `split` may hold the lengths of the parts; later they are an input.
Expected<Op> extract_split(const FrameworkNode& node) {
  AttributeMap attributes{{"axis", node.attr<std::int64_t>("axis", 0)}};
  if (const auto lengths = node.optional_attr<std::vector<std::int64_t>>("split")) attributes.set("split", *lengths);
  return front_op("OnnxSplit", std::move(attributes));
}

}  // namespace

void register_split(OperatorTable& table) {
  // ONNX Split-1 takes the lengths as an attribute or as an input.
  table.extract("Split", versions(1, 1), extract_split);
  table.extract("Split", versions(2, 10), extract_split);
  table.extract("Split", versions(11, 12), extract_split);
  table.extract("Split", versions(13, 17), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxSplit", {{"axis", node.attr<std::int64_t>("axis", 0)}});
  });
  // ONNX Split-18: parts of equal length of which the last one may be shorter, or an input of lengths.
  table.extract("Split", since(18), [](const FrameworkNode& node) -> Expected<Op> {
    AttributeMap attributes{{"axis", node.attr<std::int64_t>("axis", 0)}};
    if (const auto parts = node.optional_attr<std::int64_t>("num_outputs")) {
      if (*parts < static_cast<std::int64_t>(node.output_count()) || *parts > (std::int64_t{1} << 16))
        return node.error("MO-ONNX-0209", "num_outputs is {}, and the node has {} outputs", *parts, node.output_count())
            .hint("both are the number of parts");
      attributes.set("num_outputs", *parts);
    } else if (!node.has_input(1)) {
      return node.error("MO-ONNX-0209", "neither num_outputs nor an input of lengths is given").hint("Split-18 needs one of them");
    }
    return front_op("OnnxSplit", std::move(attributes));
  });
}

}  // namespace mo::onnx
