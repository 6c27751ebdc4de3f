#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/graph/node.hpp"

/// The layout that the IR tells of an input or output of the model: kept at its Parameter or Result as the runtime
/// attribute `layout`, whose field of that name holds the text ("[N,C,H,W]"). IR v11 writes it at the output port of
/// the Parameter, or of what the Result reads.
namespace mo {

inline constexpr std::string_view kLayoutAttribute = "layout";

/// `chosen`: the user or a pass requested exactly this layout, so no pass may give the tensor another one.
inline void set_tensor_layout(const Node& end, std::string text, bool chosen = false) {
  AttributeMap fields;
  fields.set(kLayoutAttribute, std::move(text));
  if (chosen) fields.set("chosen", true);
  end.set_rt_info(kLayoutAttribute, std::move(fields));
}

namespace detail {
inline const AttributeMap* layout_fields(const Node& end) {
  const AttributeMap* info = end.rt_info();
  const AttributeValue* fields = info ? info->find(kLayoutAttribute) : nullptr;
  return fields ? fields->map() : nullptr;
}
}  // namespace detail

/// The text of the layout; empty when none is known.
inline std::string_view tensor_layout(const Node& end) {
  const AttributeMap* fields = detail::layout_fields(end);
  const AttributeValue* text = fields ? fields->find(kLayoutAttribute) : nullptr;
  const auto* known = text ? text->get_if<std::string>() : nullptr;
  return known ? std::string_view(*known) : std::string_view();
}

inline bool has_chosen_layout(const Node& end) {
  const AttributeMap* fields = detail::layout_fields(end);
  return fields && fields->find("chosen");
}

}  // namespace mo
