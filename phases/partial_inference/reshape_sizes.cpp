#include "phases/partial_inference/reshape_sizes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace mo::phases {
namespace {

using Numbers = std::vector<std::int64_t>;

/// The shape that a target gives to data of this shape; nothing where they do not fit.
std::optional<Shape> solved(const Shape& data, const Numbers& target, bool copies) {
  Shape result = target;
  std::optional<std::size_t> rest;
  for (std::size_t j = 0; j < result.size(); ++j) {
    if (result[j] == 0 && copies && j < data.size()) result[j] = data[j];
    if (result[j] == -1 && !rest) {
      rest = j;
      result[j] = 1;
    }
    if (result[j] < 1) return std::nullopt;
  }
  const auto from = element_count(data);
  const auto to = element_count(result);
  if (!from || !to || *to == 0 || *from % *to != 0 || (!rest && *from != *to)) return std::nullopt;
  if (rest) result[*rest] = *from / *to;
  return result;
}

/// The products of the dimensions before each one, and of all of them.
Numbers products_in_front(const Shape& shape) {
  Numbers products(shape.size() + 1, 1);
  std::partial_sum(shape.begin(), shape.end(), products.begin() + 1, std::multiplies<>());
  return products;
}

/// The changed part of a dimension of the data.
struct Changed {
  std::size_t axis = 0;
  SizeFactors factors;
  std::int64_t in_front = 1;  ///< elements counted by what is before the part
};

/// Where it goes.
struct ElementPlace {
  std::size_t element = 0;
  SizeFactors factors;  ///< of the element
};

class Placement {
 public:
  Placement(const Shape& data, const Shape& result)
      : data_(data), result_(result), before_data_(products_in_front(data)), before_(products_in_front(result)) {}

  std::int64_t in_front_of(std::size_t axis) const { return before_data_[axis]; }

  std::optional<ElementPlace> place_of(const Changed& part) const {
    std::vector<ElementPlace> exact;
    std::vector<ElementPlace> merges;
    for (std::size_t j = 0; j < result_.size(); ++j) {
      const auto factors = factors_in(j, part);
      if (!factors) continue;
      (factors->outer == 1 && factors->inner == 1 ? exact : merges).push_back({j, *factors});
    }
    if (!exact.empty()) return best_exact(part, exact);
    return best_merge(part, merges);
  }

 private:
  std::optional<SizeFactors> factors_in(std::size_t j, const Changed& part) const {
    if (part.in_front % before_[j] != 0) return std::nullopt;
    const std::int64_t outer = part.in_front / before_[j];
    const std::int64_t size = part.factors.size;
    if (outer > result_[j] || result_[j] % (outer * size) != 0) return std::nullopt;
    return SizeFactors{outer, size, result_[j] / (outer * size)};
  }

  /// Several only for a size of 1. As many of them as there are such dimensions in the data: one after the other.
  std::optional<ElementPlace> best_exact(const Changed& part, const std::vector<ElementPlace>& exact) const {
    if (exact.size() == 1) return exact.front();
    std::size_t first = part.axis;
    while (first > 0 && data_[first - 1] == 1) --first;
    std::size_t last = part.axis;
    while (last + 1 < data_.size() && data_[last + 1] == 1) ++last;
    if (data_[part.axis] == 1 && last - first + 1 == exact.size()) return exact[part.axis - first];
    for (const ElementPlace& place : exact)
      if (place.element == part.axis) return place;
    return std::nullopt;
  }

  /// Two at most, side by side: a size of 1 can be counted to either.
  std::optional<ElementPlace> best_merge(const Changed& part, const std::vector<ElementPlace>& merges) const {
    if (merges.empty()) return std::nullopt;
    if (merges.size() == 1) return merges.front();
    const ElementPlace& left = merges.front();
    const ElementPlace& right = merges.back();
    if (merges.size() > 2) return std::nullopt;
    if (right.element + 1 == result_.size()) return left;
    // An element that is a neighbour of the data as it is does not hold anything else.
    const bool left_is_whole = part.axis > 0 && data_[part.axis - 1] == result_[left.element];
    const bool right_is_whole = part.axis + 1 < data_.size() && data_[part.axis + 1] == result_[right.element];
    if (left_is_whole == right_is_whole) return std::nullopt;
    return left_is_whole ? right : left;
  }

  const Shape& data_;
  const Shape& result_;
  Numbers before_data_;
  Numbers before_;
};

/// What a target becomes.
class Repair {
 public:
  Repair(const ResizedReshape& reshape, Shape result) : reshape_(reshape), result_(std::move(result)) {
    parts_.resize(result_.size());
  }

  void put(const Changed& part, const ElementPlace& place) { parts_[place.element].push_back({part, place}); }

  /// The size of an element for the new sizes; nothing when it is not known.
  std::optional<std::int64_t> known_size(std::size_t j) const {
    std::int64_t size = result_[j];
    for (const auto& [part, place] : parts_[j]) {
      const Dimension& now = reshape_.now[part.axis];
      if (!now.is_known()) return std::nullopt;
      const std::int64_t unchanged = part.factors.outer * part.factors.inner;
      if (now.value() % unchanged != 0) return std::nullopt;
      size = size / part.factors.size * (now.value() / unchanged);
    }
    return size;
  }

