#pragma once

#include "frontends/tensorflow/checkpoint/stored_tensor.hpp"

namespace mo::tensorflow {

/// Reads the TensorProto of a slice in a V1 checkpoint, which has values but neither type nor shape. Large packed
/// numbers stay in the file when the record does. Error MO-TF-0423: there are not as many values as elements.
Expected<Tensor> read_saved_values(frontends::WireSource& source, const frontends::WireField& message,
                                   std::int64_t data_type, const StoredType& stored);

}  // namespace mo::tensorflow
