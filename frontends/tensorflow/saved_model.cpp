#include "frontends/tensorflow/saved_model.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/graph/model_ends.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/common/hash_map.hpp"
#include "frontends/tensorflow/data_types.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/link.hpp"
#include "frontends/tensorflow/tensor_reader.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

constexpr std::string_view kDefaultSignature = "serving_default";
constexpr std::string_view kServing = "serve";
constexpr std::size_t kMostGraphs = 10'000;

/// TensorInfo. A sparse tensor is three: indices, values, dense shape.
Expected<std::vector<SignatureTensor>> read_tensor_info(WireSource& source, const std::string& key,
                                                        const WireField& message) {
  SignatureTensor whole{key, {}, {}};
  std::vector<SignatureTensor> parts;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == tensor_info_field::kName) {
      MO_ASSIGN(whole.name, text_of(source, field, 64 * 1024));
    } else if (field.number == tensor_info_field::kDataType) {
      MO_ASSIGN(const std::int64_t type, integer_of(field));
      whole.type.element_type = element_type_of(type).value_or(ElementType::dynamic);
    } else if (field.number == tensor_info_field::kShape) {
      MO_ASSIGN(whole.type.shape, read_shape(source, field));
    } else if (field.number == tensor_info_field::kSparse) {
      MO_ASSIGN(WireReader sparse, message_of(source, field));
      return sparse.each([&](const WireField& part) -> Expected<void> {
        constexpr std::string_view kSuffixes[] = {"/values", "/indices", "/dense_shape"};
        if (part.number < sparse_info_field::kValues || part.number > sparse_info_field::kDenseShape) return {};
        MO_ASSIGN(std::string name, text_of(source, part, 64 * 1024));
        parts.push_back({key + std::string(kSuffixes[part.number - sparse_info_field::kValues]), std::move(name), {}});
        return {};
      });
    }
    return {};
  }));
  if (!whole.name.empty()) parts.push_back(std::move(whole));
  return parts;
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("'{}'", fmt::join(names, "', '"));
}

std::string listed_tags(const std::vector<MetaGraph>& graphs) {
  std::vector<std::string> all;
  for (const MetaGraph& graph : graphs) {
    if (all.size() == 20) return fmt::format("{} …", fmt::join(all, ", "));
    all.push_back(fmt::format("[{}]", fmt::join(graph.tags, ",")));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

Node find_node(const NodesByName& nodes, std::string_view tensor, std::size_t& port) {
  const std::size_t colon = tensor.rfind(':');
  port = 0;
  if (colon != std::string_view::npos)
    for (const char c : tensor.substr(colon + 1))
      port = c >= '0' && c <= '9' ? std::min<std::size_t>(port * 10 + static_cast<std::size_t>(c - '0'), limits::kPorts)
                                  : limits::kPorts;
  return nodes.find(tensor.substr(0, colon));
}

/// The call that gives all outputs, as in the models that TensorFlow 2 writes; empty when there is none.
std::string call_of_outputs(const Graph& graph) {
  Node call;
  for (const Node& result : graph.results()) {
    const Node node = result.input(0).node();
    if (!op_of(node).ends_with("PartitionedCall") || (call && call != node)) return {};
    call = node;
  }
  return call ? std::string(call.name()) : std::string();
}

}  // namespace

Expected<std::pair<std::string, std::optional<WireField>>> read_entry(WireSource& source, const WireField& message) {
  std::pair<std::string, std::optional<WireField>> pair;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == frontends::entry_field::kValue) pair.second = field;
    if (field.number != frontends::entry_field::kKey) return {};
    MO_ASSIGN(pair.first, text_of(source, field, 64 * 1024));
    return {};
  }));
  return pair;
}

Expected<Signature> read_signature(WireSource& source, const WireField& message) {
  Signature signature;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != signature_field::kInputs && field.number != signature_field::kOutputs) return {};
    MO_ASSIGN(const auto entry, read_entry(source, field));
    if (!entry.second) return {};
    MO_ASSIGN(std::vector<SignatureTensor> tensors, read_tensor_info(source, entry.first, *entry.second));
    auto& list = field.number == signature_field::kInputs ? signature.inputs : signature.outputs;
    list.insert(list.end(), tensors.begin(), tensors.end());
    return {};
  }));
  const auto by_key = [](const SignatureTensor& a, const SignatureTensor& b) { return a.key < b.key; };
  std::sort(signature.inputs.begin(), signature.inputs.end(), by_key);
  std::sort(signature.outputs.begin(), signature.outputs.end(), by_key);
  return signature;
}

Expected<MetaGraph> read_meta_graph_header(WireSource& source, const WireField& message) {
  MetaGraph meta;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case meta_graph_field::kInfo: {
        MO_ASSIGN(WireReader info, message_of(source, field));
        return info.each([&](const WireField& part) -> Expected<void> {
          if (part.number == meta_info_field::kOpList) meta.op_list = part;
          if (part.number != meta_info_field::kTags || meta.tags.size() >= 1000) return {};
          MO_ASSIGN(std::string tag, text_of(source, part, 64 * 1024));
          meta.tags.push_back(std::move(tag));
          return {};
        });
      }
      case meta_graph_field::kGraphDef: meta.graph_def = field; return {};
      case meta_graph_field::kSaver: {
        MO_ASSIGN(WireReader saver, message_of(source, field));
        return saver.each([&](const WireField& part) -> Expected<void> {
          if (part.number != saver_field::kRestoreOp) return {};
          MO_ASSIGN(meta.restore_op, text_of(source, part, 64 * 1024));
          return {};
        });
      }
      case meta_graph_field::kSignature: {
        MO_ASSIGN(auto entry, read_entry(source, field));
        // Signatures of this form say how the model is initialised and trained.
        if (!entry.second || entry.first.starts_with("__saved_model_") || meta.signatures.size() >= kMostGraphs)
          return {};
        MO_ASSIGN(Signature signature, read_signature(source, *entry.second));
        meta.signatures.emplace_back(std::move(entry.first), std::move(signature));
        return {};
      }
      case meta_graph_field::kObjectGraph: meta.object_graph = field; return {};
      default: return {};
    }
  }));
  std::sort(meta.signatures.begin(), meta.signatures.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return meta;
}

