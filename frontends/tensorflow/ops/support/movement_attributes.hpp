#pragma once

#include "frontends/tensorflow/ops/support/number_type.hpp"

/// Attributes of ops that move elements. Complex numbers are real tensors with a trailing dimension of 2 here, which
/// the model does not see.
namespace mo::tensorflow {

/// How many parts an op may have (Split, Unpack …). Ports are made for as many
/// as the model claims, so there is a limit.
inline constexpr std::int64_t kMostParts = 65536;

/// A type attribute that stands for no element type of the IR ("DT_COMPLEX64",
/// "DT_VARIANT"); empty for one that does, or a missing one.
inline std::string foreign_type(const FrameworkNode& node, std::string_view type) {
  const auto value = node.optional_attr<AttributeValue>(type);
  const std::string* text = value ? value->get_if<std::string>() : nullptr;
  return text ? *text : "";
}

/// Error MO-TF-0554 for elements that are no numbers, booleans or strings.
inline Expected<void> expect_tensor(const FrameworkNode& node, std::string_view type = "T") {
  if (const std::string foreign = foreign_type(node, type);
      foreign.starts_with("DT_") && !foreign.starts_with("DT_COMPLEX"))
    return node.error("MO-TF-0554", "elements of type {} cannot be moved", foreign)
        .hint(
            "the IR has numeric tensors only; cut the model after this node with --input, or before it with --output");
  return {};
}

/// As above, and error MO-TF-0550 for complex numbers.
inline Expected<void> expect_real(const FrameworkNode& node, std::string_view type = "T") {
  MO_TRY(expect_tensor(node, type));
  if (is_complex(node, type))
    return node.error("MO-TF-0550", "complex numbers are not supported by this op")
        .hint("take real and imaginary part apart (Real, Imag) before this node, or cut the model there");
  return {};
}

/// As many outputs as attribute `name` tells, for `OperatorTable::translate`; a number that cannot be is left to
/// `part_count`.
inline OutputCount outputs_in(const char* name) {
  return [name](const FrameworkNode& node) -> std::size_t {
    const auto count = node.attr<std::int64_t>(name, 0);
    return count < 0 || count > kMostParts ? 0 : static_cast<std::size_t>(count);
  };
}

/// The number of pieces or parts that attribute `name` tells. Error MO-TF-0552
/// when there cannot be as many.
inline Expected<std::int64_t> part_count(const FrameworkNode& node, std::string_view name) {
  const auto count = node.required<std::int64_t>(name);
  if (node.failure()) return *node.failure();
  if (count < 1 || count > kMostParts || static_cast<std::size_t>(count) < node.output_count())
    return node.error("MO-TF-0552", "{} is {}, and {} outputs are read", name, count, node.output_count())
        .hint("{} is the number of outputs, up to {}", name, kMostParts);
  return count;
}

/// Error MO-TF-0552 unless the node has `factor` * N + `others` inputs. A
/// missing N is what the inputs tell.
inline Expected<void> expect_pieces(const FrameworkNode& node, std::size_t factor, std::size_t others) {
  const auto inputs = static_cast<std::int64_t>(node.input_count());
  const auto fixed = static_cast<std::int64_t>(others);
  const auto each = static_cast<std::int64_t>(factor);
  const auto count = node.attr<std::int64_t>("N", inputs > fixed ? (inputs - fixed) / each : 0);
  if (count < 1 || count > inputs || count * each + fixed != inputs)
    return node.error("MO-TF-0552", "N is {}, and the node has {} inputs", count, inputs)
        .hint("N is the number of pieces");
  return {};
}

/// Error MO-TF-0553 for the policy to skip indices that lie outside.
inline Expected<void> expect_checked_indices(const FrameworkNode& node) {
  const std::string policy = node.attr("bad_indices_policy", "");
  if (policy == "IGNORE")
    return node.error("MO-TF-0553", "bad_indices_policy is \"{}\"", policy)
        .hint("the IR takes indices inside of the data only; export with the default");
  return {};
}

}  // namespace mo::tensorflow
