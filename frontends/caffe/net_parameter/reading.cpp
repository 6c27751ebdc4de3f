#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/support/budget.hpp"
#include "frontends/caffe/blob_reader.hpp"
#include "frontends/caffe/fields.hpp"
#include "frontends/caffe/graph_builder.hpp"
#include "frontends/caffe/layer.hpp"
#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/caffe/net_parameter/net_parameter.hpp"
#include "frontends/caffe/net_parameter/stored_records.hpp"
#include "frontends/caffe/net_parameter/written_net.hpp"
#include "frontends/caffe/reader.hpp"
#include "frontends/common/field_record.hpp"

namespace mo::caffe {
namespace {

class NetParameterReader {
 public:
  NetParameterReader(WrittenNet& net, WeightFile* stored) : net_(net), layers_(net.layers), stored_(stored) {}

  Expected<std::unique_ptr<Graph>> read() {
    if (layers_.empty())
      return error("MO-CAFFE-0004", "the net has no layers")
          .hint("check that the file is the prototxt of a net, not of a solver");
    graph_->name = net_.name;
    graph_->properties.set(kept_key::kForm, static_cast<std::int64_t>(net_.form));
    graph_->properties.set(kept_key::kEnd, net_.end);
    match_weights();
    MO_TRY(add_net_inputs());
    count_named_weights();
    for (const WrittenLayer& layer : layers_) MO_TRY(add_layer(layer));
    add_other_text();
    MO_TRY(add_stored());
    graph_->properties.set(kept_key::kBlobNames, std::move(blob_names_));
    return std::move(graph_);
  }

 private:
  // -- text -----------------------------------------------------------------------------------------------------------

  void add_other_text() {
    AttributeList list;
    for (WrittenField& other : net_.others) {
      const std::string& anchor = other.layers_before == 0 ? std::string() : layer_names_[other.layers_before - 1];
      list.emplace_back(AttributeList{std::move(other.name), std::move(other.before), std::move(other.field), anchor});
    }
    graph_->properties.set(kept_key::kNetText, std::move(list));
  }

  // -- weights --------------------------------------------------------------------------------------------------------

  /// Which layer of the .caffemodel belongs to which of the prototxt: by name, and of several of one name to the first
  /// that runs.
  void match_weights() {
    stored_of_.assign(layers_.size(), std::nullopt);
    if (!stored_) return;
    is_matched_.assign(stored_->layers().size(), false);
    for (const bool runs : {true, false})
      for (std::size_t i = 0; i < layers_.size(); ++i) {
        if (layers_[i].runs != runs) continue;
        const StoredLayer* const found = stored_->find(layers_[i].layer.name);
        const auto place = static_cast<std::size_t>(found ? found - stored_->layers().data() : 0);
        if (!found || is_matched_[place]) continue;
        is_matched_[place] = true;
        stored_of_[i] = place;
      }
  }

  Expected<void> add_constant(const Tensor& value, AttributeList kept, const std::string& layer,
                              std::vector<Value>& inputs, std::size_t index) {
    AttributeMap attributes{{"dtype", value.element_type()}, {"value", value}};
    kept.insert(kept.begin(), value);
    attributes.set(kept_key::kBlob, std::move(kept));
    MO_ASSIGN(const Node node, create("Const", std::move(attributes), {}, 1, blob_name(layer, index)));
    inputs.push_back(node.output());
    return {};
  }

  Expected<void> add_blobs(const WrittenLayer& layer, std::optional<std::size_t> stored, const std::string& name,
                           std::vector<Value>& inputs) {
    const std::size_t first = inputs.size();
    const auto owner = [&](std::size_t i) { return fmt::format("blob {} of layer '{}'", i, layer.layer.name); };
    if (stored && !stored_->layers()[*stored].blobs.empty()) {
      const std::vector<frontends::WireField>& blobs = stored_->layers()[*stored].blobs;
      for (std::size_t i = 0; i < blobs.size(); ++i) {
        MO_ASSIGN(const Tensor value, read_blob(stored_->source(), blobs[i], owner(i)));
        MO_ASSIGN(AttributeList kept, records_of_blob(*stored_, blobs[i]));
        MO_TRY(add_constant(value, std::move(kept), name, inputs, i));
      }
    } else {
      for (std::size_t i = 0; i < layer.layer.blobs.size(); ++i) {
        MO_ASSIGN(const Tensor value, read_blob(*layer.layer.blobs[i], owner(i)));
        MO_TRY(add_constant(value, {}, name, inputs, i));
      }
    }
    // Caffe: layers that give the same name to a parameter share it; the first one owns it.
    for (std::size_t i = 0; i < layer.layer.shared.size(); ++i) {
      if (layer.layer.shared[i].empty()) continue;
      const std::size_t at = first + i;
      if (at < inputs.size())
        shared_.emplace(layer.layer.shared[i], inputs[at]);
      else if (const auto found = shared_.find(layer.layer.shared[i]); at == inputs.size() && found != shared_.end())
        inputs.push_back(found->second);
    }
    return {};
  }

