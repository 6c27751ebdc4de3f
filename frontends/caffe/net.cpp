#include "frontends/caffe/net.hpp"

#include <algorithm>
#include <map>

#include "frontends/caffe/upgrade.hpp"

namespace mo::caffe {
namespace {

Diagnostic too_many(TextPlace place, std::string_view what, std::size_t limit) {
  return error_at(place, "MO-CAFFE-0009", "there are more than {} {}", limit, what)
      .hint("the file is corrupt (compare its checksum), or too large to convert");
}

/// One value of a field that may stand in several places of its message.
struct Occurrence {
  const TextValue* value;
  const TextField* field;
};

/// Several values of one field as one attribute: all integers, all numbers, or all texts.
Expected<AttributeValue> attribute_of(const std::vector<Occurrence>& values) {
  const auto all = [&](auto test) {
    return std::all_of(values.begin(), values.end(), [&](const Occurrence& v) { return test(*v.value); });
  };
  const auto is_whole = [](const TextValue& v) { return std::holds_alternative<std::int64_t>(v); };
  const auto is_text = [](const TextValue& v) {
    return std::holds_alternative<Word>(v) || std::holds_alternative<std::string>(v);
  };
  if (values.size() == 1) {
    const TextValue& value = *values.front().value;
    if (const auto* number = std::get_if<std::int64_t>(&value)) return AttributeValue(*number);
    if (const auto* number = std::get_if<double>(&value)) return AttributeValue(*number);
    if (const auto* flag = std::get_if<bool>(&value)) return AttributeValue(*flag);
    MO_ASSIGN(std::string text, text_of(value, *values.front().field));
    return AttributeValue(std::move(text));
  }
  if (all([&](const TextValue& v) { return is_whole(v) || std::holds_alternative<bool>(v); })) {
    std::vector<std::int64_t> list;
    for (const auto& [value, field] : values)
      list.push_back(is_whole(*value) ? std::get<std::int64_t>(*value) : std::get<bool>(*value) ? 1 : 0);
    return AttributeValue(std::move(list));
  }
  if (all(is_text)) {
    std::vector<std::string> list;
    for (const auto& [value, field] : values) {
      MO_ASSIGN(std::string text, text_of(*value, *field));
      list.push_back(std::move(text));
    }
    return AttributeValue(std::move(list));
  }
  std::vector<double> list;
  for (const auto& [value, field] : values) {
    MO_ASSIGN(const double number, real_of(*value, *field));
    list.push_back(number);
  }
  return AttributeValue(std::move(list));
}

Expected<std::vector<std::string>> texts_of(const TextMessage& message, std::string_view name) {
  std::vector<std::string> texts;
  MO_TRY(message.each(name, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    if (texts.size() == limits::kPorts) return too_many(field.place, name, limits::kPorts);
    MO_ASSIGN(std::string text, text_of(value, field));
    texts.push_back(std::move(text));
    return {};
  }));
  return texts;
}

/// The type in the current form. V1 enumerates types; handwritten files in the current form sometimes keep those words.
Expected<void> read_type(const TextMessage& message, NetLayer& layer) {
  return message.each("type", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
      const auto type = type_of_v1(*number);
      if (!type)
        return error_at(field.place_of(value), "MO-CAFFE-0003", "there is no layer type {}", *number)
            .hint("write the name of the type instead");
      layer.type = *type;
      return {};
    }
    MO_ASSIGN(layer.type, text_of(value, field));
    if (std::holds_alternative<Word>(value)) layer.type = std::string(type_of_v1(layer.type).value_or(layer.type));
    return {};
  });
}

/// V1: `param: "name"`; current form: `param { name: "name" }`.
Expected<void> read_shared(const TextMessage& message, NetLayer& layer) {
  return message.each("param", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    if (layer.shared.size() == limits::kPorts) return too_many(field.place, "param", limits::kPorts);
    std::string& name = layer.shared.emplace_back();
    if (const auto* inner = std::get_if<std::unique_ptr<TextMessage>>(&value)) {
      MO_ASSIGN(name, text_field(**inner, "name"));
    } else {
      MO_ASSIGN(name, text_of(value, field));
    }
    return {};
  });
}

Expected<void> read_text_blobs(const TextMessage& message, NetLayer& layer) {
  return message.each("blobs", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    if (layer.blobs.size() == limits::kPorts) return too_many(field.place, "blobs", limits::kPorts);
    MO_ASSIGN(const TextMessage* const blob, message_of(value, field));
    layer.blobs.push_back(blob);
    return {};
  });
}

