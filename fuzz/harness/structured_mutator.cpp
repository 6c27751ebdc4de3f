#include "fuzz/harness/structured_mutator.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>

#include "fuzz/harness/parts.hpp"
#include "fuzz/harness/wire_tree.hpp"

namespace mo::fuzz {
namespace {

using frontends::WireType;

/// Numbers at the edges of what sizes, axes and types may be.
constexpr std::array<std::uint64_t, 22> kNumbers = {0,
                                                    1,
                                                    2,
                                                    3,
                                                    7,
                                                    8,
                                                    16,
                                                    20,
                                                    100,
                                                    255,
                                                    256,
                                                    1U << 20,
                                                    0x7FFFFFFF,
                                                    0x80000000,
                                                    0xFFFFFFFF,
                                                    1ULL << 32,
                                                    1ULL << 40,
                                                    1ULL << 62,
                                                    1ULL << 63,
                                                    ~0ULL /*-1*/,
                                                    ~0ULL - 1 /*-2*/,
                                                    ~0ULL >> 1};

class TreeMutation {
 public:
  TreeMutation(std::vector<WireTree>& root, std::mt19937& random, ByteMutator bytes)
      : root_(root), random_(random), bytes_(bytes) {
    collect(root_);
  }

  void run() {
    if (places_.empty()) return;
    const Place place = places_[below(places_.size())];
    std::vector<WireTree>& siblings = *place.siblings;
    WireTree& field = siblings[place.index];
    switch (below(9)) {
      case 0: siblings.erase(siblings.begin() + static_cast<std::ptrdiff_t>(place.index)); break;
      case 1: siblings.push_back(WireTree(field)); break;
      case 2: std::swap(field, siblings[below(siblings.size())]); break;
      case 3: retype(field); break;
      case 4:
        field.number =
            below(2) == 0 ? siblings[below(siblings.size())].number : static_cast<std::uint32_t>(1 + below(24));
        break;
      case 5: siblings.push_back(WireTree(field_anywhere())); break;
      case 6: take_content(field, WireTree(field_anywhere())); break;
      default: change(field);
    }
  }

 private:
  struct Place {
    std::vector<WireTree>* siblings;
    std::size_t index;
  };

  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }

  void collect(std::vector<WireTree>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      places_.push_back({&fields, i});
      collect(fields[i].children);
    }
  }

  const WireTree& field_anywhere() {
    const Place& place = places_[below(places_.size())];
    return (*place.siblings)[place.index];
  }

  /// A name where another name stood joins what was apart.
  static void take_content(WireTree& field, WireTree other) {
    other.number = field.number;
    field = std::move(other);
  }

  void retype(WireTree& field) {
    constexpr std::array kTypes = {WireType::varint, WireType::fixed64, WireType::bytes, WireType::fixed32};
    field.type = kTypes[below(kTypes.size())];
    field.children.clear();
  }

  void change(WireTree& field) {
    if (field.type != WireType::bytes) {
      field.value = below(3) == 0 ? field.value + below(5) - 2 : kNumbers[below(kNumbers.size())];
      return;
    }
    if (!field.children.empty()) return change(field.children[below(field.children.size())]);
    std::string room = field.bytes;
    const std::size_t size = room.size();
    room.resize(size + 16);
    room.resize(bytes_(reinterpret_cast<std::uint8_t*>(room.data()), size, room.size()));
    field.bytes = std::move(room);
  }

  std::vector<WireTree>& root_;
  std::mt19937& random_;
  ByteMutator bytes_;
  std::vector<Place> places_;
};

std::string mutated_bytes(std::string_view part, std::size_t most, ByteMutator bytes) {
  std::string room(part);
  room.resize(std::max(most, part.size()));
  room.resize(bytes(reinterpret_cast<std::uint8_t*>(room.data()), part.size(), room.size()));
  return room;
}

}  // namespace

std::string mutated(std::string_view input, std::size_t most, unsigned seed, ByteMutator bytes) {
  std::mt19937 random(seed);
  std::vector<std::string> parts = all_parts_of(input);
  std::string& part = parts[random() % parts.size()];
  const std::size_t others = input.size() - part.size();
  const std::size_t most_of_part = most > others ? most - others : part.size();
  auto tree = random() % 16 == 0 ? std::nullopt : decode(part);
  if (tree && !tree->empty()) {
    const std::size_t steps = 1 + random() % 3;
    for (std::size_t i = 0; i < steps; ++i) TreeMutation(*tree, random, bytes).run();
    if (std::string changed = encode(*tree); changed.size() <= most_of_part) part = std::move(changed);
  } else {
    part = mutated_bytes(part, most_of_part, bytes);
  }
  std::string changed = joined(parts);
  changed.resize(std::min(changed.size(), most));
  return changed;
}

}  // namespace mo::fuzz
