#include "benchmarks/tensorflow_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace mo::benchmarks {
namespace {

using namespace wire;  // NOLINT: the encoding is all that this file is about

// Field numbers of TensorFlow's messages.
namespace tensorflow_field {
constexpr int graph_node = 1;
constexpr int node_name = 1, node_op = 2, node_input = 3, node_attribute = 5;
constexpr int entry_key = 1, entry_value = 2;
constexpr int value_list = 1, value_text = 2, value_float = 4, value_bool = 5, value_type = 6, value_shape = 7,
              value_tensor = 8;
constexpr int list_integer = 3;
constexpr int shape_dim = 2, dim_size = 1;
constexpr int tensor_type = 1, tensor_shape = 2, tensor_content = 4;
constexpr int header_shards = 1, entry_type = 1, entry_shape = 2, entry_shard = 3, entry_offset = 4, entry_size = 5;
}  // namespace tensorflow_field
constexpr std::uint64_t kFloat = 1;
constexpr std::uint64_t kInt32 = 3;

std::string encode_shape(const std::vector<std::int64_t>& dims) {
  std::string out;
  for (const std::int64_t size : dims) {
    std::string dim;
    number(dim, tensorflow_field::dim_size, static_cast<std::uint64_t>(size));
    text(out, tensorflow_field::shape_dim, dim);
  }
  return out;
}

std::uint64_t float_bytes(const std::vector<std::int64_t>& dims) {
  std::uint64_t bytes = sizeof(float);
  for (const std::int64_t dim : dims) bytes *= static_cast<std::uint64_t>(dim);
  return bytes;
}

/// An attribute whose value is `head` and then `behind` bytes that follow in the file; all lengths around it count
/// them.
std::string attribute_head(std::string_view name, const std::string& head, std::uint64_t behind) {
  std::string entry;
  text(entry, tensorflow_field::entry_key, name);
  length(entry, tensorflow_field::entry_value, head.size() + behind);
  entry += head;
  std::string out;
  length(out, tensorflow_field::node_attribute, entry.size() + behind);
  return out + entry;
}

// -- tables: sorted keys in blocks, as checkpoints index their tensors ------------------------------------------------

std::uint32_t crc32c(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c >> 1) ^ ((c & 1U) != 0 ? 0x82F63B78U : 0U);
      made[i] = c;
    }
    return made;
  }();
  std::uint32_t crc = ~0U;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (crc >> 8);
  return ~crc;
}

void fixed32(std::string& out, std::uint32_t value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); }

/// Appends a block of entries without shared prefixes, and its trailer; gives its handle.
std::string add_block(std::string& file, const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string block;
  std::vector<std::uint32_t> restarts;
  for (const auto& [key, value] : entries) {
    restarts.push_back(static_cast<std::uint32_t>(block.size()));
    varint(block, 0);
    varint(block, key.size());
    varint(block, value.size());
    block += key + value;
  }
  if (restarts.empty()) restarts.push_back(0);
  for (const std::uint32_t at : restarts) fixed32(block, at);
  fixed32(block, static_cast<std::uint32_t>(restarts.size()));
  std::string handle;
  varint(handle, file.size());
  varint(handle, block.size());
  block += '\0';  // not compressed
  const std::uint32_t crc = crc32c(block);
  fixed32(block, ((crc >> 15) | (crc << 17)) + 0xA282EAD8U);
  file += block;
  return handle;
}

}  // namespace

TensorFlowAttribute TensorFlowAttribute::type(std::string_view name) {
  TensorFlowAttribute made{name, {}};
  number(made.value, tensorflow_field::value_type, kFloat);
  return made;
}
TensorFlowAttribute TensorFlowAttribute::of(std::string_view name, std::string_view value) {
  TensorFlowAttribute made{name, {}};
  text(made.value, tensorflow_field::value_text, value);
  return made;
}
TensorFlowAttribute TensorFlowAttribute::of(std::string_view name, float value) {
  TensorFlowAttribute made{name, {}};
  real(made.value, tensorflow_field::value_float, value);
  return made;
}
TensorFlowAttribute TensorFlowAttribute::of(std::string_view name, bool value) {
  TensorFlowAttribute made{name, {}};
  number(made.value, tensorflow_field::value_bool, value ? 1 : 0);
  return made;
}
TensorFlowAttribute TensorFlowAttribute::of(std::string_view name, const std::vector<std::int64_t>& list) {
  TensorFlowAttribute made{name, {}};
  std::string items;
  for (const std::int64_t item : list) number(items, tensorflow_field::list_integer, static_cast<std::uint64_t>(item));
  text(made.value, tensorflow_field::value_list, items);
  return made;
}
TensorFlowAttribute TensorFlowAttribute::shape(std::string_view name, const std::vector<std::int64_t>& dims) {
  TensorFlowAttribute made{name, {}};
  text(made.value, tensorflow_field::value_shape, encode_shape(dims));
  return made;
}

TensorFlowWriter::TensorFlowWriter(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  good_ = file_ != nullptr;
}

void TensorFlowWriter::put(const std::string& bytes) {
  good_ = good_ && wire::put(file_.get(), bytes.data(), bytes.size());
}

