#include "onnx_emitter/translator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"

namespace mo::onnx_emitter {

Value Translation::input_i64(std::size_t i) {
  const Value given = node.input(i);
  if (!given || given.type().element_type == ElementType::i64) return input(i);
  return as(input(i), ElementType::i64);
}

Value Translation::input_vector(std::size_t i) {
  const Value vector = input_i64(i);
  const Value given = node.input(i);
  if (!given || given.type().rank() != 0) return vector;
  return op("Reshape", {vector, integers({1})});
}

Expected<std::int64_t> Translation::rank(std::size_t i) const {
  if (const auto rank = node.input_type(i).rank()) return static_cast<std::int64_t>(*rank);
  return refused("the rank of its input is unknown");
}

Expected<std::vector<std::int64_t>> Translation::axes(std::size_t i) const {
  MO_ASSIGN(const std::int64_t own, rank());
  return axes(i, own);
}

Expected<std::vector<std::int64_t>> Translation::axes(std::size_t i, std::int64_t rank) const {
  auto known = integers_of(node.input(i));
  if (!known) return refused("its axes are computed");
  for (std::int64_t& axis : *known)
    if (axis < 0) axis += rank;
  return *std::move(known);
}

Expected<std::vector<std::int64_t>> Translation::signed_axes(std::size_t i) const {
  auto known = integers_of(node.input(i));
  if (!known) return refused("its axes are computed");
  return *std::move(known);
}

Outputs Translation::ops(std::string_view type, std::vector<Value> inputs, std::size_t outputs,
                         AttributeMap attributes) {
  attributes.set("@opset", opset);
  const OperatorTypes* const legal = operators_.find(type);
  const WiderTypes widened = legal ? widen(type, *legal, inputs) : WiderTypes();
  const Node made = graph_.create_node(Op(fmt::format("onnx::{}", type), std::move(attributes)), inputs, outputs);
  if (legal) return typed_outputs(made, *legal, widened);
  Outputs values;
  for (const OutPort& port : made.out_ports()) values.push_back(port);
  return values;
}

Outputs Translation::custom_ops(std::string_view domain, std::string_view type, std::int64_t version,
                                std::vector<Value> inputs, std::size_t outputs, AttributeMap attributes) {
  attributes.set("@domain", std::string(domain));
  attributes.set("@opset", version);
  const Node made = graph_.create_node(Op(fmt::format("{}::{}", domain, type), std::move(attributes)), inputs, outputs);
  Outputs values;
  for (const OutPort& port : made.out_ports()) values.push_back(port);
  return values;
}

Value Translation::cast(const Value& value, ElementType to) {
  const Node made_by = value.node();
  if (made_by.type() == "onnx::Cast" && made_by.input(0).type().element_type == to &&
      OperatorTypes::holds_all_of(value.type().element_type, to))
    return made_by.input(0);
  const OperatorTypes* const legal = operators_.find("Cast");
  if (legal->support(legal->output(0), to) == Support::none && !problem_) problem_ = not_taken("Cast", 0, to);
  AttributeMap attributes{{"to", to}};
  // As Convert: values beyond the largest one become infinite or NaN.
  if (is_small_real(to)) attributes.set("saturate", std::int64_t{0});
  const Value made = op("Cast", {value}, std::move(attributes));
  made.data().set_element_type(to);
  return made;
}

Value Translation::transposed(const Value& value, const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> whole = order;
  Value from = value;
  if (const Node made_by = value.node(); made_by.type() == "onnx::Transpose")
    if (const auto first = made_by.attr<std::vector<std::int64_t>>("perm")) {
      for (std::int64_t& place : whole) place = (*first)[static_cast<std::size_t>(place)];
      from = made_by.input(0);
    }
  if (std::is_sorted(whole.begin(), whole.end())) return from;
  return op("Transpose", {from}, {{"perm", whole}});
}

/// Gives the inputs wider types where they need them: by type parameter, the own type and the wider one.
Translation::WiderTypes Translation::widen(std::string_view type, const OperatorTypes& legal,
                                           std::vector<Value>& inputs) {
  WiderTypes widened;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string_view parameter = legal.input(i);
    const ElementType own = inputs[i] ? inputs[i].type().element_type : ElementType::dynamic;
    if (own == ElementType::dynamic || parameter.empty()) continue;
    auto known = widened.find(parameter);
    if (known == widened.end()) {
      const Support support = legal.support(parameter, own);
      if (support == Support::kernel) continue;
      const auto wider = type == "Cast" ? std::nullopt : legal.wider(parameter, own);
      if (!wider) {
        if (support == Support::none && !problem_) problem_ = not_taken(type, i, own);
        continue;
      }
      known = widened.emplace(parameter, std::pair(own, *wider)).first;
    }
    if (own == known->second.first) inputs[i] = as(inputs[i], known->second.second);
  }
  return widened;
}

