#include "extensions/custom_ops/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/support/nearest.hpp"
#include "extensions/config/json_view.hpp"
#include "extensions/config/model_layout.hpp"

namespace mo::custom_ops {
namespace {

using config::JsonKind;
using config::JsonProblems;
using config::JsonView;

constexpr std::int64_t kMostInputs = 1000;

/// A name that XML takes for an attribute.
bool is_attribute_name(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == '-';
  });
}

class DescriptionReader {
 public:
  DescriptionReader(const JsonView& view, const std::vector<std::string>& frameworks)
      : view_(view), frameworks_(frameworks) {}

  Description run() {
    d_.place = config::at(view_.problems().file(), view_.value().place);
    if (!view_.expect(JsonKind::object)) return d_;
    view_.allow_keys({"comment", "framework", "op", "domain", "versions", "override", "type", "op_set", "attributes",
                      "inputs", "outputs", "layout"});
    read_match();
    read_identity();
    if (const auto attributes = view_.find("attributes")) read_attributes(*attributes);
    if (const auto inputs = view_.find("inputs")) read_inputs(*inputs);
    if (const auto outputs = view_.require("outputs")) read_outputs(*outputs);
    if (const auto layout = view_.find("layout")) d_.channels_first = config::wants_channels_first(*layout);
    return d_;
  }

 private:
  void read_match() {
    if (const auto framework = view_.find("framework"))
      if (const auto name = framework->text()) {
        d_.framework = *name;
        if (std::find(frameworks_.begin(), frameworks_.end(), *name) == frameworks_.end())
          framework->problem(error("MO-CONFIG-0006", "\"{}\" is not known here", *name)
                                 .hint("use one of: {}", fmt::join(frameworks_, ", ")));
      }
    if (const auto op = view_.require("op")) {
      const auto name = op->text();
      d_.op = name.value_or("");
      if (name && name->empty())
        op->problem(
            error("MO-CONFIG-0104", "the name of the operation is empty").hint("write the framework's name of it"));
    }
    if (const auto domain = view_.find("domain"))
      if (const auto name = domain->text(); name && !name->empty() && *name != "ai.onnx")
        d_.op = fmt::format("{}::{}", *name, d_.op);
    if (const auto versions = view_.find("versions"); versions && versions->expect(JsonKind::object)) {
      versions->allow_keys({"first", "last"});
      if (const auto first = versions->find("first")) d_.versions.first = first->integer().value_or(0);
      if (const auto last = versions->find("last")) d_.versions.last = last->integer().value_or(d_.versions.last);
      if (d_.versions.first > d_.versions.last)
        versions->problem(
            error("MO-CONFIG-0103", "the first version is {} and the last is {}", d_.versions.first, d_.versions.last)
                .hint("the first version must not be above the last one"));
    }
    if (const auto overrides = view_.find("override")) d_.overrides_builtin = overrides->boolean().value_or(false);
  }

  void read_identity() {
    d_.type = d_.op.substr(d_.op.rfind(':') == std::string::npos ? 0 : d_.op.rfind(':') + 1);
    const auto named = [&](std::string_view key, std::string& name) {
      const auto member = view_.find(key);
      if (member) name = member->text().value_or(name);
      const bool good =
          !name.empty() && name.find("::") == std::string::npos && std::all_of(name.begin(), name.end(), [](char c) {
            return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '<';
          });
      if (!good && (member || !d_.op.empty()))
        (member ? *member : view_)
            .problem(
                error("MO-CONFIG-0104", "\"{}\" cannot be the {} of a layer", name, key == "type" ? "type" : "op set")
                    .hint("use letters, digits and _"));
    };
    named("type", d_.type);
    named("op_set", d_.op_set);
  }

  void read_attributes(const JsonView& view) {
    d_.attributes.emplace();
    for (const auto& [name, member] : view.members()) {
      if (!is_attribute_name(name))
        member.problem(error("MO-CONFIG-0104", "\"{}\" cannot be the name of an attribute", name)
                           .hint("use letters, digits and _"));
      d_.attributes->push_back(read_attribute(name, member));
    }
  }

  static AttributeRule read_attribute(const std::string& name, const JsonView& view) {
    AttributeRule rule;
    rule.name = rule.from = name;
    if (view.kind() != JsonKind::object) {  // a constant
      rule.source = AttributeRule::Source::constant;
      rule.value = view.attribute();
      if (view.kind() == JsonKind::null || rule.value.holds<AttributeList>())
        view.problem(
            error("MO-CONFIG-0103", "a constant is a number, a string, true, false, or a list of numbers or strings")
                .hint("write {{\"from\": \"name\"}} for an attribute of the framework"));
      return rule;
    }
    view.allow_keys({"from", "value", "input", "as", "default", "hidden"});
    if (const auto as = view.find("as"))
      if (const auto form =
              as->one_of({"any", "integer", "real", "boolean", "text", "type", "integers", "reals", "texts"}))
        rule.form = static_cast<AttributeForm>(
            std::find(kAttributeFormNames.begin(), kAttributeFormNames.end(), *form) - kAttributeFormNames.begin());
    int sources = 0;
    if (const auto from = view.find("from")) {
      ++sources;
      rule.from = from->text().value_or("");
    }
    if (const auto value = view.find("value")) {
      ++sources;
      rule.source = AttributeRule::Source::constant;
      rule.value = value->attribute();
    }
    if (const auto input = view.find("input")) {
      ++sources;
      rule.source = AttributeRule::Source::input;
      rule.input = input_number(*input);
    }
    if (sources > 1)
      view.problem(
          error("MO-CONFIG-0103", "an attribute has one source").hint("keep one of \"from\", \"value\" and \"input\""));
    if (const auto absent = view.find("default")) rule.absent = absent->attribute();
    if (const auto hidden = view.find("hidden"); hidden && hidden->boolean().value_or(false))
      rule.name = "@" + rule.name;
    return rule;
  }

