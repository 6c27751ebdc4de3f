#include "extensions/custom_ops/custom_ops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "extensions/config/model_layout.hpp"
#include "extensions/custom_ops/attribute_form.hpp"
#include "ops/custom_operation.hpp"

namespace mo::custom_ops {
namespace {

using Shared = std::shared_ptr<const Description>;

Diagnostic not_plain(std::string_view name, const AttributeValue& value) {
  return error("MO-CONFIG-0113", "attribute {} is {}, which the IR cannot represent", name, value.kind_name())
      .hint(
          "list the attributes in the description: {{\"from\": \"{}\", \"as\": \"integers\"}} or the like, or leave it "
          "out",
          name);
}

Expected<AttributeMap> all_attributes(const FrameworkNode& node) {
  AttributeMap attributes;
  for (const std::string& name : node.unread_attributes()) {
    const AttributeValue value = node.optional_attr<AttributeValue>(name).value_or(AttributeValue());
    if (value.is_none() || value.holds<ElementType>()) continue;  // element types repeat what the inputs are
    if (!is_plain(value)) return not_plain(name, value);
    attributes.set(name, value);
  }
  return attributes;
}

Expected<AttributeMap> ruled_attributes(const FrameworkNode& node, const Description& description) {
  AttributeMap attributes;
  for (const AttributeRule& rule : *description.attributes) {
    if (rule.source == AttributeRule::Source::input) continue;  // see add_input_attribute
    std::optional<AttributeValue> value = rule.value;
    if (rule.source == AttributeRule::Source::framework) {
      value = node.optional_attr<AttributeValue>(rule.from);
      if (!value) value = rule.absent;
      if (!value)
        return node.error("MO-CONFIG-0110", "the model's node has no attribute {}", rule.from)
            .hint("give a \"default\" for {} in the description at {}", rule.name, description.place);
    }
    if (value->is_none()) continue;  // "default": null leaves it out
    auto formed = to_form(*value, rule.form);
    if (!formed) {
      for (Diagnostic& d : formed.error().items()) d.message = fmt::format("attribute {}: {}", rule.name, d.message);
      return std::move(formed).error();
    }
    attributes.set(rule.name, *std::move(formed));
  }
  node.ignore_if([](const std::string&, const AttributeValue& value) { return value.holds<ElementType>(); },
                 "element types repeat what the inputs are; a description may list them");
  return attributes;
}

Expected<ElementType> type_of(const OutputRule& rule, const AttributeMap& attributes, const InferContext& ctx,
                              std::size_t output) {
  if (rule.type == OutputRule::Type::fixed) return rule.fixed;
  if (rule.type == OutputRule::Type::input) {
    if (ctx.has_input(rule.input)) return ctx.input_element_type(rule.input);
    return ctx
        .error("MO-CONFIG-0112", "output {} has the type of input {}, and the op has {} inputs", output, rule.input,
               ctx.input_count())
        .hint("give the output a fixed type: \"type\": \"f32\"");
  }
  const AttributeValue* value = attributes.find(rule.attribute);
  if (!value) value = attributes.find("@" + rule.attribute);
  const auto type = to_form(value ? *value : AttributeValue(), AttributeForm::type);
  if (type) return *type->get_if<ElementType>();
  return ctx
      .error("MO-CONFIG-0112", "attribute {} is not an element type, and output {} needs one", rule.attribute, output)
      .hint("write \"as\": \"type\" for the attribute, or give the output a fixed type");
}

std::shared_ptr<const ops::CustomRules> rules_of(const Shared& description) {
  const auto infer = [description](const AttributeMap& attributes, InferContext& ctx) -> Expected<void> {
    for (std::size_t i = 0; i < description->outputs.size(); ++i) {
      const OutputRule& rule = description->outputs[i];
      MO_ASSIGN(PartialShape shape, rule.shape.evaluate(ctx, attributes));
      MO_ASSIGN(const ElementType type, type_of(rule, attributes, ctx, i));
      ctx.output(i, type, std::move(shape));
    }
    return {};
  };
  return std::make_shared<const ops::CustomRules>(ops::CustomRules{infer, {}});
}

/// An input that is written into the IR as an attribute. A rule with a default also serves nodes without the input.
Expected<void> add_input_attribute(const Node& node, const AttributeRule& rule, AttributeMap& attributes) {
  const Value source = node.input(static_cast<std::size_t>(rule.input));
  if (!source) {
    if (rule.absent) {
      if (!rule.absent->is_none()) attributes.set(rule.name, *rule.absent);
      return {};
    }
    return node
        .error("MO-CONFIG-0108", "input {} is missing, and attribute {} is derived from it", rule.input, rule.name)
        .hint("give a \"default\" in the description");
  }
  const Tensor* tensor = source.data().value();
  if (!tensor)
    return node
        .error("MO-CONFIG-0109", "input {} is not a constant, and attribute {} is derived from it", rule.input,
               rule.name)
        .hint("keep the input, or freeze it with --freeze_placeholder_with_value");
  auto formed = to_form(AttributeValue(*tensor), rule.form);
  if (!formed) {
    for (Diagnostic& d : formed.error().items()) d.message = fmt::format("attribute {}: {}", rule.name, d.message);
    return node.describe(std::move(formed).error());
  }
  // "any" of a scalar is a number, not a list of one.
  if (rule.form == AttributeForm::any && tensor->rank() == 0) {
    const auto* integers = formed->get_if<std::vector<std::int64_t>>();
    const auto* reals = formed->get_if<std::vector<double>>();
    const auto* texts = formed->get_if<std::vector<std::string>>();
    AttributeValue scalar = integers ? AttributeValue(integers->front())
                            : reals  ? AttributeValue(reals->front())
                            : texts  ? AttributeValue(texts->front())
                                     : *formed;
    attributes.set(rule.name, std::move(scalar));
    return {};
  }
  attributes.set(rule.name, *std::move(formed));
  return {};
}

/// An input that the description leaves out, or that became an attribute, is left out on purpose.
Expected<std::vector<Value>> kept_inputs(const FrameworkNode& node, const Description& description) {
  const std::size_t count = node.input_count();
  std::vector<std::int64_t> wanted;
  if (description.inputs) {
    wanted = *description.inputs;
  } else {
    std::set<std::int64_t> gone;
    if (description.attributes)
      for (const AttributeRule& rule : *description.attributes)
        if (rule.source == AttributeRule::Source::input) gone.insert(rule.input);
    for (std::size_t i = 0; i < count; ++i)
      if (!gone.contains(static_cast<std::int64_t>(i))) wanted.push_back(static_cast<std::int64_t>(i));
  }
  std::vector<Value> inputs;
  for (const std::int64_t i : wanted) inputs.push_back(node.input(static_cast<std::size_t>(i)));
  while (!inputs.empty() && !inputs.back()) inputs.pop_back();  // optional ones at the end
  const auto gap = std::find(inputs.begin(), inputs.end(), Value());
  if (gap != inputs.end())
    return node
        .error("MO-CONFIG-0108", "input {} is missing, and later ones are there",
               wanted[static_cast<std::size_t>(gap - inputs.begin())])
        .hint("a layer has no gaps among its inputs: leave it out of \"inputs\" in the description");
  return inputs;
}

Replacement described(const Description& description, const std::shared_ptr<const ops::CustomRules>& rules,
                      const FrameworkNode& node, Rewriter& rw) {
  const std::size_t count = description.outputs.size();
  for (std::size_t i = count; i < node.output_count(); ++i)
    if (node.output_used(i))
      return node.error("MO-CONFIG-0111", "the model reads output {} of the node, and the description has {}", i, count)
          .hint("describe all outputs at {}", description.place);
  MO_ASSIGN(AttributeMap attributes,
            description.attributes ? ruled_attributes(node, description) : all_attributes(node));
  if (description.attributes)
    for (const AttributeRule& rule : *description.attributes)
      if (rule.source == AttributeRule::Source::input) MO_TRY(add_input_attribute(node.node(), rule, attributes));
  MO_ASSIGN(const std::vector<Value> inputs, kept_inputs(node, description));
  ops::CustomOperation operation{description.type, description.op_set, std::move(attributes), std::nullopt, rules,
                                 std::nullopt};
  if (description.channels_first) operation.layout = config::model_layout(node.node());
  return rw.create_node(ops::custom_operation(std::move(operation)), inputs, count).out_ports();
}

Translator translator_of(const Shared& description) {
  return [description, rules = rules_of(description)](const FrameworkNode& node, Rewriter& rw) {
    return described(*description, rules, node, rw);
  };
}

/// A built-in row keeps the versions that the description does not speak of.
Expected<void> add_row(const Shared& shared, OperatorTable& table) {
  const Description& description = *shared;
  if (const auto found = table.rows().find(description.op);
      found != table.rows().end() && !description.overrides_builtin)
    for (const OperatorTable::Row& row : found->second)
      if (!row.refuses && row.versions.first <= description.versions.last &&
          description.versions.first <= row.versions.last)
        return error("MO-CONFIG-0105", "op {} is known already, by {}", description.op, row.owner.name)
            .hint("write \"override\": true in the description to use it instead")
            .in_file(description.place);
  table.set_owner(description.place, true);
  table.translate(description.op, description.versions, translator_of(shared), outputs(description.outputs.size()));
  table.set_owner(kBuiltIn, false);
  return {};
}

}  // namespace

Expected<void> register_descriptions(std::vector<Description> descriptions, const std::string& framework,
                                     OperatorTable& operators) {
  std::vector<Diagnostic> problems;
  for (Description& description : descriptions) {
    if (!description.framework.empty() && description.framework != framework) continue;
    if (auto added = add_row(std::make_shared<const Description>(std::move(description)), operators); !added)
      problems.insert(problems.end(), added.error().items().begin(), added.error().items().end());
  }
  if (!problems.empty()) return Error(std::move(problems));
  return {};
}

Expected<void> register_files(const std::vector<std::string>& paths, const std::string& framework,
                              const std::vector<std::string>& frameworks, Registry& registry) {
  std::vector<Description> all;
  std::vector<Diagnostic> problems;
  for (const std::string& path : paths) {
    auto read = read_descriptions(path, frameworks);
    if (read)
      std::move(read->begin(), read->end(), std::back_inserter(all));
    else
      problems.insert(problems.end(), read.error().items().begin(), read.error().items().end());
  }
  if (!problems.empty()) return Error(std::move(problems));
  return register_descriptions(std::move(all), framework, registry.operators(framework));
}

}  // namespace mo::custom_ops
