#pragma once

#include <algorithm>
#include <string_view>

#include "core/support/budget.hpp"

namespace mo::frontends {

/// Whether the budget of this thread has room for the messages that protobuf makes of its text form, estimated before it makes them: a message of
/// eight characters takes what a message of a hundred takes. Error MO-LIMIT-0001.
inline Expected<void> room_for_messages(std::string_view text) {
  constexpr std::uint64_t kMessageBytes = 240;  // measured: NodeProto and NodeDef without fields, and the pointers to them
  const Budget* budget = Budget::current();
  if (!budget) return {};
  const auto messages = static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), [](char c) { return c == '{' || c == '<'; }));
  return budget->room_for(text.size() + messages * kMessageBytes);
}

}  // namespace mo::frontends
