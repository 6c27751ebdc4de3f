#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace mo::tools {

/// "float" for DT_FLOAT, "float_ref" for DT_FLOAT_REF, "INVALID" for what is none.
std::string type_text(std::int64_t data_type);

/// "Tensor<type: float shape: [2,2] values: [1 2][3...]...>": the first three elements, as TensorFlow prints tensors in
/// short.
std::string tensor_text(const Tensor& tensor, std::int64_t data_type);

}  // namespace mo::tools
