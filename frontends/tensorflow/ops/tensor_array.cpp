#include "frontends/tensorflow/ops/support/structural.hpp"

namespace mo::tensorflow {

/// Arrays of tensors. A handle says which array is meant; in version 3 a flow carries its state.
void register_tensor_array(OperatorTable& table) {
  for (const std::string version : {"", "V2", "V3"})
    for (const char* op : {"", "Read", "Write", "Gather", "Scatter", "Concat", "Split", "Size", "Close"})
      taken_apart(table, {std::string("TensorArray") + op + version});
  taken_apart(table, {"TensorArrayPack", "TensorArrayUnpack"});
}

}  // namespace mo::tensorflow
