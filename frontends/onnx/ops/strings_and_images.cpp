#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// Operators that no IR can express. They are named here so that the message says why, and what to do instead.
void register_strings_and_images(OperatorTable& table) {
  for (const std::string_view name : {"StringConcat", "StringSplit", "StringNormalizer", "RegexFullMatch"})
    table.refuse(std::string(name), [](const FrameworkNode& node) -> Expected<Op> {
      return node.error("MO-ONNX-0422", "it works on strings, for which an IR has no operations")
          .hint("do this part outside of the model: cut it off with --input");
    });
  table.refuse("ImageDecoder", [](const FrameworkNode& node) -> Expected<Op> {
    return node.error("MO-ONNX-0423", "it reads compressed images, for which an IR has no operation")
        .hint("decode images outside of the model: cut this node off with --input");
  });
}

}  // namespace mo::onnx