Value Translation::as(const Value& value, ElementType to) {
  if (const auto* const constant_op = value.node().as<Const>())
    if (auto converted = convert(constant_op->value, to)) return constant(*std::move(converted));
  return cast(value, to);
}

Diagnostic Translation::not_taken(std::string_view type, std::size_t input, ElementType element_type) const {
  if (const std::int64_t first = OperatorTypes::first_opset(type, input, element_type); first > opset)
    return needs_opset(first);
  return refused(fmt::format("{} of ONNX takes no {}", type, to_string(element_type)));
}

/// A result in the type of the node: integers that were computed as reals are the nearest ones, and stop at the limits.
Value Translation::narrowed(const Value& value, ElementType from, ElementType to) {
  if (!is_real(from) || !is_integral(to)) return cast(value, to);
  const bool has_sign = is_signed(to);
  const double width = static_cast<double>(bit_width(to)) - (has_sign ? 1 : 0);
  const double most = std::exp2(width) - 1;
  const Value rounded = op("Round", {value});
  const Value limited = op("Clip", {rounded, scalar(from, has_sign ? -most - 1 : 0), scalar(from, most)});
  return cast(limited, to);
}

/// The outputs with their element types, those of a wider type after a Cast to the own one.
Outputs Translation::typed_outputs(const Node& made, const OperatorTypes& legal, const WiderTypes& widened) {
  Outputs values;
  for (const OutPort& port : made.out_ports()) {
    const std::string_view parameter = legal.output(port.index());
    Value value = port;
    if (const auto known = widened.find(parameter); known != widened.end()) {
      port.data().set_element_type(known->second.second);
      value = narrowed(value, known->second.second, known->second.first);
    } else if (const auto only = legal.only_type(parameter)) {
      port.data().set_element_type(*only);
    } else {
      for (std::size_t i = 0; i < made.in_port_count() && !parameter.empty(); ++i)
        if (made.input(i) && legal.input(i) == parameter) {
          port.data().set_element_type(made.input(i).type().element_type);
          break;
        }
    }
    values.push_back(value);
  }
  return values;
}

Value Translation::constant(Tensor tensor) { return graph_.create_constant(std::move(tensor)).out_port(0); }

Value Translation::integers(const std::vector<std::int64_t>& values) {
  return constant(*from_integers(ElementType::i64, {static_cast<std::int64_t>(values.size())}, values));
}

Value Translation::scalar(ElementType type, double value) { return constant(*from_reals(type, {}, {value})); }

Value Translation::with_axes(std::string_view type, const Value& value, const std::vector<std::int64_t>& axes,
                             AttributeMap attributes, std::int64_t first_with_input) {
  if (opset >= first_with_input) return op(type, {value, integers(axes)}, std::move(attributes));
  attributes.set("axes", axes);
  return op(type, {value}, std::move(attributes));
}

Diagnostic Translation::refused(std::string_view why) const {
  return node.error("MO-EMIT-0040", "{} has no form in ONNX: {}", node.type(), why)
      .hint("cut the model before it with --output, or write an IR");
}

Diagnostic Translation::needs_opset(std::int64_t first) const {
  needed_opset_ = std::max(needed_opset_, first);
  return node.error("MO-EMIT-0041", "{} has no form in operator set {} of ONNX", node.type(), opset)
      .hint("--onnx-opset {} has one", first);
}

Value Translation::aligned(std::size_t i, ops::AutoBroadcast mode, std::int64_t axis) {
  const auto rank = node.input_type(0).rank();
  const auto own = node.input_type(i).rank();
  if (mode != ops::AutoBroadcast::pdpd || axis == -1 || !rank || !own) return input(i);
  std::vector<std::int64_t> axes;
  for (std::int64_t at = *own; at < *rank - axis; ++at) axes.push_back(at);
  return axes.empty() ? input(i) : with_axes("Unsqueeze", input(i), axes);
}

OnnxForm direct(std::string type, std::int64_t since) {
  return [type = std::move(type), since](Translation& t) -> Expected<Outputs> {
    if (t.opset < since) return t.needs_opset(since);
    return Outputs{t.op(type, t.inputs())};
  };
}

}  // namespace mo::onnx_emitter