std::string TensorFlowWriter::node(std::string_view op, const std::vector<std::string_view>& inputs,
                                   std::string_view name, const std::vector<TensorFlowAttribute>& attributes) {
  std::string message;
  text(message, tensorflow_field::node_name, name);
  text(message, tensorflow_field::node_op, op);
  for (const std::string_view input : inputs) text(message, tensorflow_field::node_input, input);
  for (const TensorFlowAttribute& attribute : attributes) message += attribute_head(attribute.name, attribute.value, 0);
  std::string out;
  text(out, tensorflow_field::graph_node, message);
  put(out);
  return std::string(name);
}

std::string TensorFlowWriter::placeholder(std::string_view name, const std::vector<std::int64_t>& dims) {
  return node("Placeholder", {}, name, {TensorFlowAttribute::type("dtype"), TensorFlowAttribute::shape("shape", dims)});
}

std::string TensorFlowWriter::weight(std::string_view name, const std::vector<std::int64_t>& dims, float spread,
                                     float centre) {
  const std::uint64_t bytes = float_bytes(dims);
  std::string tensor;
  number(tensor, tensorflow_field::tensor_type, kFloat);
  text(tensor, tensorflow_field::tensor_shape, encode_shape(dims));
  length(tensor, tensorflow_field::tensor_content, bytes);
  std::string value;
  length(value, tensorflow_field::value_tensor, tensor.size() + bytes);
  value += tensor;
  std::string message;
  text(message, tensorflow_field::node_name, name);
  text(message, tensorflow_field::node_op, "Const");
  message += attribute_head("dtype", TensorFlowAttribute::type("dtype").value, 0);
  message += attribute_head("value", value, bytes);
  std::string head;
  length(head, tensorflow_field::graph_node, message.size() + bytes);
  put(head + message);
  good_ = good_ && put_noise(file_.get(), bytes, spread, centre, seed_++ << 32);
  return std::string(name);
}

std::string TensorFlowWriter::integers(std::string_view name, const std::vector<std::int64_t>& values, bool is_scalar) {
  std::string content;
  for (const std::int64_t value : values) fixed32(content, static_cast<std::uint32_t>(value));
  std::string tensor;
  number(tensor, tensorflow_field::tensor_type, kInt32);
  text(tensor, tensorflow_field::tensor_shape,
       is_scalar ? std::string() : encode_shape({static_cast<std::int64_t>(values.size())}));
  text(tensor, tensorflow_field::tensor_content, content);
  TensorFlowAttribute dtype{"dtype", {}};
  number(dtype.value, tensorflow_field::value_type, kInt32);
  TensorFlowAttribute value{"value", {}};
  text(value.value, tensorflow_field::value_tensor, tensor);
  return node("Const", {}, name, {dtype, value});
}

bool TensorFlowWriter::finish() {
  good_ = file_ && std::fclose(file_.release()) == 0 && good_;
  if (!good_) std::fprintf(stderr, "cannot write \"%s\": %s\n", path_.c_str(), std::strerror(errno));
  return good_;
}

bool write_checkpoint(const std::string& prefix, std::vector<CheckpointTensor> tensors, int shards) {
  std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  bool good = true;
  std::vector<FilePtr> files;
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(shards));
  for (int i = 0; i < shards; ++i) {
    files.emplace_back(std::fopen(fmt::format("{}.data-{:05}-of-{:05}", prefix, i, shards).c_str(), "wb"));
    good = good && files.back();
  }
  std::string header;
  number(header, tensorflow_field::header_shards, static_cast<std::uint64_t>(shards));
  std::vector<std::pair<std::string, std::string>> entries = {{"", header}};
  for (std::size_t i = 0; good && i < tensors.size(); ++i) {
    const std::size_t shard = i % files.size();
    const std::uint64_t bytes = float_bytes(tensors[i].dims);
    std::string entry;
    number(entry, tensorflow_field::entry_type, kFloat);
    text(entry, tensorflow_field::entry_shape, encode_shape(tensors[i].dims));
    number(entry, tensorflow_field::entry_shard, shard);
    number(entry, tensorflow_field::entry_offset, offsets[shard]);
    number(entry, tensorflow_field::entry_size, bytes);
    entries.emplace_back(tensors[i].key, entry);
    good = put_noise(files[shard].get(), bytes, 0.05F, 0, (i + 1) << 32);
    offsets[shard] += bytes;
  }
  for (FilePtr& file : files) good = file && std::fclose(file.release()) == 0 && good;

  std::string table;
  const std::string data = add_block(table, entries);
  const std::string meta = add_block(table, {});
  std::string footer = meta + add_block(table, {{entries.back().first, data}});
  footer.resize(40);
  const std::uint64_t magic = 0xDB4775248B80FB57ULL;
  footer.append(reinterpret_cast<const char*>(&magic), sizeof magic);
  table += footer;
  const FilePtr index(std::fopen((prefix + ".index").c_str(), "wb"));
  good = good && index && wire::put(index.get(), table.data(), table.size());
  if (!good) std::fprintf(stderr, "cannot write the checkpoint \"%s\": %s\n", prefix.c_str(), std::strerror(errno));
  return good;
}

}  // namespace mo::benchmarks
