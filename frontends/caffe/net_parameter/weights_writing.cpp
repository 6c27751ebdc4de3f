#include <algorithm>

#include "frontends/caffe/fields.hpp"
#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/caffe/net_parameter/layer_state.hpp"
#include "frontends/caffe/net_parameter/net_parameter.hpp"
#include "frontends/caffe/upgrade.hpp"
#include "frontends/common/field_record.hpp"

namespace mo::caffe {

using frontends::Encoding;
using frontends::number_of_record;

namespace {

/// Numbers of the fields that are brought up to date; 0 for one that the form does not have there.
struct Numbers {
  std::uint32_t name, type, bottom, top, blobs, inner;
};

Numbers numbers_of(Form form, bool is_inner) {
  if (form == Form::current)
    return {layer_field::kName, layer_field::kType, layer_field::kBottom, layer_field::kTop, layer_field::kBlobs, 0};
  if (is_inner) return {v0_layer_field::kName, v0_layer_field::kType, 0, 0, v0_layer_field::kBlobs, 0};
  const auto inner = form == Form::v0 ? std::uint32_t{v1_layer_field::kV0Layer} : std::uint32_t{0};
  return {v1_layer_field::kName, v1_layer_field::kType,  v1_layer_field::kBottom,
          v1_layer_field::kTop,  v1_layer_field::kBlobs, inner};
}

/// Whether the field says how the layer computes.
bool is_parameter(Form form, bool is_inner, std::uint32_t number) {
  if (form == Form::current) return number >= layer_field::kFirstParameters;
  constexpr std::uint32_t kV1[] = {v1_layer_field::kV0Layer,   v1_layer_field::kBottom,      v1_layer_field::kTop,
                                   v1_layer_field::kName,      v1_layer_field::kType,        v1_layer_field::kBlobs,
                                   v1_layer_field::kBlobsRate, v1_layer_field::kWeightDecay, v1_layer_field::kInclude,
                                   v1_layer_field::kExclude,   v1_layer_field::kLossWeight,  v1_layer_field::kShared,
                                   v1_layer_field::kShareMode};
  constexpr std::uint32_t kV0[] = {v0_layer_field::kName, v0_layer_field::kType, v0_layer_field::kBlobs,
                                   v0_layer_field::kBlobsRate, v0_layer_field::kWeightDecay};
  return is_inner ? std::find(std::begin(kV0), std::end(kV0), number) == std::end(kV0)
                  : std::find(std::begin(kV1), std::end(kV1), number) == std::end(kV1);
}

Expected<void> encode_blob(const Node& constant, std::uint32_t number, Encoding& out) {
  const AttributeList* const kept = kept_list(constant.find_attribute(kept_key::kBlob));
  const bool is_stored = kept && kept->size() == 3;
  if (is_stored && is_blob_as_read(constant)) {
    out.tensor_bytes(number, *frontends::payload_of_record((*kept)[1]));
    return {};
  }
  const std::optional<Tensor> value = constant.attr<Tensor>("value");
  if (!value || value->element_type() != ElementType::f32)
    return constant.error("MO-CAFFE-0061", "weights of a Caffe net are floats of 32 bits")
        .hint("leave out the transform that created others");
  Encoding blob;
  if (is_stored && (*kept)[0].get_if<Tensor>()->shape() == value->shape()) {
    // In its own spelling: older files have no shapes, but four sizes.
    const AttributeList& fields = *(*kept)[2].get_if<AttributeList>();
    const auto encode = [&](bool is_before) {
      for (const AttributeValue& record : fields)
        if ((number_of_record(record) < blob_field::kData) == is_before) encode_record(record, blob);
    };
    encode(true);
    blob.tensor_bytes(blob_field::kData, *value);
    encode(false);
  } else {
    blob.tensor_bytes(blob_field::kData, *value);
    Encoding sizes;
    for (const std::int64_t size : value->shape()) sizes.varint(static_cast<std::uint64_t>(size));
    Encoding shape;
    shape.message(blob_shape_field::kDim, sizes);
    blob.message(blob_field::kShape, shape);
  }
  out.message(number, blob);
  return {};
}

/// A layer of the .caffemodel, with what became of it.
class LayerEncoder {
 public:
  LayerEncoder(const Node& node, const BlobNames& names)
      : node_(node),
        names_(names),
        kept_(*kept_list(node.find_attribute(kept_key::kStored))),
        form_(static_cast<Form>(*kept_[1].get_if<std::int64_t>())) {
    lost_parameters_ = node.has_attr(kept_key::kText) && !changed_parameters(node).empty();
  }

  Expected<void> encode(Encoding& net) const {
    Encoding layer;
    MO_TRY(encode_fields(*kept_[2].get_if<AttributeList>(), false, layer));
    net.message(form_ == Form::current ? net_field::kLayer : net_field::kV1Layers, layer);
    return {};
  }

