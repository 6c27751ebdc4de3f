#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/registry/operator_table.hpp"
#include "extensions/custom_ops/shape_expression.hpp"

namespace mo::custom_ops {

/// What an attribute of the IR must be; `any`: as the framework has it.
enum class AttributeForm { any, integer, real, boolean, text, type, integers, reals, texts };
inline constexpr std::array<std::string_view, 9> kAttributeFormNames{"any",  "integer",  "real",  "boolean", "text",
                                                                     "type", "integers", "reals", "texts"};
constexpr const auto& names_of(AttributeForm) { return kAttributeFormNames; }

/// Where an attribute of the IR comes from.
struct AttributeRule {
  std::string name;  ///< in the IR; a hidden one starts with '@'
  enum class Source { framework, constant, input } source = Source::framework;
  std::string from;                      ///< framework: its name there
  std::int64_t input = 0;                ///< input: number of the framework node's input
  AttributeValue value;                  ///< constant
  std::optional<AttributeValue> absent;  ///< what it is when the model does not have it
  AttributeForm form = AttributeForm::any;
};

struct OutputRule {
  ShapeExpression shape;
  enum class Type { fixed, input, attribute } type = Type::input;
  ElementType fixed = ElementType::dynamic;
  std::size_t input = 0;
  std::string attribute;
};

/// One custom op, as its user described it.
struct Description {
  std::string framework;  ///< empty: any
  std::string op;         ///< with its domain, as readers name it: "com.acme::FancyNorm"
  VersionRange versions;
  bool overrides_builtin = false;
  std::string type;
  std::string op_set = "extension";
  /// Unset: all that the framework has, under their names.
  std::optional<std::vector<AttributeRule>> attributes;
  /// Which inputs of the framework's node are kept, in the IR's order. Unset: all that did not become attributes.
  std::optional<std::vector<std::int64_t>> inputs;
  std::vector<OutputRule> outputs;
  /// the layer wants images channels-first, and shapes are written so; otherwise as the model has them
  bool channels_first = false;
  std::string place;  ///< "file:line:column"
};

/// Reads one file. All problems at once: those of JSON (MO-CONFIG-0001..0006), MO-CONFIG-0101 (a shape), 0102 (a name
/// that is not there), 0103 (an attribute without or with several sources), 0104 (a name that the IR cannot hold), 0114
/// (two descriptions for the same op).
Expected<std::vector<Description>> read_descriptions(const std::string& path,
                                                     const std::vector<std::string>& frameworks);

/// The same for text; `file` is for messages.
Expected<std::vector<Description>> parse_descriptions(std::string_view text, const std::string& file,
                                                      const std::vector<std::string>& frameworks);

}  // namespace mo::custom_ops
