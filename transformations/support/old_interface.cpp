#include "transformations/support/old_interface.hpp"

#include <algorithm>

#include "ops/convert.hpp"

namespace mo::transformations {
namespace {

/// The reader does not need the type of the input: it reads the shape, or converts the values to f32.
bool is_read_as_f32(const InPort& reader) {
  const auto* const convert = reader.node().as<ops::Convert>();
  return reader.node().op_type().traits.shape_of || (convert && convert->destination_type == ElementType::f32);
}

}  // namespace

std::optional<ElementType> old_element_type(const Node& parameter) {
  const ElementType type = parameter.as<Parameter>()->element_type;
  if (type == ElementType::i64) return ElementType::i32;
  if (type == ElementType::u8) return ElementType::f32;
  const std::vector<InPort> readers = parameter.output().get_destinations();
  if (!readers.empty() && std::all_of(readers.begin(), readers.end(), is_read_as_f32)) return ElementType::f32;
  return std::nullopt;
}

bool set_old_element_type(const Node& parameter, ElementType type) {
  constexpr std::string_view kAttribute = "old_api_map_element_type";
  const AttributeMap fields{{"value", std::string(to_string(type))}};
  if (const AttributeMap* const info = parameter.rt_info())
    if (const AttributeValue* const known = info->find(kAttribute); known && known->map() && *known->map() == fields)
      return false;
  parameter.set_rt_info(kAttribute, fields);
  return true;
}

}  // namespace mo::transformations
