#include "tools/verify/sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace mo::tools {
namespace {

constexpr std::size_t kMostApart = 16;                             // of these only are tried apart
constexpr std::array<std::size_t, 6> kRanks = {4, 2, 3, 1, 5, 0};  // pictures first
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 27;    // of all inputs together

/// Unknown dimensions that are equal.
struct Group {
  Dimension::Symbol symbol = 0;
  bool is_first = false;
  std::int64_t size = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

class Groups {
 public:
  explicit Groups(const std::vector<PartialShape>& shapes) {
    for (const PartialShape& shape : shapes) {
      places_.emplace_back();
      for (std::size_t i = 0; i < shape.size(); ++i)
        places_.back().push_back(shape[i].is_known() ? kKnown : place_of(shape[i], i == 0));
    }
  }

  std::size_t others() const {
    return static_cast<std::size_t>(
        std::count_if(groups_.begin(), groups_.end(), [](const Group& group) { return !group.is_first; }));
  }

  void choose(const UnknownSizes& unknown) {
    std::size_t other = 0;
    for (Group& group : groups_) {
      group.size = group.is_first ? unknown.first : unknown.others;
      if (!group.is_first && unknown.apart == other++) group.size = 2 * unknown.others;
    }
  }

  void add_up(const std::vector<std::string>& names) {
    std::map<std::string_view, std::int64_t> sizes;
    for (const Group& group : groups_)
      if (group.symbol != 0 && group.symbol <= names.size()) sizes.emplace(names[group.symbol - 1], group.size);
    for (Group& group : groups_)
      if (group.symbol != 0 && group.symbol <= names.size())
        if (const auto sum = sum_of(names[group.symbol - 1], sizes)) group.size = *sum;
  }

  Shape shape(std::size_t input, const PartialShape& declared) const {
    Shape made;
    for (std::size_t i = 0; i < places_[input].size(); ++i) {
      const std::size_t place = places_[input][i];
      made.push_back(place == kKnown ? declared[i].value()
                                     : std::clamp(groups_[place].size, declared[i].min(), declared[i].max()));
    }
    return made;
  }

 private:
  static constexpr std::size_t kKnown = static_cast<std::size_t>(-1);

  std::size_t place_of(const Dimension& dimension, bool is_first) {
    const auto it = std::find_if(groups_.begin(), groups_.end(), [&](const Group& known) {
      return known.symbol != 0 && known.symbol == dimension.symbol();
    });
    const auto place = static_cast<std::size_t>(it - groups_.begin());
    if (it == groups_.end()) groups_.push_back({.symbol = dimension.symbol()});
    groups_[place].is_first |= is_first;
    return place;
  }

  /// "past + new + 1"; nothing when it is not a sum, or one of something else.
  static std::optional<std::int64_t> sum_of(std::string_view name,
                                            const std::map<std::string_view, std::int64_t>& sizes) {
    if (name.find('+') == std::string_view::npos) return std::nullopt;
    std::int64_t sum = 0;
    while (!name.empty()) {
      const std::string_view term = trimmed(name.substr(0, name.find('+')));
      name.remove_prefix(std::min(name.find('+'), name.size() - 1) + 1);
      std::int64_t number = 0;
      const auto read = std::from_chars(term.data(), term.data() + term.size(), number);
      const bool is_number = !term.empty() && read.ec == std::errc() && read.ptr == term.data() + term.size();
      const auto it = sizes.find(term);
      if (!is_number && it == sizes.end()) return std::nullopt;
      sum += is_number ? std::clamp<std::int64_t>(number, 0, 1 << 20) : it->second;
    }
    return sum;
  }

  std::vector<Group> groups_;
  std::vector<std::vector<std::size_t>> places_;  ///< of each dimension of each input, in `groups_`
};

/// Whether inputs of these shapes can be made: a wrong rank with large sizes makes gigabytes.
bool fits(const std::vector<Shape>& shapes) {
  std::uint64_t elements = 0;
  for (const Shape& shape : shapes) {
    std::uint64_t product = 1;
    for (const std::int64_t size : shape)
      product = std::min(product, kMostElements + 1) * std::min(static_cast<std::uint64_t>(size), kMostElements + 1);
    elements += product;
  }
  return elements <= kMostElements;
}

std::vector<PartialShape> with_rank(std::vector<PartialShape> shapes, std::size_t rank) {
  for (PartialShape& shape : shapes)
    if (!shape.has_rank()) shape = PartialShape::of_rank(rank);
  return shapes;
}

std::vector<UnknownSizes> choices_for(const std::vector<PartialShape>& shapes) {
  if (std::all_of(shapes.begin(), shapes.end(), [](const PartialShape& shape) { return shape.is_static(); }))
    return {UnknownSizes{}};
  const bool some_rank_is_unknown =
      std::any_of(shapes.begin(), shapes.end(), [](const PartialShape& shape) { return !shape.has_rank(); });
  std::vector<UnknownSizes> choices;
  for (const std::size_t rank : kRanks) {
    const std::size_t others = Groups(with_rank(shapes, rank)).others();
    const auto add = [&](UnknownSizes sizes) {
      sizes.rank = rank;
      if (fits(instantiated(shapes, {}, sizes))) choices.push_back(sizes);
    };
    for (const std::int64_t size : {2, 16, 64}) add({.first = 1, .others = size});
    for (std::size_t i = 0; others > 1 && i < std::min(others, kMostApart); ++i)
      add({.first = 1, .others = 2, .apart = i});
    for (const UnknownSizes& large : {UnknownSizes{1, 224}, {1, 512}, {16, 16}, {64, 64}}) add(large);
    if (!some_rank_is_unknown) break;
  }
  return choices;
}

}  // namespace

std::vector<Shape> instantiated(const std::vector<PartialShape>& declared, const std::vector<std::string>& symbol_names,
                                const UnknownSizes& unknown) {
  const std::vector<PartialShape> shapes = with_rank(declared, unknown.rank);
  Groups groups(shapes);
  groups.choose(unknown);
  groups.add_up(symbol_names);
  std::vector<Shape> made;
  for (std::size_t i = 0; i < shapes.size(); ++i) made.push_back(groups.shape(i, shapes[i]));
  return made;
}

std::vector<UnknownSizes> first_choices(const std::vector<PartialShape>& shapes,
                                        const std::vector<PartialShape>& needed) {
  std::vector<UnknownSizes> choices = needed == shapes ? std::vector<UnknownSizes>() : choices_for(needed);
  for (UnknownSizes& sizes : choices) sizes.as_needed = true;
  const std::vector<UnknownSizes> plain = choices_for(shapes);
  choices.insert(choices.end(), plain.begin(), plain.end());
  return choices;
}

std::vector<UnknownSizes> second_choices(const UnknownSizes& used) {
  // Images stay multiples of 32, which networks halve five times.
  const std::int64_t more = used.others >= 64 ? used.others + 32 : used.others + (used.others + 1) / 2;
  return {{used.first + 1, more, used.apart, used.rank, used.as_needed},
          {used.first, more, used.apart, used.rank, used.as_needed},
          {used.first + 1, used.others, used.apart, used.rank, used.as_needed}};
}

std::string to_string(const ChosenSizes& sizes) {
  std::string text;
  for (const auto& [name, shape] : sizes)
    text += fmt::format("{}'{}' [{}]", text.empty() ? "" : ", ", name, fmt::join(shape, ","));
  return text;
}

}  // namespace mo::tools