 private:
  Expected<void> encode_fields(const AttributeList& records, bool is_inner, Encoding& out) const {
    const Numbers numbers = numbers_of(form_, is_inner);
    bool has_blobs = false;
    for (const AttributeValue& record : records) {
      const std::uint32_t number = number_of_record(record);
      if (number == numbers.name) {
        out.bytes(number, layer_name(node_));
      } else if (number == numbers.type && !has_type_as_read(node_)) {
        MO_TRY(encode_type(number, is_inner, out));
      } else if (number == numbers.bottom || number == numbers.top) {
        MO_TRY(encode_blob_name(record, out));
      } else if (number == numbers.blobs && node_.has_attr(kept_key::kText)) {
        if (!std::exchange(has_blobs, true)) MO_TRY(encode_weights(records, number, out));
      } else if (numbers.inner != 0 && number == numbers.inner) {
        Encoding inner;
        MO_TRY(encode_fields(*kept_[3].get_if<AttributeList>(), true, inner));
        out.message(number, inner);
      } else if (!lost_parameters_ || !is_parameter(form_, is_inner, number)) {
        encode_record(record, out);
      }
    }
    return {};
  }

  Expected<void> encode_type(std::uint32_t number, bool is_inner, Encoding& out) const {
    const std::string type = layer_type(node_);
    if (form_ == Form::current) return out.bytes(number, type), Expected<void>();
    const auto old = v0_type_of(type);
    const auto value = v1_number_of(type);
    if (is_inner ? !old : !value)
      return node_.error("MO-CAFFE-0061", "the old form of the net cannot represent a layer of type {}", type)
          .hint("leave that transform out");
    if (is_inner)
      out.bytes(number, *old);
    else
      out.integer(number, *value);
    return {};
  }

  /// Names that stand in the file: it has layers of its own, which share a blob among its readers.
  Expected<void> encode_blob_name(const AttributeValue& record, Encoding& out) const {
    const Tensor* const payload = frontends::payload_of_record(record);
    if (!payload) return encode_record(record, out), Expected<void>();
    MO_ASSIGN(const Tensor loaded, payload->load());
    const std::string name(reinterpret_cast<const char*>(loaded.bytes().data()), loaded.bytes().size());
    out.bytes(number_of_record(record), names_.renamed(name));
    return {};
  }

  Expected<void> encode_weights(const AttributeList& records, std::uint32_t number, Encoding& out) const {
    std::vector<Node> weights = weights_of(node_);
    // What other layers own stays with them.
    if (node_.has_attr(kept_key::kShared)) {
      const auto stored =
          static_cast<std::size_t>(std::count_if(records.begin(), records.end(), [&](const AttributeValue& record) {
            return number_of_record(record) == number;
          }));
      weights.resize(std::min(weights.size(), stored));
    }
    for (const Node& constant : weights) MO_TRY(encode_blob(constant, number, out));
    return {};
  }

  const Node& node_;
  const BlobNames& names_;
  const AttributeList& kept_;
  Form form_;
  bool lost_parameters_ = false;
};

Expected<Encoding> encode_net(const Graph& graph) {
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  const BlobNames names(graph, order);
  std::vector<std::pair<std::int64_t, Node>> layers;
  for (const Node& node : order)
    if (const AttributeList* const kept = kept_list(node.find_attribute(kept_key::kStored)))
      layers.emplace_back(*kept->front().get_if<std::int64_t>(), node);
  std::sort(layers.begin(), layers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const AttributeList* const fields = kept_list(graph.properties.find(kept_key::kStoredNet));
  Encoding net;
  const auto encode_others = [&](std::uint32_t from, std::uint32_t to) {
    if (!fields) return;
    for (const AttributeValue& record : *fields)
      if (number_of_record(record) >= from && number_of_record(record) < to) encode_record(record, net);
  };
  // As protobuf does: fields by their numbers.
  const auto form_of = [](const Node& node) {
    return static_cast<Form>(*(*kept_list(node.find_attribute(kept_key::kStored)))[1].get_if<std::int64_t>());
  };
  encode_others(0, net_field::kV1Layers);
  for (const auto& [position, node] : layers)
    if (form_of(node) != Form::current) MO_TRY(LayerEncoder(node, names).encode(net));
  encode_others(net_field::kV1Layers, net_field::kLayer);
  for (const auto& [position, node] : layers)
    if (form_of(node) == Form::current) MO_TRY(LayerEncoder(node, names).encode(net));
  encode_others(net_field::kLayer, ~std::uint32_t{0});
  return net;
}

}  // namespace

bool has_weight_file(const Graph& graph) { return graph.properties.contains(kept_key::kStoredNet); }

Expected<void> write_weights(const Graph& graph, OutputFile& file) {
  MO_ASSIGN(const Encoding net, encode_net(graph));
  return net.write(file);
}

Expected<std::string> weights_bytes(const Graph& graph) {
  MO_ASSIGN(const Encoding net, encode_net(graph));
  std::string bytes;
  MO_TRY(net.append_to(bytes));
  return bytes;
}

}  // namespace mo::caffe