  /// Exporters name all weights, which shares none of them: a name does where it occurs again, in a layer that does not
  /// run as well.
  void count_named_weights() {
    for (const WrittenLayer& layer : layers_)
      for (const std::string& parameter : layer.layer.shared)
        if (!parameter.empty()) ++uses_of_[parameter];
  }

  /// Layers that only the .caffemodel has.
  Expected<void> add_stored() {
    if (!stored_) return {};
    frontends::WireSource& source = stored_->source();
    MO_ASSIGN(AttributeList fields,
              frontends::records_but(source, whole_of(source), {net_field::kV1Layers, net_field::kLayer}));
    graph_->properties.set(kept_key::kStoredNet, std::move(fields));
    for (std::size_t i = 0; i < is_matched_.size(); ++i) {
      if (is_matched_[i]) continue;
      const std::string& given = stored_->layers()[i].name;
      MO_ASSIGN(LayerRecords layer, records_of_layer(*stored_, i));
      const std::string type = "caffe::" + (layer.type.empty() ? "Layer" : layer.type);
      const std::string name = free_name(given);
      AttributeMap attributes;
      attributes.set(kept_key::kLayer, AttributeList{name, given, type});
      attributes.set(kept_key::kStored, std::move(layer.kept));
      graph_->create_node(Op(type, std::move(attributes)), {}, 0, name);
    }
    return {};
  }

  // -- nodes ----------------------------------------------------------------------------------------------------------

  std::string free_name(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 1; !names_.insert(name).second; ++i) name = fmt::format("{}@{}", wanted, i);
    return name;
  }

  Expected<Node> create(const std::string& type, AttributeMap attributes, const std::vector<Value>& inputs,
                        std::size_t outputs, const std::string& name) {
    MO_TRY(spend(work::kReadNode));
    return graph_->create_node(Op("caffe::" + type, std::move(attributes)), inputs, outputs, name);
  }

  Expected<void> add_net_inputs() {
    MO_ASSIGN(const std::vector<NetInput> inputs, read_net_inputs(net_.message));
    std::vector<std::string> listed;
    for (const NetInput& input : inputs) {
      AttributeMap attributes{{"dtype", ElementType::f32}, {"shape", input.shape}};
      attributes.set(kept_key::kNetInput, true);
      attributes.set(kept_key::kTops, std::vector<std::string>{input.blob});
      MO_ASSIGN(const Node node, create("Placeholder", std::move(attributes), {}, 1, free_name(input.name)));
      MO_TRY(declare(input.blob, node.output(), false, input.place));
      listed.emplace_back(node.name());
      blob_names_.emplace_back(AttributeList{node.name(), std::vector<std::string>{input.blob}});
    }
    graph_->properties.set(kept_key::kNetInputs, std::move(listed));
    return {};
  }

  Expected<std::vector<Value>> bottoms_of(const WrittenLayer& layer) {
    std::vector<Value> bottoms;
    for (const std::string& blob : layer.layer.bottoms) {
      const auto running = producers_.find(blob);
      const auto skipped = skipped_producers_.find(blob);
      const bool takes_skipped = skipped != skipped_producers_.end() && (!layer.runs || running == producers_.end());
      if (takes_skipped) {
        bottoms.push_back(skipped->second);
      } else if (running != producers_.end()) {
        bottoms.push_back(running->second);
      } else if (layer.runs) {
        std::vector<std::string> known;
        for (const auto& [name, value] : producers_) known.push_back(name);
        return unknown_blob(layer.layer, blob, known);
      } else {
        bottoms.emplace_back();
      }
    }
    return bottoms;
  }

  Expected<void> declare(const std::string& blob, const Value& value, bool in_place, TextPlace place) {
    const auto [at, is_new] = producers_.try_emplace(blob, value);
    if (!is_new && !in_place) return produced_twice(place, blob, at->second.node().name(), value.node().name());
    at->second = value;
    return {};
  }

  Expected<AttributeMap> attributes_of(const WrittenLayer& layer) {
    const bool is_input = layer.runs && is_data_layer(layer.layer.type);
    if (!is_input) {
      AttributeMap attributes = layer.layer.parameters;
      attributes.set(kept_key::kParameters, layer.layer.parameters);
      return attributes;
    }
    MO_ASSIGN(const std::vector<NetInput> inputs, inputs_of_data_layer(*layer.message, layer.layer));
    return AttributeMap{{"dtype", ElementType::f32}, {"shape", inputs.front().shape}};
  }

