#pragma once

#include <functional>
#include <vector>

#include "core/tensor/tensor.hpp"
#include "frontends/tensorflow/checkpoint/slice_spec.hpp"

namespace mo::tensorflow {

/// Type and shape of a tensor in a checkpoint. Complex numbers have a trailing dimension of 2 (real, imaginary).
struct StoredType {
  ElementType element_type = ElementType::dynamic;
  Shape shape;
  bool is_complex = false;

  TensorType type() const { return {element_type, PartialShape(shape)}; }
  /// Bytes of the elements; 0 for strings.
  std::uint64_t byte_size() const;
  /// Extents of TensorFlow's shape as extents of `shape`; nothing when they do not lie in it.
  std::optional<std::vector<Extent>> resolve(std::vector<Extent> extents) const;
};

/// Errors: MO-TF-0421 (elements that are no numbers and no strings), MO-TF-0411 (a shape that cannot be).
Expected<StoredType> stored_type(std::int64_t data_type, const PartialShape& shape);

/// A part of a tensor that is stored by itself.
struct StoredPart {
  std::vector<Extent> extents;             ///< resolved
  std::function<Expected<Tensor>()> read;  ///< its type is that of the whole, its shape that of `extents`
};

/// Checks that parts of one tensor do not overlap. Error MO-TF-0417. There are at most kMostSlices; those that share a
/// start with few others in some dimension are compared with few.
inline constexpr std::size_t kMostSlices = 16'384;
Expected<void> check_disjoint(const std::vector<StoredPart>& parts);

/// The slice `wanted` (resolved) of a tensor that is stored in disjoint parts. What lies in one piece in a file stays
/// there; anything else is put together when its bytes are asked for, unless it is small. Only the parts that are
/// needed are opened. Error MO-TF-0417: elements are in no part.
Expected<Tensor> slice_of_parts(const StoredType& whole, const std::vector<Extent>& wanted,
                                const std::vector<StoredPart>& parts);

/// A tensor whose bytes are made by `make` on demand, each time anew.
Expected<Tensor> deferred_tensor(ElementType type, Shape shape, std::function<Expected<Tensor>()> make);

/// Text is packed with 32-bit offsets.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{1} << 30;
/// Tensors up to this size are read at once.
inline constexpr std::uint64_t kSmallTensor = 64 * 1024;
/// Tensors up to this size are copied rather than kept as a range of a file.
inline constexpr std::uint64_t kCopiedTensor = 256;

}  // namespace mo::tensorflow
