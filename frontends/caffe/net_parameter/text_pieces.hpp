#pragma once

#include <string_view>
#include <vector>

#include "frontends/caffe/prototxt.hpp"

namespace mo::caffe {

/// A field of a text as it stands there.
struct TextPiece {
  std::string_view before;  ///< blanks and comments between the field before and this one
  std::string_view field;
};

struct TextPieces {
  std::vector<TextPiece> pieces;
  std::string_view end;  ///< the text after the last one
};

/// The fields of a text, which must outlive them: `layer: [{…}, {…}]` is one piece. Error MO-CAFFE-0001.
Expected<TextPieces> split_text(std::string_view text);

}  // namespace mo::caffe
