#pragma once

#include <snappy.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/tensorflow/checkpoint/crc32c.hpp"
#include "frontends/tensorflow/checkpoint/files.hpp"
#include "frontends/tensorflow/checkpoint/slice_spec.hpp"
#include "tensorflow.pb.h"

namespace mo::tensorflow::testing {

inline void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

template <class T>
void put_fixed(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::uint32_t crc_of(std::string_view bytes, std::uint32_t before = 0) {
  return crc32c(std::as_bytes(std::span(bytes)), before);
}

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// How tables are written.
struct TableOptions {
  std::size_t restart_interval = 16;
  std::size_t block_size = 262'144;
  bool compress = false;
};

/// A block of entries, as it is before compression.
class BlockWriter {
 public:
  explicit BlockWriter(std::size_t restart_interval) : interval_(restart_interval) {}

  void add(std::string_view key, std::string_view value) {
    std::size_t shared = 0;
    if (count_ % interval_ == 0) {
      restarts_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    } else {
      while (shared < key.size() && shared < last_.size() && key[shared] == last_[shared]) ++shared;
    }
    put_varint(bytes_, shared);
    put_varint(bytes_, key.size() - shared);
    put_varint(bytes_, value.size());
    bytes_ += key.substr(shared);
    bytes_ += value;
    last_ = key;
    ++count_;
  }
  std::string finish() {
    if (restarts_.empty()) restarts_.push_back(0);
    for (const std::uint32_t at : restarts_) put_fixed(bytes_, at);
    put_fixed(bytes_, static_cast<std::uint32_t>(restarts_.size()));
    return std::exchange(*this, BlockWriter(interval_)).bytes_;
  }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return count_ == 0; }
  const std::string& last() const { return last_; }

 private:
  std::size_t interval_;
  std::size_t count_ = 0;
  std::string bytes_;
  std::string last_;
  std::vector<std::uint32_t> restarts_;
};

/// Writes a table. The steps are public, so that tests can write ones that are wrong.
class TableWriter {
 public:
  explicit TableWriter(TableOptions options = {}) : options_(options), block_(options.restart_interval), index_(1) {}

  void add(std::string_view key, std::string_view value) {
    block_.add(key, value);
    if (block_.size() >= options_.block_size) flush();
  }
  void flush() {
    if (block_.empty()) return;
    const std::string last = block_.last();
    put_block(last, block_.finish(), options_.compress);
  }
  /// A finished block, whose keys are not greater than `last`.
  void put_block(std::string_view last, std::string_view bytes, bool compress) {
    index_.add(last, store(bytes, compress));
  }
  /// Appends block and trailer to the file; returns the handle.
  std::string store(std::string_view bytes, bool compress) {
    std::string packed;
    if (compress) snappy::Compress(bytes.data(), bytes.size(), &packed);
    return store_raw(compress ? std::string_view(packed) : bytes, compress ? '\1' : '\0');
  }
  std::string store_raw(std::string_view bytes, char compression) {
    std::string handle;
    put_varint(handle, file_.size());
    put_varint(handle, bytes.size());
    file_ += bytes;
    file_ += compression;
    put_fixed(file_, mask_crc(crc_of({&compression, 1}, crc_of(bytes))));
    return handle;
  }
  void put_index_entry(std::string_view last, std::string_view handle) { index_.add(last, handle); }

  std::string finish() {
    flush();
    std::string footer = store(BlockWriter(1).finish(), false);
    footer += store(index_.finish(), options_.compress);
    return std::move(file_) + footer_of(std::move(footer));
  }
  static std::string footer_of(std::string handles) {
    handles.resize(40);
    put_fixed(handles, std::uint64_t{0xDB4775248B80FB57});
    return handles;
  }