  /// Nothing: some element can only be computed of several dimensions.
  std::optional<std::vector<TargetElement>> target() const {
    std::vector<TargetElement> made(result_.size());
    const std::optional<std::size_t> written_rest = place_of_rest();
    // A -1 that does not stand for a changed size can be a number as well.
    std::optional<std::size_t> rest = written_rest && !parts_[*written_rest].empty() ? written_rest : std::nullopt;
    for (std::size_t j = 0; j < result_.size(); ++j) {
      const std::int64_t old = reshape_.target[j];
      if (parts_[j].empty()) {
        const bool copies_changed = old == 0 && reshape_.now[j] != Dimension(reshape_.exported[j]);
        made[j].number = copies_changed ? result_[j] : old;
        continue;
      }
      if (rest == j || (old == 0 && copies_in_place(j))) {
        made[j].number = old;
      } else if (copies_in_place(j) && may_copy()) {
        made[j].number = 0;
      } else if (!rest) {
        rest = j;
        made[j].number = -1;
      } else if (const auto size = known_size(j)) {
        made[j].number = *size;
      } else if (parts_[j].size() == 1) {
        made[j] = computed(j);
      } else {
        return std::nullopt;
      }
    }
    if (written_rest && rest && rest != written_rest) made[*written_rest].number = result_[*written_rest];
    return made;
  }

 private:
  /// The place of -1 in the target.
  std::optional<std::size_t> place_of_rest() const {
    const auto at = std::find(reshape_.target.begin(), reshape_.target.end(), -1);
    return at == reshape_.target.end() ? std::nullopt
                                       : std::optional(static_cast<std::size_t>(at - reshape_.target.begin()));
  }

  bool copies_in_place(std::size_t j) const {
    return (reshape_.copies || reshape_.may_copy) && parts_[j].size() == 1 && parts_[j].front().first.axis == j &&
           reshape_.exported[j] == result_[j];
  }
  bool may_copy() const {
    const bool has_zero = std::count(reshape_.target.begin(), reshape_.target.end(), 0) > 0;
    return reshape_.copies || (reshape_.may_copy && !has_zero);
  }

  TargetElement computed(std::size_t j) const {
    const std::size_t axis = parts_[j].front().first.axis;
    const std::int64_t common = std::gcd(result_[j], reshape_.exported[axis]);
    return {TargetElement::Kind::computed, result_[j] / common, static_cast<std::int64_t>(axis),
            reshape_.exported[axis] / common};
  }

  const ResizedReshape& reshape_;
  Shape result_;
  std::vector<std::vector<std::pair<Changed, ElementPlace>>> parts_;  ///< by element
};

}  // namespace

bool MergedSizes::Less::operator()(const std::pair<std::int64_t, Dimension>& a,
                                   const std::pair<std::int64_t, Dimension>& b) const {
  const auto key = [](const std::pair<std::int64_t, Dimension>& sizes) {
    return std::tuple(sizes.first, sizes.second.symbol(), sizes.second.symbol() == 0 ? sizes.second.min() : 0);
  };
  return key(a) < key(b);
}

SizeFactors MergedSizes::of(std::int64_t exported, const Dimension& now) const {
  const auto found = factors_.find({exported, now});
  return found != factors_.end() && found->second ? *found->second : SizeFactors{.size = exported};
}

void MergedSizes::add(std::int64_t exported, const Dimension& now, const SizeFactors& factors) {
  if (!now.is_known() && now.symbol() == 0) return;
  const auto [entry, is_new] = factors_.try_emplace({exported, now}, factors);
  if (!is_new && entry->second != factors) entry->second.reset();
}

ReshapeRepair repair_reshape(const ResizedReshape& reshape, MergedSizes& merged, SizeSymbols& symbols) {
  const auto result = solved(reshape.exported, reshape.target, reshape.copies);
  if (!result) return {};
  const Placement placement(reshape.exported, *result);
  Repair repair(reshape, *result);
  for (std::size_t axis = 0; axis < reshape.exported.size(); ++axis) {
    const std::int64_t exported = reshape.exported[axis];
    const Dimension& now = reshape.now[axis];
    if (now == Dimension(exported)) continue;
    Changed part{axis, merged.of(exported, now), placement.in_front_of(axis)};
    part.in_front *= part.factors.outer;
    const auto place = placement.place_of(part);
    if (!place) return {.target = {}, .lost_axis = axis};
    repair.put(part, *place);
    if (place->factors.outer == 1 && place->factors.inner == 1) continue;
    const std::int64_t size = (*result)[place->element];
    const Dimension of[] = {now, size};
    const Dimension by[] = {exported};
    const auto known = repair.known_size(place->element);
    merged.add(size, known ? Dimension(*known) : symbols.quotient(of, by, Dimension()), place->factors);
  }
  auto target = repair.target();
  if (!target) return {.target = {}, .lost_axis = 0};
  const bool is_same = std::equal(
      target->begin(), target->end(), reshape.target.begin(), reshape.target.end(),
      [](const TargetElement& element, std::int64_t number) { return element == TargetElement{.number = number}; });
  if (is_same) target->clear();
  return {.target = *std::move(target), .lost_axis = {}};
}

}  // namespace mo::phases
