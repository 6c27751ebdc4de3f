#include "frontends/tensorflow/graph_def/saved_model_graph.hpp"

#include <algorithm>
#include <unordered_set>

#include "frontends/common/field_record.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/graph_def_field.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/model_files.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "frontends/tensorflow/saved_model.hpp"

namespace mo::tensorflow {

using frontends::Encoding;
using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

const AttributeList& list_in(const Graph& graph, std::string_view key) {
  static const AttributeList kNone;
  const AttributeValue* const value = graph.properties.find(key);
  const AttributeList* const list = value ? value->get_if<AttributeList>() : nullptr;
  return list ? *list : kNone;
}

const std::string& text_at(const AttributeValue& entry, std::size_t part) {
  return *(*entry.get_if<AttributeList>())[part].get_if<std::string>();
}

/// "x" of "x", "x:1" and "^x".
std::string_view node_of(std::string_view tensor) {
  if (tensor.starts_with('^')) tensor.remove_prefix(1);
  return tensor.substr(0, tensor.rfind(':'));
}

std::string reference_of(const std::string& tensor) {
  return tensor.ends_with(":0") ? tensor.substr(0, tensor.size() - 2) : tensor;
}

/// The fields of a message as records, but for the one at `hole`, which is an empty record.
Expected<AttributeList> records_around(WireSource& source, const WireField& message, std::uint64_t hole) {
  AttributeList records;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.offset == hole) {
      records.emplace_back(AttributeList{});
      return {};
    }
    MO_ASSIGN(AttributeValue record, frontends::record_of(source, field));
    records.push_back(std::move(record));
    return {};
  }));
  return records;
}

/// Names that a MetaGraph says beside its graph.
class NamedNodes {
 public:
  explicit NamedNodes(WireSource& source) : source_(source) {}

  Expected<void> read(const WireField& meta_graph) {
    MO_ASSIGN(WireReader reader, message_of(source_, meta_graph));
    return reader.each([&](const WireField& field) -> Expected<void> {
      switch (field.number) {
        case meta_graph_field::kSaver:
          return read_texts(field, {saver_field::kFilename, saver_field::kSaveTensor, saver_field::kRestoreOp});
        case meta_graph_field::kCollection: return read_collection(field);
        case meta_graph_field::kSignature: return read_one_signature(field);
        case meta_graph_field::kAsset: return read_asset(field);
        default: return {};
      }
    });
  }

  AttributeList signatures;
  std::vector<std::string> loading;

 private:
  Expected<void> read_texts(const WireField& message, const std::vector<std::uint32_t>& numbers) {
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    return reader.each([&](const WireField& field) -> Expected<void> {
      if (std::find(numbers.begin(), numbers.end(), field.number) == numbers.end()) return {};
      MO_ASSIGN(const std::string name, text_of(source_, field, 64 * 1024));
      if (!name.empty()) loading.emplace_back(node_of(name));
      return {};
    });
  }

  /// Of the collections those that say what runs when the model is loaded.
  Expected<void> read_collection(const WireField& message) {
    MO_ASSIGN(const auto entry, read_entry(source_, message));
    constexpr std::string_view kRun[] = {"saved_model_main_op", "legacy_init_op", "saved_model_train_op"};
    if (!entry.second || std::find(std::begin(kRun), std::end(kRun), entry.first) == std::end(kRun)) return {};
    MO_ASSIGN(WireReader reader, message_of(source_, *entry.second));
    return reader.each([&](const WireField& field) {
      return field.number == collection_field::kNodes ? read_texts(field, {node_list_field::kValue}) : Expected<void>();
    });
  }

  Expected<void> read_asset(const WireField& message) {
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    return reader.each([&](const WireField& field) {
      return field.number == asset_field::kTensor ? read_texts(field, {tensor_info_field::kName}) : Expected<void>();
    });
  }

  /// Those that begin so say how the model is initialised and trained.
  Expected<void> read_one_signature(const WireField& message) {
    MO_ASSIGN(const auto entry, read_entry(source_, message));
    if (!entry.second) return {};
    MO_ASSIGN(const Signature signature, read_signature(source_, *entry.second));
    for (const bool is_input : {true, false})
      for (const SignatureTensor& tensor : is_input ? signature.inputs : signature.outputs) {
        if (entry.first.starts_with("__saved_model_"))
          loading.emplace_back(node_of(tensor.name));
        else
          signatures.emplace_back(AttributeList{entry.first, tensor.key, reference_of(tensor.name), is_input});
      }
    return {};
  }

  WireSource& source_;
};

Expected<std::unique_ptr<Graph>> read(const SavedModelFiles& files, const std::vector<std::string>& tags,
                                      DiagnosticSink& sink) {
  MO_ASSIGN(const std::unique_ptr<WireSource> source, open_message(files.model, TextMessage::saved_model));
  MO_ASSIGN(const MetaGraph meta, choose_meta_graph(*source, tags));
  std::optional<WireField> chosen;
  WireReader reader(*source);
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    const bool holds = field.offset <= meta.graph_def->offset &&
                       meta.graph_def->offset + meta.graph_def->size <= field.offset + field.size;
    if (field.number == saved_model_field::kMetaGraph && holds) chosen = field;
    return {};
  }));
  MO_ASSERT(chosen, "the MetaGraph is part of the SavedModel");
  MO_ASSIGN(std::unique_ptr<Graph> graph, read_graph_def_field(*source, *meta.graph_def, sink));
  MO_ASSIGN(AttributeList around, records_around(*source, whole_of(*source), chosen->offset));
  MO_ASSIGN(AttributeList inside, records_around(*source, *chosen, meta.graph_def->offset));
  NamedNodes names(*source);
  MO_TRY(names.read(*chosen));
  graph->properties.set(kept_key::kSavedModel, std::move(around));
  graph->properties.set(kept_key::kMetaGraph, std::move(inside));
  graph->properties.set(kept_key::kSignatures, std::move(names.signatures));
  graph->properties.set(kept_key::kLoading, std::move(names.loading));
  graph->properties.set(kept_key::kVariables, files.variables);
  return graph;
}

