#pragma once

#include <optional>
#include <string_view>

#include "core/op/op_type.hpp"

namespace mo::phases {

/// "Softmax" of "onnx::Softmax"; nothing for an op that is not the framework's. Other domains keep theirs:
/// "com.microsoft::Gelu".
inline std::optional<std::string_view> framework_op(const OpType& type, std::string_view framework) {
  if (!type.dynamic) return std::nullopt;
  if (type.name.starts_with(framework) && type.name.substr(framework.size()).starts_with("::"))
    return type.name.substr(framework.size() + 2);
  if (type.name.find("::") != std::string_view::npos) return type.name;
  return std::nullopt;
}

}  // namespace mo::phases
