#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {
namespace {

Extractor list_op(std::string_view op, std::size_t outputs = 1, AttributeMap more = {}) {
  return [op, outputs, more](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"num_elements"});
    node.declare_outputs(outputs);
    AttributeMap attributes = more;
    if (const auto type = node.optional_attr<ElementType>("element_dtype")) attributes.set("element_dtype", *type);
    // The shapes of elements are inputs of these ops; the attribute of Concat repeats it for its output.
    if (node.has("element_shape")) node.ignore({"element_shape"});
    return front_op(op, std::move(attributes));
  };
}

Expected<Op> extract_set_item(const FrameworkNode& node) {
  node.declare_outputs(1);
  AttributeMap attributes{{"grows", node.attr("resize_if_index_out_of_bounds", false)}};
  if (const auto type = node.optional_attr<ElementType>("element_dtype")) attributes.set("element_dtype", *type);
  return front_op("TfListWrite", std::move(attributes));
}

Expected<Op> extract_element_shape(const FrameworkNode& node) {
  return front_op("TfListElementShape", {{"shape_type", node.attr("shape_type", ElementType::i64)}});
}

}  // namespace

/// Lists of tensors; a list is an edge like any other.
void register_tensor_list(OperatorTable& table) {
  table.extract("EmptyTensorList", list_op("TfListEmpty"));
  table.extract("TensorListReserve", list_op("TfListReserve"));
  table.extract("TensorListFromTensor", list_op("TfListFromTensor"));
  table.extract("TensorListStack", list_op("TfListStack"));
  table.extract("TensorListGetItem", list_op("TfListRead"));
  table.extract("TensorListSetItem", extract_set_item);
  table.extract("TensorListPushBack", list_op("TfListPush"));
  table.extract("TensorListPopBack", list_op("TfListPop", 2));
  table.extract("TensorListLength", list_op("TfListSize"));
  table.extract("TensorListResize", list_op("TfListResize"));
  table.extract("TensorListGather", list_op("TfListGather"));
  table.extract("TensorListScatter", list_op("TfListFromScattered"));
  table.extract("TensorListScatterV2", list_op("TfListFromScattered"));
  table.extract("TensorListScatterIntoExistingList", list_op("TfListScatterInto"));
  table.extract("TensorListConcat", list_op("TfListConcat", 2));
  table.extract("TensorListConcatV2", list_op("TfListConcat", 2));
  table.extract("TensorListConcatLists", list_op("TfListJoin"));
  table.extract("TensorListSplit", list_op("TfListSplit", 1, {{"shape_first", true}}));
  table.extract("TensorListElementShape", extract_element_shape);
}

}  // namespace mo::tensorflow
