#pragma once

#include <functional>
#include <memory>

#include "core/attributes/attribute_value.hpp"
#include "core/graph/graph.hpp"
#include "core/text/lexer.hpp"

namespace mo::text {

/// Reads the values of attributes (docs/text_form.md) from a lexer which the reader of the graph uses as well.
class AttributeParser {
 public:
  /// `body` reads a graph.
  AttributeParser(Lexer& lexer, bool allow_elided, std::function<Expected<std::unique_ptr<Graph>>()> body)
      : lexer_(lexer), allow_elided_(allow_elided), body_(std::move(body)) {}

  /// Error MO-TEXT-0001, as for `record`.
  Expected<AttributeValue> attribute();
  /// `{name=value, …}`.
  Expected<AttributeMap> record();

 private:
  Expected<AttributeValue> attribute_inside();
  Expected<AttributeValue> number_or_tensor();
  Expected<AttributeValue> list();

  Lexer& lexer_;
  bool allow_elided_;
  std::function<Expected<std::unique_ptr<Graph>>()> body_;
  int nesting_ = 0;
};

}  // namespace mo::text
