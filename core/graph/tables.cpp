#include "core/graph/tables.hpp"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <vector>

#include "core/diagnostics/assert.hpp"
#include "core/support/budget.hpp"

namespace mo {

struct NameTable::State {
  struct Hash {
    using is_transparent = void;
    const State* state;
    std::size_t operator()(std::uint32_t index) const { return spread(state->hashes[index]); }
    std::size_t operator()(std::string_view text) const { return spread(short_hash(text)); }
  };
  struct Equal {
    using is_transparent = void;
    const State* state;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::uint32_t a, std::string_view b) const { return state->view(a) == b; }
    bool operator()(std::string_view a, std::uint32_t b) const { return state->view(b) == a; }
  };

  /// Half of a hash is enough to be kept: there are no more names than that.
  static std::uint32_t short_hash(std::string_view text) { return static_cast<std::uint32_t>(absl::Hash<std::string_view>()(text)); }
  static std::size_t spread(std::uint32_t hash) { return hash * 0x9E3779B97F4A7C15ULL; }

  std::string_view view(std::uint32_t index) const {
    // Each text is stored behind its length.
    const char* p = texts[index];
    std::uint32_t size = 0;
    std::memcpy(&size, p, sizeof size);
    return {p + sizeof size, size};
  }

  std::uint32_t add(std::string_view name) {
    MO_ASSERT(name.size() < 0xFFFFFFFFU && texts.size() < NameId::kNone, "the name table is full");
    const std::size_t need = sizeof(std::uint32_t) + name.size();
    char* place = nullptr;
    if (need > kBlock / 4) {  // a block of its own, behind the current one
      blocks.insert(blocks.begin(), std::make_unique_for_overwrite<char[]>(need));
      place = blocks.front().get();
      charge.add(static_cast<std::int64_t>(need));
    } else {
      if (need > block_size - used) {
        // Most graphs are bodies of a few nodes: their table begins small.
        const std::size_t wanted = std::clamp(std::bit_ceil(need), std::max(2 * block_size, kLeastBlock), kBlock);
        blocks.push_back(std::make_unique_for_overwrite<char[]>(wanted));
        charge.add(static_cast<std::int64_t>(wanted));
        block_size = wanted;
        used = 0;
      }
      place = blocks.back().get() + used;
      used += need;
    }
    const auto size = static_cast<std::uint32_t>(name.size());
    std::memcpy(place, &size, sizeof size);
    if (!name.empty()) std::memcpy(place + sizeof size, name.data(), name.size());
    texts.push_back(place);
    hashes.push_back(short_hash(name));
    return static_cast<std::uint32_t>(texts.size() - 1);
  }

  static constexpr std::size_t kBlock = std::size_t{64} * 1024;
  static constexpr std::size_t kLeastBlock = 256;
  std::vector<const char*> texts;
  std::vector<std::uint32_t> hashes;  ///< growing the index must not read every text again
  std::vector<std::unique_ptr<char[]>> blocks;
  std::size_t block_size = 0;  ///< of the last block
  std::size_t used = 0;        ///< of the last block
  MemoryCharge charge;         ///< of the blocks
  absl::flat_hash_set<std::uint32_t, Hash, Equal> index{0, Hash{this}, Equal{this}};
};

NameTable::NameTable() : state_(std::make_unique<State>()) {}
NameTable::~NameTable() = default;
NameTable::NameTable(NameTable&&) noexcept = default;
NameTable& NameTable::operator=(NameTable&&) noexcept = default;

NameId NameTable::find(std::string_view name) const {
  const auto it = state_->index.find(name);
  return it == state_->index.end() ? NameId{} : NameId{*it};
}

NameId NameTable::intern(std::string_view name) {
  const auto it = state_->index.lazy_emplace(name, [&](const auto& put) { put(state_->add(name)); });  // one search for both
  return NameId{*it};
}

std::string_view NameTable::operator[](NameId id) const { return id.valid() ? state_->view(id.index) : std::string_view(); }

std::size_t NameTable::bytes() const {
  return static_cast<std::size_t>(state_->charge.bytes()) + state_->texts.capacity() * (sizeof(const char*) + sizeof(std::uint32_t)) +
         state_->index.capacity() * (sizeof(std::uint32_t) + 1);
}

struct TypeTable::State {
  struct Hash {
    using is_transparent = void;
    const State* state;
    std::size_t operator()(std::uint32_t index) const { return (*this)(state->types[index]); }
    std::size_t operator()(const TensorType& type) const {
      std::size_t h = static_cast<std::size_t>(type.element_type) * 2 + (type.shape.has_rank() ? 1 : 0);
      for (const Dimension& d : type.shape)
        h = (h ^ (static_cast<std::size_t>(d.min()) * 31 + static_cast<std::size_t>(d.max()) + d.symbol())) * 0x9E3779B97F4A7C15ULL;
      return h ^ (h >> 32);
    }
  };
  struct Equal {
    using is_transparent = void;
    const State* state;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::uint32_t a, const TensorType& b) const { return state->types[a] == b; }
    bool operator()(const TensorType& a, std::uint32_t b) const { return a == state->types[b]; }
  };
  std::deque<TensorType> types;
  std::uint32_t last = 0;
  absl::flat_hash_set<std::uint32_t, Hash, Equal> index{0, Hash{this}, Equal{this}};
};

TypeTable::TypeTable() : state_(std::make_unique<State>()) {}
TypeTable::~TypeTable() = default;
TypeTable::TypeTable(TypeTable&&) noexcept = default;
TypeTable& TypeTable::operator=(TypeTable&&) noexcept = default;

TypeId TypeTable::intern(const TensorType& type) {
  if (state_->last < state_->types.size() && state_->types[state_->last] == type) return TypeId{state_->last};  // mostly what came just before
  if (const auto it = state_->index.find(type); it != state_->index.end()) return TypeId{state_->last = *it};
  const auto id = static_cast<std::uint32_t>(state_->types.size());
  state_->types.push_back(type);
  state_->index.insert(id);
  return TypeId{state_->last = id};
}

const TensorType& TypeTable::operator[](TypeId id) const {
  static const TensorType unknown;
  return id.valid() ? state_->types[id.index] : unknown;
}

std::size_t TypeTable::bytes() const {
  std::size_t total = state_->index.capacity() * 5;
  for (const TensorType& type : state_->types) total += sizeof(TensorType) + type.shape.size() * sizeof(Dimension);
  return total;
}

OriginId OriginTable::intern(NameTable& names, const Origin& origin) {
  const auto name = [&](std::string_view text) { return text.empty() ? NameId{} : names.intern(text); };
  const Record record{name(origin.framework), name(origin.op), name(origin.part), origin.version, origin.derived};
  const auto [it, is_new] = index_.try_emplace(record, OriginId{static_cast<std::uint32_t>(records_.size())});
  if (is_new) records_.push_back(record);
  return it->second;
}

Origin OriginTable::at(const NameTable& names, OriginId id) const {
  if (!id.valid()) return {};
  const Record& record = records_[id.index];
  const auto text = [&](NameId name) { return name.valid() ? names[name] : std::string_view(); };
  return {text(record.framework), text(record.op), record.version, text(record.part), record.derived};
}

std::string Origin::label() const {
  if (empty()) return {};
  if (op.empty()) return fmt::format("{} {}", framework, part);
  return version > 0 ? fmt::format("{} {}, opset {}", framework, op, version) : fmt::format("{} {}", framework, op);
}

}  // namespace mo
