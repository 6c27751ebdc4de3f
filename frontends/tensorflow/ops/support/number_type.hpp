#pragma once

#include "core/pass/rewriter.hpp"
#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {

/// Whether the element type in attribute `name` is a complex one; such tensors have a trailing dimension of 2 here.
inline bool is_complex(const FrameworkNode& node, std::string_view name = "T") {
  const auto type = node.optional_attr<AttributeValue>(name);
  const auto* text = type ? type->get_if<std::string>() : nullptr;
  return text && text->starts_with("DT_COMPLEX");
}

/// The element type in attribute `name`, or `fallback` when the node does not say it. Errors: MO-TF-0500 for complex
/// numbers, which an op must know of to be right; MO-TF-0501 for what is not a number at all.
inline Expected<ElementType> number_type(const FrameworkNode& node, std::string_view name = "T",
                                         ElementType fallback = ElementType::dynamic) {
  const auto value = node.optional_attr<AttributeValue>(name);
  if (!value) return fallback;
  const auto* type = value->get_if<ElementType>();
  if (type && *type != ElementType::string) return *type;
  if (is_complex(node, name))
    return node.error("MO-TF-0500", "this op is not supported for complex numbers")
        .hint("split them into Real and Imag in the model, or cut it around this node with --input and --output");
  const auto* text = value->get_if<std::string>();
  return node
      .error("MO-TF-0501", "attribute {} is {}, expected a numeric type", name, text ? *text : std::string("DT_STRING"))
      .hint("cut the model around this node with --input and --output");
}

/// One op of `ops/` with the inputs of the node, for numbers that are not complex.
template <class T>
Extractor plain(T op = {}) {
  return [op](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(number_type(node));
    return op;
  };
}

/// A translator of nodes whose numbers are not complex, and whose first `inputs` inputs are connected.
template <class Fn>
Translator of_numbers(std::size_t inputs, Fn translate) {
  return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(number_type(node));
    MO_TRY(node.expect_inputs(inputs));
    return translate(node, rw);
  };
}

}  // namespace mo::tensorflow
