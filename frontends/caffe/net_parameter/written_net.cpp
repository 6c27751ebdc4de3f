#include "frontends/caffe/net_parameter/written_net.hpp"

#include <algorithm>
#include <utility>

#include "core/proto_text/printing.hpp"
#include "frontends/caffe/graph_builder.hpp"
#include "frontends/caffe/layer.hpp"
#include "frontends/caffe/reader.hpp"

namespace mo::caffe {

Expected<std::unique_ptr<WrittenNet>> WrittenNet::read(std::string_view text) {
  auto net = std::make_unique<WrittenNet>();
  MO_ASSIGN(net->message, parse_prototxt(text));
  MO_ASSIGN(net->name, text_field(net->message, "name"));
  MO_TRY(net->read_pieces(text));
  net->choose_data_layer();
  return net;
}

Expected<void> WrittenNet::read_pieces(std::string_view text) {
  MO_ASSIGN(const TextPieces split, split_text(text));
  const std::string_view of_layers = message.has("layer") ? "layer" : "layers";
  auto field = message.fields.begin();
  std::size_t next = 0;  // value of the field
  for (const TextPiece& piece : split.pieces) {
    MO_ASSIGN(const TextMessage alone, parse_prototxt(piece.field));
    const TextField& written = alone.fields.front();
    if (field->name != written.name) {
      ++field;
      next = 0;
    }
    const std::size_t first = std::exchange(next, next + written.values.size());
    if (field->name != of_layers)
      others.push_back({field->name, std::string(piece.before), std::string(piece.field), layers.size()});
    else
      for (std::size_t i = first; i < next; ++i) MO_TRY(read_layer_in(*field, i, piece, next - first));
  }
  form = of_layers == "layer" ? Form::current : Form::v1;
  end = split.end;
  return {};
}

Expected<void> WrittenNet::read_layer_in(const TextField& field, std::size_t index, const TextPiece& piece,
                                         std::size_t count) {
  if (layers.size() == limits::kLayers)
    return error("MO-CAFFE-0009", "there are more than {} layers", limits::kLayers)
        .hint("the file is corrupt (compare its checksum), or too large to convert");
  const TextValue& value = field.values[index];
  WrittenLayer read;
  MO_ASSIGN(read.message, message_of(value, field));
  MO_ASSIGN(read.layer, read_layer(*read.message));
  MO_ASSIGN(read.runs, runs_in_test_phase(*read.message, message));
  read.before = count == 1 ? std::string(piece.before) : "\n";
  read.field = count == 1 ? std::string(piece.field) : proto_text::print(field.name, value);
  layers.push_back(std::move(read));
  return {};
}

void WrittenNet::choose_data_layer() {
  const auto is_data = [](const WrittenLayer& layer) { return is_data_layer(layer.layer.type); };
  if (message.has("input") ||
      std::any_of(layers.begin(), layers.end(), [&](const WrittenLayer& l) { return l.runs && is_data(l); }))
    return;
  const auto first = std::find_if(layers.begin(), layers.end(), is_data);
  if (first != layers.end()) first->runs = true;
}

}  // namespace mo::caffe
