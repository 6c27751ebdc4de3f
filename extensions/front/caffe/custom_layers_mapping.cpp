#include "extensions/front/caffe/custom_layers_mapping.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <pugixml.hpp>

#include "core/files/file.hpp"
#include "core/op/infer_context.hpp"
#include "core/pass/pass.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/custom_operation.hpp"

namespace mo::front::caffe {
namespace {

constexpr std::uint64_t kMaxFile = std::uint64_t{1} << 24;
constexpr std::size_t kListed = 20;
/// The op set that the original gives to custom layers.
constexpr std::string_view kCustomOpset = "extension";

/// One entry of the mapping: which layers become custom ops, and which of their parameters come along.
struct CustomLayer {
  std::string parameters;  ///< "my_param"; empty: none
  bool keeps_shape = false;
};
using Mapping = std::map<std::string, CustomLayer>;  // by type in lower case

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return made;
}

// -- the file ---------------------------------------------------------------------------------------------------------

class MappingReader {
 public:
  explicit MappingReader(const std::string& path) : path_(path) {}

  Expected<Mapping> read() {
    MO_ASSIGN(const FilePtr file, File::open(path_));
    if (file->size() > kMaxFile)
      return error("MO-CAFFE-0040", "\"{}\" has {} bytes, at most {} are read", path_, file->size(), kMaxFile)
          .hint("give a CustomLayersMapping.xml");
    text_.resize(static_cast<std::size_t>(file->size()));
    MO_TRY(file->read(0, std::as_writable_bytes(std::span(text_))));
    pugi::xml_document xml;
    // The document type is asked for only in order to refuse it: pugixml expands the five entities of XML and no
    // others.
    const pugi::xml_parse_result result =
        xml.load_buffer(text_.data(), text_.size(), pugi::parse_default | pugi::parse_doctype);
    if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!result)
      return error("MO-CAFFE-0040", "\"{}\" is not well-formed XML: {} in line {}", path_, result.description(),
                   line_of(result.offset))
          .hint("give a CustomLayersMapping.xml");
    for (const pugi::xml_node& child : xml.children())
      if (child.type() == pugi::node_doctype)
        return error("MO-CAFFE-0041", "\"{}\" declares a document type", path_)
            .hint("remove it: entities and external files are not read");
    for (const pugi::xml_node& entry : xml.document_element().children())
      if (entry.type() == pugi::node_element) add(entry);
    if (!problems_.empty()) return Error(std::move(problems_));
    return std::move(mapping_);
  }

 private:
  std::size_t line_of(std::ptrdiff_t offset) const {
    const auto end = std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text_.size()));
    return 1 + static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + end, '\n'));
  }

  template <class... Args>
  void bad(const pugi::xml_node& entry, fmt::format_string<Args...> text, Args&&... args) {
    if (problems_.size() < kListed)
      problems_.push_back(
          error("MO-CAFFE-0042", "\"{}\" line {}: {}", path_, line_of(entry.offset_debug()),
                fmt::format(text, std::forward<Args>(args)...))
              .hint("an entry is <CustomLayer NativeType=\"Type\" hasParam=\"true\" protoParamName=\"type_param\"/>"));
  }

  void add(const pugi::xml_node& entry) {
    if (std::string_view(entry.name()) != "CustomLayer")
      return bad(entry, "<{}> is not a CustomLayer", std::string_view(entry.name()).substr(0, 80));
    const std::string type = lower(entry.attribute("NativeType").value());
    if (type.empty()) return bad(entry, "the attribute NativeType is missing");
    const std::string has_parameters = lower(entry.attribute("hasParam").value());
    if (has_parameters != "true" && has_parameters != "false")
      return bad(entry, "the attribute hasParam is \"{}\", not true or false", has_parameters);
    CustomLayer layer;
    if (has_parameters == "true") {
      layer.parameters = entry.attribute("protoParamName").value();
      if (layer.parameters.empty())
        return bad(entry, "the attribute protoParamName is missing although hasParam is true");
    }
    const std::string shape = lower(entry.attribute("outputShape").value());
    if (!shape.empty() && shape != "input" && shape != "unknown")
      return bad(entry, "the attribute outputShape is \"{}\", not input or unknown", shape);
    layer.keeps_shape = shape == "input";
    if (!mapping_.emplace(type, std::move(layer)).second)
      bad(entry, "{} is described twice", entry.attribute("NativeType").value());
  }

  const std::string& path_;
  std::string text_;
  Mapping mapping_;
  std::vector<Diagnostic> problems_;
};

// -- the op -----------------------------------------------------------------------------------------------------------

ElementType element_type(const InferContext& ctx) {
  const ElementType type = ctx.input_count() > 0 ? ctx.input_element_type(0) : ElementType::f32;
  return type == ElementType::dynamic ? ElementType::f32 : type;
}

/// Output types of custom layers: the shape of the first input, or an unknown one.
std::shared_ptr<const ops::CustomRules> shape_rules(bool keeps_shape) {
  ops::CustomRules rules;
  rules.infer = [keeps_shape](const AttributeMap&, InferContext& ctx) -> Expected<void> {
    const PartialShape shape = keeps_shape && ctx.input_count() > 0 ? ctx.input_shape(0) : PartialShape();
    for (std::size_t i = 0; i < ctx.output_count(); ++i) ctx.output(i, element_type(ctx), shape);
    return {};
  };
  return std::make_shared<const ops::CustomRules>(std::move(rules));
}