std::unordered_set<std::string> names_of_nodes(const Graph& graph) {
  std::unordered_set<std::string> names;
  for (const Node node : graph.nodes()) names.emplace(node.name());
  return names;
}

const std::vector<std::string>& loading_in(const Graph& graph) {
  static const std::vector<std::string> kNone;
  const AttributeValue* const names = graph.properties.find(kept_key::kLoading);
  return names ? *names->get_if<std::vector<std::string>>() : kNone;
}

/// Checks that all nodes that the model names exist.
Expected<void> check_names(const Graph& graph) {
  const std::unordered_set<std::string> names = names_of_nodes(graph);
  for (const AttributeValue& entry : list_in(graph, kept_key::kSignatures))
    if (!names.contains(std::string(node_of(text_at(entry, 2)))))
      return error("MO-TF-0053", "signature '{}' names the tensor '{}', which is gone", text_at(entry, 0),
                   text_at(entry, 2))
          .hint("a transform removed or renamed it: name it in --inputs or --outputs, or leave that transform out");
  for (const std::string& name : loading_in(graph))
    if (!names.contains(name))
      return error("MO-TF-0053", "the node '{}', which runs when the model is loaded or saved, is gone", name)
          .hint("a transform removed or renamed it: leave that transform out");
  return {};
}

std::vector<std::string> signature_tensors(const Graph& graph, bool inputs) {
  std::vector<std::string> tensors;
  for (const AttributeValue& entry : list_in(graph, kept_key::kSignatures)) {
    const std::string& tensor = text_at(entry, 2);
    const bool is_input = *(*entry.get_if<AttributeList>())[3].get_if<bool>();
    if (is_input == inputs && std::find(tensors.begin(), tensors.end(), tensor) == tensors.end())
      tensors.push_back(tensor);
  }
  return tensors;
}

/// Records with a message in the place of the empty one.
Encoding encode_around(const AttributeList& records, std::uint32_t number, const Encoding& inside) {
  Encoding whole;
  for (const AttributeValue& record : records) {
    if (frontends::number_of_record(record) == 0)
      whole.message(number, inside);
    else
      encode_record(record, whole);
  }
  return whole;
}

Expected<Encoding> encode_meta_graph(const Graph& graph) {
  MO_ASSIGN(const Encoding nodes, graph_def_encoding(graph));
  return encode_around(list_in(graph, kept_key::kMetaGraph), meta_graph_field::kGraphDef, nodes);
}

Expected<Encoding> encode_saved_model(const Graph& graph) {
  MO_TRY(check_names(graph));
  MO_ASSIGN(const Encoding meta, encode_meta_graph(graph));
  return encode_around(list_in(graph, kept_key::kSavedModel), saved_model_field::kMetaGraph, meta);
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_saved_model_graph(const std::string& directory,
                                                        const std::vector<std::string>& tags, DiagnosticSink& sink) {
  MO_ASSIGN(const SavedModelFiles files, find_saved_model(directory));
  auto graph = read(files, tags, sink);
  if (!graph) return std::move(graph).error().in_file(files.model);
  return graph;
}

bool is_of_saved_model(const Graph& graph) { return graph.properties.contains(kept_key::kSavedModel); }

Expected<void> write_saved_model(const Graph& graph, OutputFile& file) {
  MO_ASSIGN(const Encoding model, encode_saved_model(graph));
  return model.write(file);
}

Expected<std::string> saved_model_text(const Graph& graph) {
  MO_ASSIGN(const Encoding model, encode_saved_model(graph));
  std::string bytes;
  MO_TRY(model.append_to(bytes));
  return text_from_bytes(bytes, TextMessage::saved_model);
}

std::vector<std::string> signature_inputs(const Graph& graph) { return signature_tensors(graph, true); }
std::vector<std::string> signature_outputs(const Graph& graph) { return signature_tensors(graph, false); }

std::vector<std::string> loading_nodes(const Graph& graph) {
  const std::unordered_set<std::string> names = names_of_nodes(graph);
  std::vector<std::string> found;
  for (const std::string& name : loading_in(graph))
    if (names.contains(name) && std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
  return found;
}

Expected<std::unique_ptr<Graph>> linked_saved_model(const Graph& graph, const std::vector<Value>& outputs,
                                                    DiagnosticSink& sink) {
  MO_ASSIGN(const Encoding meta, encode_meta_graph(graph));
  std::string bytes;
  MO_TRY(meta.append_to(bytes));
  return read_meta_graph_bytes(bytes, *graph.properties.find(kept_key::kVariables)->get_if<std::string>(), sink,
                               tensors_of(outputs));
}

}  // namespace mo::tensorflow
