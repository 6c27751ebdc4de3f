#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types/partial_shape.hpp"
#include "frontends/common/wire.hpp"

namespace mo::tensorflow {

/// What a slice takes of one dimension.
struct Extent {
  static constexpr std::int64_t kFull = -1;  ///< as length, with start 0: all of the dimension

  std::int64_t start = 0;
  std::int64_t length = kFull;

  bool operator==(const Extent&) const = default;
};

/// A part of a tensor: the shape of the whole tensor, and what is taken of each dimension (no length is kFull).
struct SliceSpec {
  Shape shape;
  std::vector<Extent> extents;
};

/// Parses shape_and_slice of RestoreV2: sizes of the whole tensor, then an extent for each ("start,length", or "-" for
/// all), as in "10 20 0,5:-". Nothing for the empty text, which means the whole tensor. Error MO-TF-0420.
Expected<std::optional<SliceSpec>> parse_shape_and_slice(std::string_view text);

/// Reads a TensorSliceProto. Error MO-TF-0417 for negative numbers and absurd ranks.
Expected<std::vector<Extent>> read_extents(frontends::WireSource& source, const frontends::WireField& message);

/// The key under which a checkpoint has the data of a slice: an encoding of name and extents whose bytes sort as they
/// do.
std::string encode_slice_key(std::string_view name, const std::vector<Extent>& extents);

/// "0,5:-".
std::string to_string(const std::vector<Extent>& extents);

/// The extents with lengths instead of kFull, when they lie in the shape and are not empty; nothing otherwise.
std::optional<std::vector<Extent>> resolve_extents(const std::vector<Extent>& extents, const Shape& shape);

}  // namespace mo::tensorflow