 private:
  TableOptions options_;
  BlockWriter block_;
  BlockWriter index_;
  std::string file_;
};

using Extents = std::vector<Extent>;

inline void set_shape(TensorShapeProto& proto, const Shape& shape) {
  for (const std::int64_t size : shape) proto.add_dim()->set_size(size);
}

inline void set_slice(TensorSliceProto& proto, const Extents& extents) {
  for (const Extent& extent : extents) {
    TensorSliceProto::Extent& e = *proto.add_extent();
    if (extent.length == Extent::kFull) continue;
    e.set_start(extent.start);
    e.set_length(extent.length);
  }
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// A V2 checkpoint. Entries are public until `write`, for tests that need wrong ones.
class BundleWriter {
 public:
  explicit BundleWriter(int shard_count = 1, TableOptions options = {})
      : options_(options), shards_(static_cast<std::size_t>(shard_count)) {
    header.set_num_shards(shard_count);
    header.mutable_version()->set_producer(1);
  }

  /// Adds a tensor to the next shard in turn.
  BundleEntryProto& add(const std::string& key, DataType type, const Shape& shape, std::string_view bytes) {
    BundleEntryProto& entry = entries[key];
    entry.set_dtype(type);
    set_shape(*entry.mutable_shape(), shape);
    place(entry, bytes, crc_of(bytes));
    return entry;
  }
  BundleEntryProto& add_strings(const std::string& key, const Shape& shape, const std::vector<std::string>& values) {
    BundleEntryProto& entry = entries[key];
    entry.set_dtype(DT_STRING);
    set_shape(*entry.mutable_shape(), shape);
    std::string bytes;
    std::uint32_t crc = 0;
    for (const std::string& value : values) {
      put_varint(bytes, value.size());
      std::string number;
      put_fixed(number, static_cast<std::uint32_t>(value.size()));
      crc = crc_of(number, crc);
    }
    std::string rest;
    put_fixed(rest, mask_crc(crc));
    for (const std::string& value : values) rest += value;
    place(entry, bytes + rest, crc_of(rest, crc));
    return entry;
  }
  /// Adds a slice of a variable of shape `whole`.
  BundleEntryProto& add_slice(const std::string& key, DataType type, const Shape& whole, const Extents& slice,
                              std::string_view bytes) {
    BundleEntryProto& variable = entries[key];
    variable.set_dtype(type);
    variable.clear_shape();
    set_shape(*variable.mutable_shape(), whole);
    set_slice(*variable.add_slices(), slice);
    Shape shape;
    for (std::size_t i = 0; i < slice.size(); ++i)
      shape.push_back(slice[i].length == Extent::kFull ? whole[i] : slice[i].length);
    return add(encode_slice_key(key, slice), type, shape, bytes);
  }

  std::string index() const {
    TableWriter table(options_);
    table.add("", header.SerializeAsString());
    for (const auto& [key, entry] : entries) table.add(key, entry.SerializeAsString());
    return table.finish();
  }
  void write(const std::filesystem::path& prefix) const {
    write_file(prefix.string() + ".index", index());
    for (std::size_t i = 0; i < shards_.size(); ++i)
      write_file(shard_name(prefix.string() + ".data-", static_cast<std::int64_t>(i),
                            static_cast<std::int64_t>(shards_.size())),
                 shards_[i]);
  }

  BundleHeaderProto header;
  std::map<std::string, BundleEntryProto> entries;

 private:
  void place(BundleEntryProto& entry, std::string_view bytes, std::uint32_t crc) {
    std::string& shard = shards_[next_];
    entry.set_shard_id(static_cast<int>(next_));
    entry.set_offset(static_cast<std::int64_t>(shard.size()));
    entry.set_size(static_cast<std::int64_t>(bytes.size()));
    entry.set_crc32c(mask_crc(crc));
    shard += bytes;
    next_ = (next_ + 1) % shards_.size();
  }

  TableOptions options_;
  std::vector<std::string> shards_;
  std::size_t next_ = 0;
};

/// One table of a V1 checkpoint: SavedTensorSlices messages, whose fields are written by hand.
class SavedSlicesWriter {
 public:
  explicit SavedSlicesWriter(TableOptions options = {}) : options_(options) {}

  void add(const std::string& name, DataType type, const Shape& whole, const Extents& slice,
           const TensorProto& values) {
    Variable& variable = variables[name];
    variable.type = type;
    variable.shape = whole;
    variable.slices.push_back(slice);
    std::string saved;
    put_field(saved, 1, name);
    put_field(saved, 2, slice_of(slice));
    put_field(saved, 3, values.SerializeAsString());
    std::string record;
    put_field(record, 2, saved);
    records[encode_slice_key(name, slice)] = record;
  }
  void add(const std::string& name, DataType type, const Shape& whole, const TensorProto& values) {
    add(name, type, whole, Extents(whole.size()), values);
  }

  std::string finish() const {
    std::string meta;
    for (const auto& [name, variable] : variables) {
      std::string text;
      TensorShapeProto shape;
      set_shape(shape, variable.shape);
      put_field(text, 1, name);
      put_field(text, 2, shape.SerializeAsString());
      text += '\x18';  // field 3, varint
      put_varint(text, static_cast<std::uint64_t>(variable.type));
      for (const Extents& slice : variable.slices) put_field(text, 4, slice_of(slice));
      put_field(meta, 1, text);
    }
    std::string list;
    put_field(list, 1, meta);
    TableWriter table(options_);
    table.add("", list);
    for (const auto& [key, record] : records) table.add(key, record);
    return table.finish();
  }

  struct Variable {
    DataType type = DT_INVALID;
    Shape shape;
    std::vector<Extents> slices;
  };
  std::map<std::string, Variable> variables;
  std::map<std::string, std::string> records;

 private:
  static void put_field(std::string& out, unsigned number, std::string_view bytes) {
    put_varint(out, number << 3U | 2U);
    put_varint(out, bytes.size());
    out += bytes;
  }
  static std::string slice_of(const Extents& extents) {
    TensorSliceProto proto;
    set_slice(proto, extents);
    return proto.SerializeAsString();
  }
  TableOptions options_;
};

}  // namespace mo::tensorflow::testing