  static std::int64_t input_number(const JsonView& view) {
    const auto number = view.integer();
    if (number && (*number < 0 || *number >= kMostInputs))
      view.problem(error("MO-CONFIG-0103", "there is no input {}", *number).hint("inputs are counted from 0"));
    return number.value_or(0);
  }

  void read_inputs(const JsonView& view) {
    d_.inputs.emplace();
    for (const JsonView& item : view.items()) {
      const std::int64_t number = input_number(item);
      if (std::find(d_.inputs->begin(), d_.inputs->end(), number) != d_.inputs->end())
        item.problem(error("MO-CONFIG-0103", "duplicate input {}", number).hint("list each input once"));
      d_.inputs->push_back(number);
    }
  }

  bool has_attribute(const std::string& name) const {
    return !d_.attributes || std::any_of(d_.attributes->begin(), d_.attributes->end(), [&](const AttributeRule& rule) {
      return rule.name == name || rule.name == "@" + name;
    });
  }

  void expect_attribute(const JsonView& view, const std::string& name) const {
    if (has_attribute(name)) return;
    std::vector<std::string> known;
    for (const AttributeRule& rule : *d_.attributes)
      known.push_back(rule.name.starts_with('@') ? rule.name.substr(1) : rule.name);
    const std::string near = nearest(name, known, std::max<std::size_t>(2, name.size() / 3));
    view.problem(error("MO-CONFIG-0102", "the description has no attribute {}", name)
                     .hint("{}", near.empty()
                                     ? "list it in \"attributes\", with \"hidden\": true to leave it out of the IR"
                                     : fmt::format("did you mean {}?", near)));
  }

  void read_outputs(const JsonView& view) {
    for (const JsonView& item : view.items()) {
      OutputRule rule;
      if (item.kind() == JsonKind::text) {  // only the shape
        read_shape(item, rule);
      } else if (item.expect(JsonKind::object)) {
        item.allow_keys({"shape", "type"});
        if (const auto shape = item.require("shape")) read_shape(*shape, rule);
        if (const auto type = item.find("type")) read_type(*type, rule);
      }
      d_.outputs.push_back(std::move(rule));
    }
    if (view.kind() == JsonKind::array && d_.outputs.empty())
      view.problem(error("MO-CONFIG-0103", "an op has at least one output")
                       .hint("describe each output: {{\"shape\": \"in0\", \"type\": \"in0\"}}"));
  }

  void read_shape(const JsonView& view, OutputRule& rule) const {
    const auto text = view.text();
    if (!text) return;
    auto shape = ShapeExpression::parse(*text);
    if (!shape) {
      for (const Diagnostic& d : shape.error().items()) view.problem(d);
      return;
    }
    for (const std::string& name : shape->attributes()) expect_attribute(view, name);
    rule.shape = *std::move(shape);
  }

  /// "f32", "in1" or "attrs.name".
  void read_type(const JsonView& view, OutputRule& rule) const {
    const auto text = view.text();
    if (!text) return;
    if (text->starts_with("attrs.")) {
      rule.type = OutputRule::Type::attribute;
      rule.attribute = text->substr(6);
      return expect_attribute(view, rule.attribute);
    }
    if (text->starts_with("in")) {
      const auto [end, cause] = std::from_chars(text->data() + 2, text->data() + text->size(), rule.input);
      if (cause == std::errc() && end == text->data() + text->size()) return;
    }
    if (const auto type = element_type_from(*text); type && *type != ElementType::dynamic) {
      rule.type = OutputRule::Type::fixed;
      rule.fixed = *type;
      return;
    }
    view.problem(error("MO-CONFIG-0102", "\"{}\" is not an element type", *text)
                     .hint("write f32, i64 …, in0 for the type of an input, or attrs.NAME"));
  }

  const JsonView& view_;
  const std::vector<std::string>& frameworks_;
  Description d_;
};

bool overlap(const Description& a, const Description& b) {
  return a.op == b.op && (a.framework.empty() || b.framework.empty() || a.framework == b.framework) &&
         a.versions.first <= b.versions.last && b.versions.first <= a.versions.last;
}

Expected<std::vector<Description>> read_document(const config::JsonValue& document, const std::string& file,
                                                 const std::vector<std::string>& frameworks) {
  JsonProblems problems(file);
  const JsonView root(document, problems);
  // One description needs no list around it.
  const std::vector<JsonView> views = document.kind == JsonKind::object ? std::vector<JsonView>{root} : root.items();
  std::vector<Description> found;
  for (const JsonView& view : views) {
    found.push_back(DescriptionReader(view, frameworks).run());
    const Description& last = found.back();
    for (std::size_t i = 0; i + 1 < found.size() && !last.op.empty(); ++i)
      if (overlap(found[i], last))
        view.problem(error("MO-CONFIG-0114", "{} is described twice, also at {}", last.op, found[i].place)
                         .hint("give the descriptions version ranges that do not overlap"));
  }
  MO_TRY(problems.finish());
  return found;
}

}  // namespace

Expected<std::vector<Description>> parse_descriptions(std::string_view text, const std::string& file,
                                                      const std::vector<std::string>& frameworks) {
  MO_ASSIGN(const config::JsonValue document, config::parse_json(text, file));
  return read_document(document, file, frameworks);
}

Expected<std::vector<Description>> read_descriptions(const std::string& path,
                                                     const std::vector<std::string>& frameworks) {
  MO_ASSIGN(const std::string text, config::read_config_text(path));
  return parse_descriptions(text, path, frameworks);
}

}  // namespace mo::custom_ops