/// Fields that are not parameters of the layer's computation: connections, weights, phases, training.
const std::vector<std::string_view> kNoParameters = {
    "name",  "type",        "bottom",   "top",          "blobs", "param",           "include",       "exclude",
    "phase", "loss_weight", "blobs_lr", "weight_decay", "layer", "blob_share_mode", "propagate_down"};

}  // namespace

Expected<NetLayer> read_layer(const TextMessage& message) {
  NetLayer layer;
  layer.place = message.place;
  MO_ASSIGN(layer.name, text_field(message, "name"));
  MO_ASSIGN(layer.bottoms, texts_of(message, "bottom"));
  MO_ASSIGN(layer.tops, texts_of(message, "top"));
  MO_TRY(read_type(message, layer));
  MO_TRY(read_shared(message, layer));
  MO_TRY(read_text_blobs(message, layer));
  MO_TRY(flatten(message, "", kNoParameters, layer.parameters));
  // V0: name, type, weights and parameters stand one level deeper.
  MO_TRY(message.each("layer", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const TextMessage* const old, message_of(value, field));
    MO_ASSIGN(layer.name, text_field(*old, "name", layer.name));
    MO_ASSIGN(const std::string type, text_field(*old, "type"));
    layer.type = std::string(type_of_v0(type).value_or(type));
    MO_TRY(read_text_blobs(*old, layer));
    AttributeMap flat;
    MO_TRY(flatten(*old, "", kNoParameters, flat));
    upgrade_v0_parameters(layer, flat);
    return {};
  }));
  if (layer.type.empty())
    return error_at(layer.place, "MO-CAFFE-0005", "layer '{}' has no type", layer.name).hint("the text is incomplete");
  // Caffe does not insist on names.
  if (layer.name.empty()) layer.name = layer.tops.empty() ? layer.type : layer.tops.front();
  return layer;
}

Expected<std::vector<NetInput>> read_net_inputs(const TextMessage& text) {
  std::vector<NetInput> inputs;
  MO_ASSIGN(const std::vector<std::string> names, texts_of(text, "input"));
  std::vector<PartialShape> shapes;
  MO_TRY(text.each("input_shape", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(const TextMessage* const message, message_of(value, field));
    MO_ASSIGN(PartialShape shape, declared_shape(*message));
    shapes.push_back(std::move(shape));
    return {};
  }));
  std::vector<Dimension> dims;
  TextPlace place;
  MO_TRY(text.each("input_dim", [&](const TextValue& value, const TextField& field) -> Expected<void> {
    place = field.place;
    MO_ASSIGN(const std::int64_t dim, integer_of(value, field));
    if (dim < -1 || dim == Dimension::kNoLimit || dims.size() >= limits::kPorts)
      return error_at(field.place_of(value), "MO-CAFFE-0010", "a dimension of an input is {}", dim)
          .hint("a dimension is not negative; -1 means any size");
    dims.push_back(dim == -1 ? Dimension() : Dimension(dim));
    return {};
  }));
  // Caffe: four dimensions for each input. A single input may have any number of them.
  if (shapes.empty() && !dims.empty()) {
    const std::size_t rank = names.size() == 1 ? dims.size() : 4;
    if (names.empty() || dims.size() != rank * names.size() || rank > limits::kRank)
      return error_at(place, "MO-CAFFE-0010", "{} input_dim for {} input", dims.size(), names.size())
          .hint("there are four of them for each input; use input_shape for other ranks");
    for (std::size_t i = 0; i < dims.size(); i += rank)
      shapes.emplace_back(std::vector<Dimension>(dims.begin() + static_cast<std::ptrdiff_t>(i),
                                                 dims.begin() + static_cast<std::ptrdiff_t>(i + rank)));
  }
  if (shapes.size() > names.size())
    return error_at(text.place, "MO-CAFFE-0010", "{} shapes for {} input", shapes.size(), names.size())
        .hint("name every input: input: \"data\"");
  for (std::size_t i = 0; i < names.size(); ++i)
    inputs.push_back({names[i], names[i], "Input", i < shapes.size() ? shapes[i] : PartialShape(), true, text.place});
  return inputs;
}

