#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "frontends/tensorflow/checkpoint/checkpoint.hpp"
#include "tests/frontends/tensorflow/checkpoint_writer.hpp"

namespace mo::tensorflow::testing {

namespace fs = std::filesystem;

/// A folder that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "mo_checkpoint_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The code of the first error; "" when there is none.
template <class T>
std::string code_of(const Expected<T>& result) {
  return result ? std::string() : result.error().first().code;
}

/// A checkpoint, or why there is none.
struct Opened {
  Expected<std::unique_ptr<Checkpoint>> checkpoint;
  std::vector<Diagnostic> warnings;

  std::string code() const { return code_of(checkpoint); }
  explicit operator bool() const { return checkpoint.has_value(); }
  const Checkpoint* operator->() const { return checkpoint->get(); }
};

inline Opened open_checkpoint(const fs::path& prefix, Links links = Links::refused) {
  DiagnosticList sink;
  auto checkpoint = Checkpoint::open(prefix.string(), sink, links);
  return {std::move(checkpoint), std::move(sink.items)};
}

template <class T>
std::vector<T> elements(const Expected<Tensor>& tensor) {
  EXPECT_TRUE(tensor) << (tensor ? std::string() : tensor.error().first().format());
  if (!tensor) return {};
  const auto loaded = tensor->load();
  EXPECT_TRUE(loaded);
  if (!loaded) return {};
  const auto values = loaded->template values<T>();
  return {values.begin(), values.end()};
}

inline std::string raw(const Expected<Tensor>& tensor) {
  EXPECT_TRUE(tensor) << (tensor ? std::string() : tensor.error().first().format());
  if (!tensor) return {};
  const auto loaded = tensor->load();
  EXPECT_TRUE(loaded);
  if (!loaded) return {};
  return {reinterpret_cast<const char*>(loaded->bytes().data()), loaded->bytes().size()};
}

/// Numbers 0 … of a matrix, or of a rectangle of it.
inline std::vector<std::int32_t> rectangle(std::int64_t columns, std::int64_t y, std::int64_t height, std::int64_t x,
                                           std::int64_t width) {
  std::vector<std::int32_t> values;
  for (std::int64_t i = y; i < y + height; ++i)
    for (std::int64_t k = x; k < x + width; ++k) values.push_back(static_cast<std::int32_t>(i * columns + k));
  return values;
}

/// A small checkpoint: two numbers, text, and a sliced variable.
inline BundleWriter small_bundle(TableOptions options = {}) {
  BundleWriter writer(1, options);
  writer.add("a", DT_FLOAT, {2}, bytes_of(std::vector<float>{1, 2}));
  writer.add("ab", DT_INT32, {}, bytes_of(std::vector<std::int32_t>{3}));
  writer.add_strings("text", {2}, {"x", "yz"});
  writer.add_slice("v", DT_INT32, {4}, {{0, 1}}, bytes_of(std::vector<std::int32_t>{4}));
  writer.add_slice("v", DT_INT32, {4}, {{1, 3}}, bytes_of(std::vector<std::int32_t>{5, 6, 7}));
  return writer;
}

/// Opens the checkpoint and reads all of it; the first code.
inline std::string read_all(const fs::path& prefix, Links links = Links::refused) {
  const Opened opened = open_checkpoint(prefix, links);
  if (!opened) return opened.code();
  for (const std::string& key : opened->keys()) {
    const auto tensor = opened->read(key);
    if (!tensor) return code_of(tensor);
    if (const auto loaded = tensor->load(); !loaded) return code_of(loaded);
  }
  return "";
}

}  // namespace mo::tensorflow::testing
