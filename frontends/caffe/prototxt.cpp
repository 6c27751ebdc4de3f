#include "frontends/caffe/prototxt.hpp"

#include <limits>

namespace mo::caffe {
namespace {

Diagnostic wrong_kind(const TextValue& value, const TextField& field, std::string_view wanted) {
  return error_at(field.place_of(value), "MO-CAFFE-0002", "{} takes {}, not {}", field.name, wanted, kind_of(value))
      .hint("correct the text there");
}

}  // namespace

Expected<TextMessage> parse_prototxt(std::string_view text) {
  return proto_text::parse(
      text, [](TextPlace place, const std::string& what) { return error_at(place, "MO-CAFFE-0001", "{}", what); });
}

Expected<std::int64_t> integer_of(const TextValue& value, const TextField& field) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  return wrong_kind(value, field, "an integer");
}

Expected<double> real_of(const TextValue& value, const TextField& field) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  if (const auto* word = std::get_if<Word>(&value)) {
    if (word->text == "inf" || word->text == "infinity") return std::numeric_limits<double>::infinity();
    if (word->text == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  return wrong_kind(value, field, "a number");
}

Expected<std::string> text_of(const TextValue& value, const TextField& field) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* word = std::get_if<Word>(&value)) return word->text;
  return wrong_kind(value, field, "a string");
}

Expected<const TextMessage*> message_of(const TextValue& value, const TextField& field) {
  if (const auto* message = std::get_if<std::unique_ptr<TextMessage>>(&value))
    return static_cast<const TextMessage*>(message->get());
  return wrong_kind(value, field, "a message");
}

Expected<std::string> text_field(const TextMessage& message, std::string_view name, std::string fallback) {
  MO_TRY(message.each(name, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(fallback, text_of(value, field));
    return {};
  }));
  return fallback;
}

Expected<std::int64_t> integer_field(const TextMessage& message, std::string_view name, std::int64_t fallback) {
  MO_TRY(message.each(name, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(fallback, integer_of(value, field));
    return {};
  }));
  return fallback;
}

}  // namespace mo::caffe