Expected<MetaGraph> choose_meta_graph(WireSource& source, const std::vector<std::string>& tags) {
  std::vector<MetaGraph> graphs;
  WireReader reader(source);
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != saved_model_field::kMetaGraph || graphs.size() >= kMostGraphs) return {};
    MO_ASSIGN(MetaGraph meta, read_meta_graph_header(source, field));
    if (meta.graph_def) graphs.push_back(std::move(meta));
    return {};
  }));
  if (graphs.empty())
    return error("MO-TF-0001", "\"{}\" has no graph", source.name())
        .hint("the file is empty, or is not a TensorFlow SavedModel");
  const auto sorted = [](std::vector<std::string> list) { return std::sort(list.begin(), list.end()), list; };
  std::vector<std::string> wanted = sorted(tags);
  if (tags.empty()) {
    if (graphs.size() == 1) return std::move(graphs.front());
    wanted = {std::string(kServing)};
  }
  const auto found =
      std::find_if(graphs.begin(), graphs.end(), [&](const MetaGraph& meta) { return sorted(meta.tags) == wanted; });
  if (found != graphs.end()) return std::move(*found);
  return error("MO-TF-0032", "the SavedModel has no graph with the tags [{}]; it has {}", fmt::join(wanted, ","),
               listed_tags(graphs))
      .hint("choose one of them with --saved_model_tags");
}

Expected<std::string> choose_signature(const MetaGraph& meta, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [name, signature] : meta.signatures) names.push_back(name);
  const auto has = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (!wanted.empty()) {
    if (has(wanted)) return wanted;
    return error("MO-TF-0033", "the model has no signature '{}'; it has {}", wanted, listed(names))
        .hint("choose one of them with --saved_model_signature");
  }
  if (has(kDefaultSignature)) return std::string(kDefaultSignature);
  if (names.size() == 1) return names.front();
  if (names.empty()) return std::string();
  return error("MO-TF-0033", "the model has several signatures: {}", listed(names))
      .hint("choose one of them with --saved_model_signature");
}

Expected<void> apply_signature(ModelState& model, Graph& graph, const MetaGraph& meta, const std::string& name) {
  MO_TRY(choose_signature(meta, name));
  const auto found =
      std::find_if(meta.signatures.begin(), meta.signatures.end(), [&](const auto& s) { return s.first == name; });
  const Signature& signature = found->second;
  const NodesByName nodes(graph);
  std::vector<Node> ordered;
  frontends::HashSet<NodeId> is_ordered;
  const auto put = [&](const Node& parameter) {
    if (is_ordered.insert(parameter.id()).second) ordered.push_back(parameter);
  };
  for (const SignatureTensor& input : signature.inputs) {
    std::size_t port = 0;
    const Node node = find_node(nodes, input.name, port);
    if (!node || port >= node.out_port_count())
      return error("MO-TF-0006", "there is no tensor '{}', which is input '{}' of signature '{}'", input.name,
                   input.key, name)
          .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
    Node parameter = node;
    if (!node.is<Parameter>()) {
      // The signature feeds a tensor that the graph would compute (or has a default for): it is cut there.
      const bool whole_node = node.out_port_count() == 1;
      parameter =
          graph.create_parameter(input.type, whole_node ? std::string(node.name())
                                                        : fmt::format("{}/placeholder_out_port_{}", node.name(), port));
      parameter.set_origin({.framework = "TensorFlow", .part = "input of a signature"});
      parameter.add_source(node.name());
      parameter.out_port(0).data().add_tensor_name(fmt::format("{}:{}", node.name(), port));
      for (const InPort& reader : node.out_port(port).get_destinations()) MO_TRY(reader.connect(parameter.out_port(0)));
    } else if (auto* op = parameter.as<Parameter>()) {
      // Both say what they know of the shape.
      if (op->element_type == ElementType::dynamic) op->element_type = input.type.element_type;
      if (const auto merged = op->shape.merge(input.type.shape); merged && input.type.shape.has_rank())
        op->shape = *merged;
      parameter.out_port(0).data().set_type({op->element_type, op->shape});
    }
    parameter.out_port(0).data().add_tensor_name(input.key);
    set_public_name(parameter, input.key);
    put(parameter);
  }
  for (const Node& parameter : graph.parameters()) put(parameter);
  graph.reorder_parameters(ordered);
  std::vector<TensorOfModel> tensors;
  std::vector<std::string> keys;
  for (const SignatureTensor& output : signature.outputs) {
    tensors.push_back(tensor_of_text(output.name));
    keys.push_back(output.key);
  }
  MO_TRY(add_results(graph, tensors, keys));
  model.has_signature = true;
  model.signature_call = call_of_outputs(graph);
  if (model.signature_call.empty()) return {};
  // TensorFlow 2: a placeholder of the graph stands for an argument of the function, which is called like the input.
  for (const Node& parameter : graph.parameters())
    if (const std::string_view key = public_name(parameter); !key.empty() && !nodes.find(key)) parameter.set_name(key);
  return {};
}

Expected<void> read_ops(ModelState& model, const MetaGraph& meta) {
  return meta.op_list ? model.read_op_list(*meta.op_list) : Expected<void>();
}

}  // namespace mo::tensorflow