Expected<void> flatten(const TextMessage& message, const std::string& prefix,
                       const std::vector<std::string_view>& skipped, AttributeMap& into) {
  struct Group {
    const TextField* field;
    std::vector<Occurrence> values;
  };
  std::vector<Group> groups;
  std::map<std::string_view, std::size_t> places;
  for (const TextField& field : message.fields) {
    if (std::find(skipped.begin(), skipped.end(), field.name) != skipped.end()) continue;
    const auto [at, is_new] = places.emplace(field.name, groups.size());
    if (is_new) groups.push_back({&field, {}});
    for (const TextValue& value : field.values) groups[at->second].values.push_back({&value, &field});
  }
  for (const Group& group : groups) {
    if (group.values.empty()) continue;  // `dim: []`
    if (into.size() >= limits::kParameters)
      return too_many(group.field->place, "parameters of one layer", limits::kParameters);
    const std::string path = prefix + group.field->name;
    if (!std::holds_alternative<std::unique_ptr<TextMessage>>(*group.values.front().value)) {
      MO_ASSIGN(AttributeValue value, attribute_of(group.values));
      into.set(path, std::move(value));
      continue;
    }
    if (group.values.size() == 1) {
      MO_ASSIGN(const TextMessage* const inner, message_of(*group.values.front().value, *group.field));
      MO_TRY(flatten(*inner, path + ".", {}, into));
      continue;
    }
    AttributeList records;
    for (const auto& [value, field] : group.values) {
      MO_ASSIGN(const TextMessage* const inner, message_of(*value, *field));
      AttributeMap record;
      MO_TRY(flatten(*inner, "", {}, record));
      records.emplace_back(std::move(record));
    }
    into.set(path, std::move(records));
  }
  return {};
}

Expected<Net> read_net(const TextMessage& text, DiagnosticSink& sink) {
  Net net;
  MO_ASSIGN(net.name, text_field(text, "name"));
  MO_ASSIGN(net.inputs, read_net_inputs(text));
  const bool is_current = text.has("layer");
  if (is_current && text.has("layers"))
    sink.report(warning("MO-CAFFE-0013", "the net has both \"layer\" and \"layers\"; the latter are ignored")
                    .hint("remove them, or rename them"));
  std::size_t count = 0;
  bool any_data_layer = !net.inputs.empty();
  std::vector<NetInput> of_other_states;  // of the first data layer that the phase or the stage leaves out
  std::string left_out;
  MO_TRY(
      text.each(is_current ? "layer" : "layers", [&](const TextValue& value, const TextField& field) -> Expected<void> {
        if (++count > limits::kLayers) return too_many(field.place, "layers", limits::kLayers);
        MO_ASSIGN(const TextMessage* const message, message_of(value, field));
        MO_ASSIGN(const bool runs, runs_in_test_phase(*message, text));
        if (!runs && !of_other_states.empty()) return {};
        MO_ASSIGN(NetLayer layer, read_layer(*message));
        if (!is_data_layer(layer.type)) {
          if (runs) net.layers.push_back(std::move(layer));
          return {};
        }
        MO_ASSIGN(std::vector<NetInput> inputs, inputs_of_data_layer(*message, layer));
        if (!runs) {
          of_other_states = std::move(inputs);
          left_out = layer.name;
          return {};
        }
        any_data_layer = true;
        std::move(inputs.begin(), inputs.end(), std::back_inserter(net.inputs));
        return {};
      }));
  if (net.layers.empty() && (count == 0 || any_data_layer))
    return error("MO-CAFFE-0004", "the net has no layers{}", count == 0 ? "" : " that compute anything")
        .hint("check that the file is the prototxt of a net, not of a solver");
  if (!any_data_layer && !of_other_states.empty()) {
    // Nets that are only trained: all their data layers are for training or for a stage that is not named here.
    sink.report(
        warning("MO-CAFFE-0015",
                "no layer produces data in phase TEST: the inputs are those of layer '{}', which its rules leave out",
                left_out)
            .hint("specify it in the prototxt: state {{ stage: \"…\" }}, or an Input layer instead"));
    net.inputs = std::move(of_other_states);
    any_data_layer = true;
  }
  if (!any_data_layer)
    return error("MO-CAFFE-0012", "the net has no inputs")
        .hint("add one: layer {{ name: \"data\" type: \"Input\" top: \"data\" input_param {{ … }} }}");
  MO_TRY(fold_v0_padding(net.layers));
  return net;
}

}  // namespace mo::caffe
