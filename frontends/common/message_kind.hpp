#pragma once

#include <string_view>

#include "frontends/common/model_kind.hpp"
#include "frontends/common/wire.hpp"

namespace mo::frontends {

/// Which model a binary protobuf message is, or `unknown`. Messages have no magic number: what tells them apart are the
/// numbers and wire types of their first fields, and for GraphDef and its relatives whether the first of these holds a
/// node.
ModelKind kind_of_message(WireSource& source);

/// Which model a text is, `beginning` being its first bytes (protobuf text, XML, JSON, and the headers of some text
/// formats), or `unknown`.
ModelKind kind_of_text(std::string_view beginning);

}  // namespace mo::frontends