  static std::vector<std::int64_t> in_place_of(const NetLayer& layer) {
    std::vector<std::int64_t> pairs;
    for (std::size_t top = 0; top < layer.tops.size(); ++top) {
      const auto found = std::find(layer.bottoms.begin(), layer.bottoms.end(), layer.tops[top]);
      if (found == layer.bottoms.end()) continue;
      pairs.push_back(static_cast<std::int64_t>(top));
      pairs.push_back(found - layer.bottoms.begin());
    }
    return pairs;
  }

  Expected<void> add_layer(const WrittenLayer& written) {
    const NetLayer& layer = written.layer;
    const std::optional<std::size_t> stored = stored_of_[layer_names_.size()];
    const std::string name = free_name(layer.name);
    layer_names_.push_back(name);
    MO_ASSIGN(std::vector<Value> inputs, bottoms_of(written));
    MO_TRY(add_blobs(written, stored, name, inputs));
    MO_ASSIGN(AttributeMap attributes, attributes_of(written));
    const bool is_input = written.runs && is_data_layer(layer.type);
    const std::string type = is_input ? "Placeholder" : layer.type;
    attributes.set(kept_key::kLayer, AttributeList{name, layer.name, "caffe::" + type});
    attributes.set(kept_key::kText, AttributeList{written.before, written.field});
    attributes.set(kept_key::kBottoms, layer.bottoms);
    attributes.set(kept_key::kTops, layer.tops);
    if (auto pairs = in_place_of(layer); !pairs.empty()) attributes.set(kept_key::kInPlace, std::move(pairs));
    if (std::any_of(layer.shared.begin(), layer.shared.end(),
                    [&](const std::string& parameter) { return uses_of_[parameter] > 1; }))
      attributes.set(kept_key::kShared, true);
    if (!written.runs) attributes.set(kept_key::kSkipped, true);
    if (stored) {
      MO_ASSIGN(LayerRecords records, records_of_layer(*stored_, *stored));
      attributes.set(kept_key::kStored, std::move(records.kept));
    }
    MO_ASSIGN(const Node node, create(type, std::move(attributes), inputs, layer.tops.size(), name));
    blob_names_.emplace_back(AttributeList{name, layer.tops});
    const std::unordered_set<std::string> read(layer.bottoms.begin(), layer.bottoms.end());
    std::unordered_set<std::string> tops;
    for (std::size_t i = 0; i < layer.tops.size(); ++i) {
      const std::string& top = layer.tops[i];
      if (!tops.insert(top).second) return produced_twice(layer.place, top, name, name);
      if (written.runs)
        MO_TRY(declare(top, node.output(i), read.contains(top), layer.place));
      else
        skipped_producers_[top] = node.output(i);
    }
    return {};
  }

  WrittenNet& net_;
  const std::vector<WrittenLayer>& layers_;
  WeightFile* stored_;
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  std::vector<std::optional<std::size_t>> stored_of_;  ///< for each of `layers_`
  std::vector<bool> is_matched_;                       ///< for each layer of the .caffemodel
  std::vector<std::string> layer_names_;               ///< of the nodes of `layers_`
  std::map<std::string, std::size_t> uses_of_;         ///< how often a name of weights occurs
  std::unordered_set<std::string> names_;
  std::map<std::string, Value> producers_;
  std::map<std::string, Value> skipped_producers_;  ///< of layers that do not run
  std::map<std::string, Value> shared_;
  AttributeList blob_names_;
};

Expected<std::unique_ptr<Graph>> read(std::string_view text, WeightFile* stored) {
  MO_ASSIGN(const std::unique_ptr<WrittenNet> net, WrittenNet::read(text));
  return NetParameterReader(*net, stored).read();
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_net_parameter(const std::string& topology, const std::string& weights) {
  std::unique_ptr<WeightFile> stored;
  if (!weights.empty()) {
    auto opened = WeightFile::open(weights);
    if (!opened) return std::move(opened).error().in_file(weights);
    stored = *std::move(opened);
  }
  MO_ASSIGN(const std::string text, read_topology(topology));
  auto graph = read(text, stored.get());
  if (!graph) return std::move(graph).error().in_file(topology);
  return graph;
}

Expected<std::unique_ptr<Graph>> read_net_parameter_bytes(std::string_view topology, std::string_view weights) {
  std::unique_ptr<WeightFile> stored;
  if (!weights.empty()) { MO_ASSIGN(stored, WeightFile::from_bytes(weights, "the weights in memory")); }
  return read(topology, stored.get());
}

}  // namespace mo::caffe
