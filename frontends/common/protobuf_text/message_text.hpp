#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace google::protobuf {
class Message;
}

namespace mo::frontends {

/// How a format reads its text form.
struct TextRules {
  std::string_view code;     ///< of errors
  std::string_view message;  ///< what the text is to be, for hints: "GraphDef"
  int depth = 100;           ///< messages in messages
  bool skips_unknown_fields = false;
};

/// The wire form of a message that is given as protobuf text; map entries in the order of their keys. Long messages are
/// taken apart and read piece by piece, so that the memory needed follows from the text and its wire form: a message of
/// eight characters is an object of 240 bytes. `prototype` is an instance of the message. Errors: those of protobuf's
/// parser, up to 20, with line and column; MO-LIMIT-0001 to MO-LIMIT-0004.
Expected<std::string> message_from_text(std::string_view text, const google::protobuf::Message& prototype,
                                        const TextRules& rules);

}  // namespace mo::frontends