/// What the original writes: flags as 0 and 1, lists without blanks.
std::string attribute_text(const AttributeValue& value) {
  const auto joined = [](const auto& list, auto&& to_text) {
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ",") + to_text(item);
    return text;
  };
  const auto real = [](double number) {
    if (std::isnan(number)) return std::string("nan");
    return std::isinf(number) ? std::string(number < 0 ? "-inf" : "inf") : shortest_real(number);
  };
  if (const auto* flag = value.get_if<bool>()) return *flag ? "1" : "0";
  if (const auto* number = value.get_if<std::int64_t>()) return std::to_string(*number);
  if (const auto* number = value.get_if<double>()) return real(*number);
  if (const auto* text = value.get_if<std::string>()) return *text;
  if (const auto* list = value.get_if<std::vector<std::int64_t>>())
    return joined(*list, [](std::int64_t v) { return std::to_string(v); });
  if (const auto* list = value.get_if<std::vector<double>>()) return joined(*list, real);
  if (const auto* list = value.get_if<std::vector<std::string>>())
    return joined(*list, [](const std::string& v) { return v; });
  return {};
}

/// Puts the parameters of layers into their custom ops.
class Converter {
 public:
  Converter(PassContext& context, const Mapping& mapping)
      : context_(context),
        mapping_(mapping),
        flattens_(context.settings.get<CustomLayerSettings>().flattens_nested_params) {}

  bool convert(const Node& node) {
    constexpr std::string_view kPrefix = "caffe::";
    if (!node.op_type().dynamic || !node.type().starts_with(kPrefix)) return false;
    const std::string type(node.type().substr(kPrefix.size()));
    const auto found = mapping_.find(lower(type));
    if (found == mapping_.end()) return false;
    AttributeMap made;
    const std::string prefix = found->second.parameters + ".";
    if (!found->second.parameters.empty())
      for (const AttributeMap::Item& item : node.attributes())
        if (item.name.starts_with(prefix)) add(node, item.name.substr(prefix.size()), item.value, made);
    node.set_op(ops::custom_operation({.type = type,
                                       .op_set = std::string(kCustomOpset),
                                       .attributes = std::move(made),
                                       .body = std::nullopt,
                                       .rules = found->second.keeps_shape ? keeping_ : unknown_}));
    return true;
  }

 private:
  /// Nested messages: merged flat, or with the names of the messages around them.
  std::string name_of(std::string_view path) const {
    if (!flattens_)
      return std::string(path.substr(path.rfind('.') == std::string_view::npos ? 0 : path.rfind('.') + 1));
    std::string name;
    for (const char c : path) name += c == '.' ? std::string("__") : std::string(1, c);
    return name;
  }

  void add(const Node& node, const std::string& path, const AttributeValue& value, AttributeMap& made) {
    if (const auto* records = value.get_if<AttributeList>()) {
      for (const AttributeValue& record : *records)
        if (const AttributeMap* map = record.map())
          for (const AttributeMap::Item& item : *map) add(node, path + "." + item.name, item.value, made);
      return;
    }
    std::string name = name_of(path);
    if (name == "type" || name == "version") {
      context_.diagnostics.report(
          node.warning("MO-CAFFE-0046",
                       "the parameter {} becomes the attribute {}_1: the IR has another use for its name", name, name)
              .hint("read it by that name in the implementation of the layer"));
      name += "_1";
    }
    if (made.contains(name))
      context_.diagnostics.report(
          node.warning("MO-CAFFE-0044", "there are several parameters called {}, the last one stays", name)
              .hint("--enable_flattening_nested_params gives them the names of their messages"));
    made.set(name, attribute_text(value));
  }

  PassContext& context_;
  const Mapping& mapping_;
  bool flattens_;
  std::shared_ptr<const ops::CustomRules> keeping_ = shape_rules(true);
  std::shared_ptr<const ops::CustomRules> unknown_ = shape_rules(false);
};

}  // namespace

/// A layer whose type the user's mapping lists -> a custom op of that type, its parameters as attributes, its weights
/// as inputs. Comes before every extractor: the mapping wins over extensions and built-in layers.
void register_custom_layers_mapping(PassRegistry& registry) {
  registry.add(graph_pass("CustomLayersMapping")
                   .phase(Phase::extraction)
                   .run_before({"Extraction"})
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     const auto& settings = context.settings.get<CustomLayerSettings>();
                     if (settings.mapping.empty()) return false;
                     MO_ASSIGN(const Mapping mapping, MappingReader(settings.mapping).read());
                     if (settings.keeps_optional_params && !mapping.empty())
                       context.diagnostics.report(
                           warning("MO-CAFFE-0045",
                                   "--disable_omitting_optional has no effect: without the schema of the custom layers "
                                   "only the parameters "
                                   "that the prototxt gives are known")
                               .hint("write the parameters that the layer needs into the prototxt"));
                     Converter converter(context, mapping);
                     bool changed = false;
                     for (const Node node : graph.nodes()) changed = converter.convert(node) || changed;
                     return changed;
                   }));
}

}  // namespace mo::front::caffe
