#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "frontends/common/characters.hpp"
#include "frontends/common/file_kind.hpp"
#include "frontends/common/message_kind.hpp"

namespace mo::frontends {
namespace {

struct FieldKind {
  std::string_view field;
  ModelKind kind;
};

/// Fields that only one of the messages has at its top level.
constexpr std::array kTopFields{
    FieldKind{"node", ModelKind::tensorflow_graph_text},
    FieldKind{"versions", ModelKind::tensorflow_graph_text},
    FieldKind{"library", ModelKind::tensorflow_graph_text},
    FieldKind{"meta_info_def", ModelKind::tensorflow_meta_graph_text},
    FieldKind{"graph_def", ModelKind::tensorflow_meta_graph_text},
    FieldKind{"saved_model_schema_version", ModelKind::saved_model_text},
    FieldKind{"meta_graphs", ModelKind::saved_model_text},
    FieldKind{"ir_version", ModelKind::onnx_text},
    FieldKind{"opset_import", ModelKind::onnx_text},
    FieldKind{"graph", ModelKind::onnx_text},
    FieldKind{"layer", ModelKind::caffe_topology},
    FieldKind{"layers", ModelKind::caffe_topology},
    FieldKind{"input_dim", ModelKind::caffe_topology},
    FieldKind{"input_shape", ModelKind::caffe_topology},
    FieldKind{"base_lr", ModelKind::caffe_solver},
    FieldKind{"train_net", ModelKind::caffe_solver},
    FieldKind{"net", ModelKind::caffe_solver},
    FieldKind{"model_checkpoint_path", ModelKind::tensorflow_checkpoint_record},
    FieldKind{"train_config", ModelKind::pipeline_config},
    FieldKind{"model", ModelKind::pipeline_config},
    FieldKind{"item", ModelKind::label_map},
};

/// The first field at the top level of protobuf text that belongs to one message only. Strings and comments are
/// skipped, values are not looked at.
ModelKind kind_of_protobuf_text(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i)
        if (text[i] == '\\') ++i;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '{' || c == '<' || c == '[') {
      ++depth;
    } else if (c == '}' || c == '>' || c == ']') {
      depth -= depth > 0 ? 1 : 0;
    } else if (is_identifier(c)) {
      const std::size_t begin = i;
      while (i + 1 < text.size() && is_identifier(text[i + 1])) ++i;
      const std::string_view word = text.substr(begin, i + 1 - begin);
      std::size_t next = i + 1;
      while (next < text.size() && is_space(text[next])) ++next;
      if (depth != 0 || next >= text.size() || (text[next] != ':' && text[next] != '{' && text[next] != '<')) continue;
      const auto row = std::ranges::find(kTopFields, word, &FieldKind::field);
      if (row != kTopFields.end()) return row->kind;
    }
  }
  return ModelKind::unknown;
}

/// A short text that begins with the number of an HTTP error ("404: Not Found") or has words of one ("access denied"),
/// or JSON with an error near its beginning.
bool is_server_answer(std::string_view text, bool is_json) {
  constexpr std::size_t kLongest = 512;
  if (text.size() > kLongest && !is_json) return false;
  std::string lower(text.substr(0, kLongest));
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const auto says = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (is_json)
    return !says("\"match_kind\"") &&
           (says("\"error\"") || says("\"errors\"") || says("\"message\"") || says("\"detail\""));
  const auto is_digit = [&](std::size_t at) { return lower[at] >= '0' && lower[at] <= '9'; };
  if (lower.size() > 4 && (lower[0] == '4' || lower[0] == '5') && is_digit(1) && is_digit(2) &&
      (lower[3] == ':' || lower[3] == ' '))
    return true;
  if (looks_like_protobuf_text(text)) return false;
  return says("not found") || says("access denied") || says("forbidden") || says("unauthorized") ||
         says("rate limit") || says("bad gateway");
}

ModelKind kind_of_json(std::string_view text) {
  const auto says = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
  if (says("\"graph-model\"") || says("\"layers-model\"") || says("\"weightsManifest\""))
    return ModelKind::tensorflow_js;
  if (says("\"op\"") && says("\"inputs\"") && (says("\"nodes\"") || says("\"arg_nodes\"")))
    return ModelKind::mxnet_symbol;
  if (says("\"base_code\"") && says("\"pir\"")) return ModelKind::paddle;
  return is_server_answer(text, true) ? ModelKind::server_answer : ModelKind::json;
}

}  // namespace

ModelKind kind_of_text(std::string_view beginning) {
  std::string_view text = beginning;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  if (text.starts_with("<?xml") && text.substr(0, 512).find("<net") != std::string_view::npos)
    return ModelKind::openvino_ir;
  if (text.starts_with("<net ") && text.find("version=") < 512) return ModelKind::openvino_ir;
  if (text.starts_with("<Nnet") || text.starts_with("<TransitionModel>")) return ModelKind::kaldi;
  if (text.starts_with("[net]") || text.starts_with("[network]")) return ModelKind::darknet;
  if (text.starts_with("7767517\n")) return ModelKind::ncnn;
  const bool is_array = text.starts_with('[') && text.find('{') < 64;  // a replacement configuration
  if ((text.starts_with('{') && text.find('"') < 64) || is_array) return kind_of_json(text);
  if (is_server_answer(text, false)) return ModelKind::server_answer;
  return looks_like_protobuf_text(text.substr(0, 512)) ? kind_of_protobuf_text(text) : ModelKind::unknown;
}

}  // namespace mo::frontends
