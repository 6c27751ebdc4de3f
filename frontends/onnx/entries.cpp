#include "frontends/onnx/entries.hpp"

#include "frontends/common/fields.hpp"
#include "frontends/onnx/model_state.hpp"

namespace mo::onnx {

Expected<std::pair<std::string, std::string>> read_entry(frontends::WireSource& source,
                                                         const frontends::WireField& message, std::uint64_t limit) {
  std::pair<std::string, std::string> entry;
  MO_ASSIGN(frontends::WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const frontends::WireField& field) -> Expected<void> {
    if (field.number != frontends::entry_field::kKey && field.number != frontends::entry_field::kValue) return {};
    MO_ASSIGN((field.number == frontends::entry_field::kKey ? entry.first : entry.second),
              text_of(source, field, limit));
    return {};
  }));
  return entry;
}

Expected<void> add_entry(frontends::WireSource& source, const frontends::WireField& message, AttributeMap& into) {
  MO_ASSIGN(auto entry, read_entry(source, message));
  if (into.size() < limits::kAttributes) into.set(entry.first, std::move(entry.second));
  return {};
}

}  // namespace mo::onnx
