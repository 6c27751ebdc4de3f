#include "frontends/tensorflow/ops/support/structural.hpp"

namespace mo::tensorflow {

/// Arrays of tensors. A handle says which array is meant; in version 3 a flow carries its state.
void register_tensor_array(OperatorTable& table) {
  const std::vector<std::string> attributes = {"dtype",
                                               "element_shape",
                                               "element_shape_except0",
                                               "dynamic_size",
                                               "clear_after_read",
                                               "identical_element_shapes",
                                               "tensor_array_name"};
  for (const std::string version : {"", "V2", "V3"})
    for (const char* op : {"", "Read", "Write", "Gather", "Scatter", "Concat", "Split", "Size", "Close"})
      taken_apart(table, {std::string("TensorArray") + op + version}, attributes);
  taken_apart(table, {"TensorArrayPack", "TensorArrayUnpack"}, attributes);
}

}  // namespace mo::tensorflow
