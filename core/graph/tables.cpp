#include "core/graph/tables.hpp"

#include <absl/hash/hash.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "core/diagnostics/assert.hpp"
#include "core/support/budget.hpp"
#include "core/support/index_table.hpp"

namespace mo {

struct NameTable::State {
  /// Half of a hash is enough: there are no more names than that.
  static std::uint32_t hash_of(std::string_view text) {
    return static_cast<std::uint32_t>(absl::Hash<std::string_view>()(text));
  }

  std::string_view view(std::uint32_t index) const {
    // Each string is stored after its length.
    const char* p = texts[index];
    std::uint32_t size = 0;
    std::memcpy(&size, p, sizeof size);
    return {p + sizeof size, size};
  }

  std::uint32_t find(std::string_view name, std::uint32_t hash) const {
    return index.find(hash, [&](std::uint32_t i) { return view(i) == name; });
  }

  /// When memory fails, the name is not there; at most its block stays.
  std::uint32_t add(std::string_view name, std::uint32_t hash) {
    MO_ASSERT(name.size() < 0xFFFFFFFFU && texts.size() < NameId::kNone, "the name table is full");
    const std::size_t need = sizeof(std::uint32_t) + name.size();
    char* place = nullptr;
    if (need > kBlock / 4) {  // a separate block, after the current one
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
    index.make_room();
    texts.push_back(place);
    index.put(hash, static_cast<std::uint32_t>(texts.size() - 1));
    return static_cast<std::uint32_t>(texts.size() - 1);
  }

  static constexpr std::size_t kBlock = std::size_t{64} * 1024;
  static constexpr std::size_t kLeastBlock = 64;
  std::vector<const char*> texts;
  std::vector<std::unique_ptr<char[]>> blocks;
  std::size_t block_size = 0;  ///< of the last block
  std::size_t used = 0;        ///< of the last block
  MemoryCharge charge;         ///< of the blocks
  IndexTable index;
};

NameTable::NameTable() : state_(std::make_unique<State>()) {}
NameTable::~NameTable() = default;
NameTable::NameTable(NameTable&&) noexcept = default;
NameTable& NameTable::operator=(NameTable&&) noexcept = default;

NameId NameTable::find(std::string_view name) const { return NameId{state_->find(name, State::hash_of(name))}; }

NameId NameTable::intern(std::string_view name) {
  const std::uint32_t hash = State::hash_of(name);
  const std::uint32_t known = state_->find(name, hash);
  return NameId{known != IndexTable::kNone ? known : state_->add(name, hash)};
}

std::string_view NameTable::operator[](NameId id) const {
  return id.valid() ? state_->view(id.index) : std::string_view();
}

std::size_t NameTable::bytes() const {
  return static_cast<std::size_t>(state_->charge.bytes()) + state_->texts.capacity() * sizeof(const char*) +
         state_->index.bytes();
}

namespace {

std::uint32_t hash_of(const TensorType& type) {
  std::size_t h = static_cast<std::size_t>(type.element_type) * 2 + (type.shape.has_rank() ? 1 : 0);
  for (const Dimension& d : type.shape)
    h = (h ^ (static_cast<std::size_t>(d.min()) * 31 + static_cast<std::size_t>(d.max()) + d.symbol())) *
        0x9E3779B97F4A7C15ULL;
  return static_cast<std::uint32_t>(h ^ (h >> 32));
}

}  // namespace

TypeId TypeTable::intern(const TensorType& type) {
  // mostly what came just before
  if (last_ < types_.size() && *types_[last_] == type) return TypeId{last_};
  const std::uint32_t hash = hash_of(type);
  const std::uint32_t known = index_.find(hash, [&](std::uint32_t i) { return *types_[i] == type; });
  if (known != IndexTable::kNone) return TypeId{last_ = known};
  index_.make_room();
  types_.push_back(std::make_unique<const TensorType>(type));
  const auto added = static_cast<std::uint32_t>(types_.size() - 1);
  index_.put(hash, added);
  return TypeId{last_ = added};
}

const TensorType& TypeTable::unknown() {
  static const TensorType unknown;
  return unknown;
}

std::size_t TypeTable::bytes() const {
  std::size_t total = index_.bytes() + types_.capacity() * sizeof(void*);
  for (const auto& type : types_) total += sizeof(TensorType) + type->shape.size() * sizeof(Dimension);
  return total;
}

std::uint32_t OriginTable::hash_of(const Record& record) {
  return static_cast<std::uint32_t>(absl::HashOf(record.framework.index, record.op.index, record.part.index,
                                                 record.public_name.index, record.version, record.derived));
}

OriginId OriginTable::intern(NameTable& names, const Origin& origin) {
  const auto name = [&](std::string_view text) { return text.empty() ? NameId{} : names.intern(text); };
  const Record record{name(origin.framework),   name(origin.op), name(origin.part),
                      name(origin.public_name), origin.version,  origin.derived};
  const std::uint32_t hash = hash_of(record);
  if (const std::uint32_t known = index_.find(hash, [&](std::uint32_t i) { return records_[i] == record; });
      known != IndexTable::kNone)
    return OriginId{known};
  index_.make_room();
  records_.push_back(record);
  const auto added = static_cast<std::uint32_t>(records_.size() - 1);
  index_.put(hash, added);
  return OriginId{added};
}

Origin OriginTable::at(const NameTable& names, OriginId id) const {
  if (!id.valid()) return {};
  const Record& record = records_[id.index];
  const auto text = [&](NameId name) { return name.valid() ? names[name] : std::string_view(); };
  return {text(record.framework), text(record.op), record.version,
          text(record.part),      record.derived,  text(record.public_name)};
}

std::string Origin::label() const {
  if (empty()) return {};
  if (op.empty()) return fmt::format("{} {}", framework, part);
  return version > 0 ? fmt::format("{} {}, opset {}", framework, op, version) : fmt::format("{} {}", framework, op);
}

}  // namespace mo
