#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/attributes/attribute_value.hpp"
#include "frontends/caffe/prototxt.hpp"

/// Changes of a prototxt that was parsed.
namespace mo::caffe {

std::size_t value_count(const TextMessage& message, std::string_view name);
/// The last message in a field, which is the one that counts; null when there is none.
TextMessage* last_message(TextMessage& message, std::string_view name);
void add_value(TextMessage& message, std::string_view name, TextValue value);
/// These values in the place of the first of the field, or at the end; none: the field goes.
void set_values(TextMessage& message, std::string_view name, std::vector<TextValue> values);
/// The same for a field of a message in the message: "convolution_param.pad". Messages on the way are made where they
/// are missing. A word stays a word.
void set_path(TextMessage& message, std::string_view path, std::vector<TextValue> values);
void erase_path(TextMessage& message, std::string_view path);
/// An attribute as values of a field; nothing for what no field can hold.
std::optional<std::vector<TextValue>> text_values(const AttributeValue& value);

}  // namespace mo::caffe
