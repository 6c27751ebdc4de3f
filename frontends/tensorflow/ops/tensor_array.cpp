#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {
namespace {

/// Handle and, in version 3, the flow that carries the state of the array.
Expected<Op> extract_array(const FrameworkNode& node) {
  node.ignore({"clear_after_read", "tensor_array_name", "identical_element_shapes"});
  node.declare_outputs(2);
  AttributeMap attributes{{"grows", node.attr("dynamic_size", false)}};
  if (const auto type = node.optional_attr<ElementType>("dtype")) attributes.set("element_dtype", *type);
  if (const auto shape = node.optional_attr<PartialShape>("element_shape")) attributes.set("element_shape", *shape);
  return front_op("TfArray", std::move(attributes));
}

/// Inputs are the same in all versions; the array's own element type and shape count.
Extractor user(std::string_view op, std::size_t outputs) {
  return [op, outputs](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"element_shape", "element_shape_except0"});
    node.declare_outputs(outputs);
    AttributeMap attributes;
    for (const std::string_view name : {"dtype", "T"})
      if (const auto type = node.optional_attr<ElementType>(name)) attributes.set("element_dtype", *type);
    return front_op(op, std::move(attributes));
  };
}

}  // namespace

void register_tensor_array(OperatorTable& table) {
  for (const std::string version : {"", "V2", "V3"}) {
    table.extract("TensorArray" + version, extract_array);
    table.extract("TensorArrayRead" + version, user("TfArrayRead", 1));
    table.extract("TensorArrayWrite" + version, user("TfArrayWrite", 1));
    table.extract("TensorArrayGather" + version, user("TfArrayGather", 1));
    table.extract("TensorArrayScatter" + version, user("TfArrayScatter", 1));
    table.extract("TensorArrayConcat" + version, user("TfArrayConcat", 2));
    table.extract("TensorArraySplit" + version, user("TfArraySplit", 1));
    table.extract("TensorArraySize" + version, user("TfArraySize", 1));
    // Nothing reads it; it only frees memory.
    table.extract("TensorArrayClose" + version, [](const FrameworkNode&) -> Expected<Op> { return front_op("TfArrayClose"); });
  }
  table.extract("TensorArrayPack", user("TfArrayPack", 1));
  table.extract("TensorArrayUnpack", user("TfArrayUnpack", 1));
}

}  // namespace mo::tensorflow
