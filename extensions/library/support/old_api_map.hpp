#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace mo::library {

/// Writes at an input of the model which element type programs of the older interface (API 1.0) see. Says whether that is new.
inline bool set_old_element_type(const Node& parameter, ElementType type) {
  constexpr std::string_view kAttribute = "old_api_map_element_type";
  const AttributeMap fields{{"value", std::string(to_string(type))}};
  if (const AttributeMap* const info = parameter.rt_info())
    if (const AttributeValue* const known = info->find(kAttribute); known && known->map() && *known->map() == fields) return false;
  parameter.set_rt_info(kAttribute, fields);
  return true;
}

}  // namespace mo::library
