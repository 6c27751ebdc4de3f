#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/types/partial_shape.hpp"
#include "core/types/size_symbols.hpp"

/// Reshape targets that hold sizes of the exported model.
namespace mo::phases {

/// A dimension of outer * size * inner elements, in this order, of which only `size` changes: a batch of windows.
struct SizeFactors {
  std::int64_t outer = 1;
  std::int64_t size = 1;
  std::int64_t inner = 1;
  bool operator==(const SizeFactors&) const = default;
};

/// The factors of changed dimensions that were merged out of several, by exported and new size.
class MergedSizes {
 public:
  /// Those of a dimension; the dimension as a whole where nothing is known of it.
  SizeFactors of(std::int64_t exported, const Dimension& now) const;
  /// Two merges of the same sizes in different orders are indistinguishable: they count as unknown from then on.
  void add(std::int64_t exported, const Dimension& now, const SizeFactors& factors);

 private:
  struct Less {
    bool operator()(const std::pair<std::int64_t, Dimension>& a, const std::pair<std::int64_t, Dimension>& b) const;
  };
  std::map<std::pair<std::int64_t, Dimension>, std::optional<SizeFactors>, Less> factors_;
};

/// One element of a target.
struct TargetElement {
  enum class Kind : std::uint8_t {
    number,    ///< `number`; 0 copies where the Reshape does, -1 is what is left
    computed,  ///< the dimension `axis` of the data, multiplied by `number` and divided by `divisor`
  };
  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::int64_t axis = 0;
  std::int64_t divisor = 1;
  bool operator==(const TargetElement&) const = default;
};

/// A Reshape whose data has changed sizes.
struct ResizedReshape {
  Shape exported;                    ///< shape of the data in the exported model, without empty dimensions
  PartialShape now;                  ///< its shape with the changed sizes
  std::vector<std::int64_t> target;  ///< constant
  bool copies = false;               ///< a 0 in the target copies a dimension
  bool may_copy = false;             ///< the Reshape may be told to copy
};

struct ReshapeRepair {
  /// empty: the target is right as it is
  std::vector<TargetElement> target;
  /// It is unknown where this dimension of the data goes: the target stays.
  std::optional<std::size_t> lost_axis;
};

/// The target for the changed sizes. An element takes a changed dimension where the product of the elements before it
/// is that of the dimensions before that dimension (both are in row-major order), so the result has the same elements
/// in the same order for each sample. Where a dimension of 1 fits several places, a target that keeps the dimension in
/// its place wins, then one that leaves the last element alone, which holds features. Adds merged dimensions to
/// `merged`.
ReshapeRepair repair_reshape(const ResizedReshape& reshape, MergedSizes& merged, SizeSymbols& symbols);

}  // namespace mo::phases
