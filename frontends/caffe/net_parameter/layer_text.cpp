#include "frontends/caffe/net_parameter/layer_text.hpp"

#include <algorithm>

#include "core/proto_text/printing.hpp"
#include "frontends/caffe/net_parameter/text_edits.hpp"
#include "frontends/caffe/upgrade.hpp"
#include "frontends/common/wire.hpp"

namespace mo::caffe {
namespace {

Diagnostic not_in_form(const Node& node, std::string_view what) {
  return node.error("MO-CAFFE-0061", "the old form of the net cannot represent {}", what)
      .hint("leave that transform out, or upgrade the net first with Caffe's upgrade_net_proto_text");
}

TextValue dimension_value(const Dimension& dimension) {
  return dimension.is_known() ? dimension.value() : std::int64_t{-1};
}

std::unique_ptr<TextMessage> shape_message(const PartialShape& shape) {
  auto message = std::make_unique<TextMessage>();
  for (const Dimension& dimension : shape.dims()) add_value(*message, "dim", dimension_value(dimension));
  return message;
}

const PartialShape* shape_of_input(const Node& node) {
  const AttributeValue* const given = node.find_attribute("shape");
  const PartialShape* const shape = given ? given->get_if<PartialShape>() : nullptr;
  return shape && shape->has_rank() ? shape : nullptr;
}

Expected<std::unique_ptr<TextMessage>> blob_message(const Node& constant) {
  const std::optional<Tensor> value = constant.attr<Tensor>("value");
  if (!value || value->element_type() != ElementType::f32)
    return constant.error("MO-CAFFE-0061", "weights of a Caffe net are floats of 32 bits")
        .hint("leave out the transform that created others");
  MO_ASSIGN(const Tensor loaded, value->load());
  auto message = std::make_unique<TextMessage>();
  add_value(*message, "shape", shape_message(PartialShape(loaded.shape())));
  for (const float number : loaded.values<float>()) add_value(*message, "data", frontends::as_written(number));
  return message;
}

/// Brings the text of one layer up to date.
class LayerEdit {
 public:
  LayerEdit(const Node& node, TextMessage& message, Form form)
      : node_(node), message_(message), inner_(form == Form::v0 ? inner_layer(message) : message), form_(form) {}

  Expected<void> apply(const BlobNames& names) {
    MO_ASSIGN(const std::vector<std::string> bottoms, bottoms_of(node_, names));
    if (layer_name(node_) != name_as_read()) set(inner_, "name", {layer_name(node_)});
    if (!has_type_as_read(node_)) MO_TRY(set_type());
    if (bottoms != kept_names(node_, kept_key::kBottoms)) set(message_, "bottom", bottoms);
    if (const auto tops = tops_of(node_, names); tops != kept_names(node_, kept_key::kTops)) set(message_, "top", tops);
    for (const ParameterChange& change : changed_parameters(node_)) MO_TRY(set_parameter(change));
    return set_blobs();
  }
  bool is_changed() const { return is_changed_; }

 private:
  static TextMessage& inner_layer(TextMessage& message) {
    TextMessage* const inner = last_message(message, "layer");
    return inner ? *inner : message;
  }
  std::string name_as_read() const {
    const AttributeList* const kept = kept_list(node_.find_attribute(kept_key::kLayer));
    return kept ? *(*kept)[1].get_if<std::string>() : std::string();
  }

  void set(TextMessage& message, std::string_view name, const std::vector<std::string>& texts) {
    std::vector<TextValue> values(texts.begin(), texts.end());
    set_values(message, name, std::move(values));
    is_changed_ = true;
  }

  Expected<void> set_type() {
    const std::string type = layer_type(node_);
    is_changed_ = true;
    if (form_ == Form::current) return set(inner_, "type", {type}), Expected<void>();
    const auto old = form_ == Form::v1 ? v1_enumerator_of(type) : v0_type_of(type);
    if (!old) return not_in_form(node_, fmt::format("a layer of type {}", type));
    std::vector<TextValue> values;
    if (form_ == Form::v1)
      values.emplace_back(Word{std::string(*old)});
    else
      values.emplace_back(std::string(*old));
    set_values(inner_, "type", std::move(values));
    return {};
  }

