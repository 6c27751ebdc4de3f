#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"
#include "frontends/common/wire.hpp"

namespace mo::tensorflow {

/// Reads a TensorProto. Elements that are stored as a tensor stores them become ranges of the file (tensor_content,
/// packed float_val and double_val); others are decoded. Fewer values than elements: the last one fills the rest
/// (TensorFlow's TensorProto). With `remarks`, a scalar with several values is a vector of them, which a warning says
/// (MO-TF-0024). Errors: MO-TF-0020 (type), MO-TF-0021 (shape), MO-TF-0022 (number of bytes or values), MO-TF-0023 (too
/// large to fill), MO-PB-*.
Expected<Tensor> read_tensor(frontends::WireSource& source, const frontends::WireField& message,
                             std::vector<Diagnostic>* remarks = nullptr);

/// Reads a TensorShapeProto: -1 and unknown_rank are unknown. Error MO-TF-0021 for other negative numbers and for
/// absurd ranks.
Expected<PartialShape> read_shape(frontends::WireSource& source, const frontends::WireField& message);

}  // namespace mo::tensorflow
