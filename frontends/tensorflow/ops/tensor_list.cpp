#include "frontends/tensorflow/ops/support/structural.hpp"

namespace mo::tensorflow {

/// Lists of tensors; a list is an edge like any other.
void register_tensor_list(OperatorTable& table) {
  taken_apart(
      table,
      {"EmptyTensorList", "TensorListReserve", "TensorListFromTensor", "TensorListStack", "TensorListGetItem",
       "TensorListSetItem", "TensorListPushBack", "TensorListPopBack", "TensorListLength", "TensorListResize",
       "TensorListGather", "TensorListScatter", "TensorListScatterV2", "TensorListScatterIntoExistingList",
       "TensorListConcat", "TensorListConcatV2", "TensorListConcatLists", "TensorListSplit", "TensorListElementShape"},
      {"element_dtype", "shape_type", "element_shape", "num_elements", "resize_if_index_out_of_bounds"});
}

}  // namespace mo::tensorflow