  Expected<void> set_parameter(const ParameterChange& change) {
    std::string path = change.path;
    if (form_ == Form::v0) {
      const auto old = v0_parameter_of(layer_type(node_), path);
      if (!old) return not_in_form(node_, "the parameter " + path);
      path = *old;
    }
    is_changed_ = true;
    if (!change.value) return erase_path(inner_, path), Expected<void>();
    std::optional<std::vector<TextValue>> values = text_values(*change.value);
    if (!values)
      return node_
          .error("MO-CAFFE-0061", "parameter {} holds {}, which a prototxt cannot represent", path,
                 change.value->kind_name())
          .hint("a transform created it: leave that transform out");
    set_path(inner_, path, *std::move(values));
    return {};
  }

  /// Weights that stand in the text.
  Expected<void> set_blobs() {
    const std::size_t count = value_count(inner_, "blobs");
    std::vector<Node> weights = weights_of(node_);
    const bool is_of_text = count > 0 && std::all_of(weights.begin(), weights.end(), [](const Node& constant) {
                              const AttributeList* const kept = kept_list(constant.find_attribute(kept_key::kBlob));
                              return !kept || kept->size() == 1;
                            });
    if (!is_of_text) return {};
    if (node_.has_attr(kept_key::kShared)) weights.resize(std::min(weights.size(), count));
    if (weights.size() == count && std::all_of(weights.begin(), weights.end(), is_blob_as_read)) return {};
    std::vector<TextValue> values;
    for (const Node& constant : weights) {
      MO_ASSIGN(std::unique_ptr<TextMessage> blob, blob_message(constant));
      values.emplace_back(std::move(blob));
    }
    set_values(inner_, "blobs", std::move(values));
    is_changed_ = true;
    return {};
  }

  const Node& node_;
  TextMessage& message_;
  TextMessage& inner_;  ///< of name, type, parameters and weights
  Form form_;
  bool is_changed_ = false;
};

/// A layer that a transform made.
Expected<std::string> new_layer_text(const Node& node, const BlobNames& names, Form form) {
  auto message = std::make_unique<TextMessage>();
  if (layer_type(node) == "Placeholder") {
    add_value(*message, "name", std::string(node.name()));
    add_value(*message, "type", std::string("Input"));
    for (const std::string& top : tops_of(node, names)) add_value(*message, "top", top);
    if (const PartialShape* const shape = shape_of_input(node)) {
      auto input = std::make_unique<TextMessage>();
      add_value(*input, "shape", shape_message(*shape));
      add_value(*message, "input_param", std::move(input));
    }
  } else {
    LayerEdit edit(node, *message, form == Form::v0 ? Form::v1 : form);
    MO_TRY(edit.apply(names));
  }
  return "\n" + proto_text::print(form == Form::current ? "layer" : "layers", TextValue(std::move(message)));
}

}  // namespace

Expected<std::string> layer_text(const Node& node, const BlobNames& names, Form form) {
  const AttributeList* const kept = kept_list(node.find_attribute(kept_key::kText));
  if (!kept) return new_layer_text(node, names, form);
  const std::string& before = *(*kept)[0].get_if<std::string>();
  const std::string& field = *(*kept)[1].get_if<std::string>();
  MO_ASSIGN(TextMessage text, parse_prototxt(field));
  TextField& written = text.fields.front();
  TextMessage& message = *std::get<std::unique_ptr<TextMessage>>(written.values.front());
  const Form own = written.name == "layer" ? Form::current : message.has("layer") ? Form::v0 : Form::v1;
  LayerEdit edit(node, message, own);
  MO_TRY(edit.apply(names));
  if (!edit.is_changed()) return before + field;
  std::string changed = proto_text::print(written.name, written.values.front());
  changed.pop_back();  // the end of the line stands before the next field
  return before + changed;
}

Expected<std::string> net_input_text(const Node& node, const BlobNames& names) {
  const PartialShape* const shape = shape_of_input(node);
  if (!shape)
    return node.error("MO-CAFFE-0061", "the input has no shape").hint("give one: strip_unused_nodes(shape=…)");
  return proto_text::print("input", TextValue(names.of(node.output()))) +
         proto_text::print("input_shape", TextValue(shape_message(*shape)));
}

}  // namespace mo::caffe
