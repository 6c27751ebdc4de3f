#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/caffe/net.hpp"
#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/caffe/net_parameter/text_pieces.hpp"
#include "frontends/caffe/upgrade.hpp"

namespace mo::caffe {

/// A layer of a prototxt, and how it stands there.
struct WrittenLayer {
  const TextMessage* message = nullptr;
  NetLayer layer;
  std::string before;  ///< what stands between the field before and this one
  std::string field;
  bool runs = true;  ///< in the test phase
};

/// A field of the net that is no layer.
struct WrittenField {
  std::string name;
  std::string before;
  std::string field;
  std::size_t layers_before;
};

/// A prototxt that is going to be written again.
struct WrittenNet {
  /// Errors: MO-CAFFE-0001, those of read_layer, MO-CAFFE-0009 (too many layers).
  static Expected<std::unique_ptr<WrittenNet>> read(std::string_view text);

  TextMessage message;  ///< `layers` point into it
  std::string name;
  Form form = Form::current;
  std::vector<WrittenLayer> layers;
  std::vector<WrittenField> others;
  std::string end;  ///< the text after the last field

 private:
  /// The fields of the net in the order of the text; several that stand in one piece ("layer: [{…}, {…}]") are written
  /// one by one.
  Expected<void> read_pieces(std::string_view text);
  Expected<void> read_layer_in(const TextField& field, std::size_t index, const TextPiece& piece, std::size_t count);
  /// Nets that are only trained have no data in the test phase: as in a conversion, those of the first other data layer
  /// are the inputs.
  void choose_data_layer();
};

}  // namespace mo::caffe
