#include "frontends/caffe/graph_builder.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "core/support/budget.hpp"
#include "core/support/nearest.hpp"
#include "frontends/caffe/blob_reader.hpp"
#include "frontends/caffe/layer.hpp"

namespace mo::caffe {
namespace {

/// Layers that compare a prediction with what is right, and the first bottom of theirs that is what is right. They are
/// not there for inference.
struct Measure {
  std::string_view type;
  std::size_t first_label;
};
constexpr std::array kMeasures = {
    Measure{"Accuracy", 1},
    Measure{"SoftmaxWithLoss", 1},
    Measure{"SigmoidCrossEntropyLoss", 1},
    Measure{"HingeLoss", 1},
    Measure{"InfogainLoss", 1},
    Measure{"EuclideanLoss", 1},
    Measure{"MultinomialLogisticLoss", 1},
    Measure{"ContrastiveLoss", 2},
    Measure{"DetectionEvaluate", 1},
    Measure{"SmoothL1Loss", 1},
    Measure{"SoftmaxWithFocalLoss", 1},
    Measure{"CTCLoss", 3},
    Measure{"MultiBoxLoss", 3},
    Measure{"Silence", 0},
};

bool is_label(const NetLayer& layer, std::size_t bottom) {
  const auto* found =
      std::find_if(kMeasures.begin(), kMeasures.end(), [&](const Measure& m) { return m.type == layer.type; });
  return found != kMeasures.end() && bottom >= found->first_label;
}

}  // namespace

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

std::string GraphBuilder::spelled(const std::string& type) const {
  const auto found = spellings.find(lower_case(type));
  return found == spellings.end() ? type : found->second;
}

/// Labels of data layers: inputs of the net in training only.
void GraphBuilder::find_labels() {
  for (const NetInput& input : net_.inputs)
    if (!input.is_declared) labels_[input.blob] = true;
  for (const NetLayer& layer : net_.layers)
    for (std::size_t i = 0; i < layer.bottoms.size(); ++i)
      if (const auto found = labels_.find(layer.bottoms[i]); found != labels_.end() && !is_label(layer, i))
        found->second = false;
}

Expected<void> GraphBuilder::declare(const std::string& blob, const Value& value, bool in_place, TextPlace place) {
  const auto [at, is_new] = producers_.try_emplace(blob);
  if (is_new) {
    order_.push_back(blob);
  } else if (!in_place) {
    return produced_twice(place, blob, at->second.value.node().name(), value.node().name());
  } else {
    at->second.value.data().clear_tensor_names();  // who asks for the blob means what is in it in the end
  }
  at->second = {value, false};
  value.data().add_tensor_name(blob);
  return {};
}

Expected<void> GraphBuilder::add_inputs() {
  for (const NetInput& input : net_.inputs) {
    if (const auto found = labels_.find(input.blob); found != labels_.end() && found->second) continue;
    const Node parameter = graph_->create_parameter({ElementType::f32, input.shape}, input.name);
    parameter.set_origin({.framework = "Caffe", .op = input.layer});
    MO_TRY(declare(input.blob, parameter.output(), false, input.place));
  }
  return {};
}

std::vector<std::string> GraphBuilder::known_blobs() const {
  std::vector<std::string> known;
  for (const auto& [name, producer] : producers_) known.push_back(name);
  return known;
}

Diagnostic produced_twice(TextPlace place, const std::string& blob, std::string_view first, std::string_view second) {
  return error_at(place, "MO-CAFFE-0006", "blob '{}' is produced twice, by '{}' and by '{}'", blob, first, second)
      .hint("only a layer that reads a blob may write it again");
}

Diagnostic unknown_blob(const NetLayer& layer, const std::string& blob, const std::vector<std::string>& known) {
  Diagnostic failed = error_at(layer.place, "MO-CAFFE-0007",
                               "layer '{}' reads the blob '{}', which no layer before it produces", layer.name, blob);
  const std::string close = nearest(blob, known, blob.size() / 2);
  if (close.empty())
    return std::move(failed).hint("layers are listed in execution order: move the layer after those that it reads");
  return std::move(failed).hint("did you mean '{}'? Layers are listed in execution order", close);
}

/// Labels that are no inputs leave their port empty; ports at the end vanish.
Expected<std::vector<Value>> GraphBuilder::bottoms_of(const NetLayer& layer) {
  std::vector<Value> bottoms;
  for (const std::string& blob : layer.bottoms) {
    const auto found = producers_.find(blob);
    if (found != producers_.end()) {
      found->second.is_read = true;
      bottoms.push_back(found->second.value);
      continue;
    }
    const auto label = labels_.find(blob);
    if (label == labels_.end() || !label->second) return unknown_blob(layer, blob, known_blobs());
    bottoms.emplace_back();
  }
  while (!bottoms.empty() && !bottoms.back()) bottoms.pop_back();
  return bottoms;
}

/// Caffe: layers that give the same name to a parameter share it; the first one owns it.
Expected<void> GraphBuilder::add_shared(const NetLayer& layer, std::vector<Tensor>& blobs) {
  for (std::size_t i = 0; i < layer.shared.size(); ++i) {
    const std::string& name = layer.shared[i];
    if (name.empty()) continue;
    const auto owner = shared_.find(name);
    if (i < blobs.size()) {
      if (owner == shared_.end()) {
        shared_.emplace(name, Shared{layer.name, blobs[i]});
      } else if (owner->second.tensor.element_count() != blobs[i].element_count()) {
        return error_at(layer.place, "MO-CAFFE-0035", "layers '{}' and '{}' share '{}', which has the shapes {} and {}",
                        owner->second.owner, layer.name, name, to_string(owner->second.tensor.shape()),
                        to_string(blobs[i].shape()))
            .hint("the weights are not those of this topology");
      }
    } else if (i == blobs.size() && owner != shared_.end()) {
      blobs.push_back(owner->second.tensor);
    }
  }
  return {};
}

Expected<std::vector<Tensor>> GraphBuilder::blobs_of(const NetLayer& layer) {
  std::vector<Tensor> blobs;
  const auto owner = [&](std::size_t i) { return fmt::format("blob {} of layer '{}'", i, layer.name); };
  const StoredLayer* stored = weights_ ? weights_->find(layer.name) : nullptr;
  if (stored && !stored->blobs.empty()) {
    // Caffe fills the first layer of a name only, and leaves the others as training would begin: what they would
    // compute is nothing to keep.
    const auto [first, is_first] = served_.emplace(layer.name, layer.place);
    if (!is_first) {
      Diagnostic shared = error_at(layer.place, "MO-CAFFE-0037",
                                   "layer '{}' has the name of the one in line {}, and takes the same weights",
                                   layer.name, first->second.line)
                              .hint("if the two layers have separate weights, give each a unique name, in both files");
      shared.severity = Severity::warning;
      remarks_.push_back(std::move(shared));
    }
    for (std::size_t i = 0; i < stored->blobs.size(); ++i) {
      auto tensor = read_blob(weights_->source(), stored->blobs[i], owner(i));
      if (!tensor) return std::move(tensor).error().in_file(weights_->source().name());
      blobs.push_back(*std::move(tensor));
    }
  } else {
    for (std::size_t i = 0; i < layer.blobs.size(); ++i) {
      auto tensor = read_blob(*layer.blobs[i], owner(i));
      if (!tensor) return std::move(tensor).error();
      blobs.push_back(*std::move(tensor));
    }
  }
  MO_TRY(add_shared(layer, blobs));
  return blobs;
}

Expected<void> GraphBuilder::add_layer(const NetLayer& layer) {
  MO_ASSIGN(std::vector<Value> inputs, bottoms_of(layer));
  if (inputs.empty() && !layer.bottoms.empty()) return {};  // it only looked at labels
  MO_ASSIGN(const std::vector<Tensor> blobs, blobs_of(layer));
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    const Node constant = graph_->create_constant(blobs[i], blob_name(layer.name, i));
    constant.set_origin({.framework = "Caffe", .part = "blob"});
    inputs.push_back(constant.output());
  }
  const std::string type = spelled(layer.type);
  AttributeMap attributes = layer.parameters;
  attributes.set(kBlobCount, static_cast<std::int64_t>(blobs.size()));
  MO_TRY(spend(work::kReadNode));
  const Node node =
      graph_->create_node(Op("caffe::" + type, std::move(attributes)), inputs, layer.tops.size(), layer.name);
  node.set_origin({.framework = "Caffe", .op = type});
  node.add_source(layer.name);
  const std::set<std::string_view> read(layer.bottoms.begin(), layer.bottoms.end());
  std::set<std::string_view> written;
  for (std::size_t i = 0; i < layer.tops.size(); ++i) {
    const std::string& top = layer.tops[i];
    if (!written.insert(top).second)
      return error_at(layer.place, "MO-CAFFE-0006", "layer '{}' has two tops called '{}'", layer.name, top)
          .hint("every blob needs a unique name");
    MO_TRY(declare(top, node.output(i), read.contains(top), layer.place));
  }
  return {};
}

Expected<std::unique_ptr<Graph>> GraphBuilder::build() {
  graph_->name = net_.name;
  find_labels();
  MO_TRY(add_inputs());
  for (const NetLayer& layer : net_.layers) MO_TRY(add_layer(layer));
  for (const std::string& blob : order_) {
    const Producer& producer = producers_.at(blob);
    if (!producer.is_read && !producer.value.node().is<Parameter>()) graph_->create_result(producer.value);
  }
  return std::move(graph_);
}

}  // namespace mo::caffe
