#include "core/files/memory_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/files/file.hpp"
#include "core/files/output_set.hpp"

namespace mo {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
std::string_view text_of(const MemoryFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MemoryFile, IsReadByItsPathAsLongAsItLives) {
  auto held = MemoryFile::copy_of(bytes_of("content"));
  ASSERT_TRUE(held);
  EXPECT_EQ(text_of(**held), "content");
  const std::string path = (*held)->path();
  auto file = File::open(path);
  ASSERT_TRUE(file);
  held->reset();
  std::string text(7, ' ');
  ASSERT_TRUE((*file)->read(0, std::as_writable_bytes(std::span(text)))) << "whoever opened it keeps it";
  EXPECT_EQ(text, "content");
  file->reset();
  EXPECT_FALSE(File::open(path));
}

TEST(MemoryFile, MayBeEmpty) {
  const auto empty = MemoryFile::copy_of({});
  ASSERT_TRUE(empty);
  EXPECT_TRUE((*empty)->bytes().empty());
  EXPECT_TRUE(File::open((*empty)->path()));
}

TEST(MemoryFile, IsRefusedWhereTheProcessMayOpenNoMoreFiles) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto refused = MemoryFile::copy_of(bytes_of("content"));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().first().code, "MO-LIMIT-0006");
}

TEST(OutputSetInMemory, HoldsTheWrittenBytesAfterItIsClosed) {
  const std::unique_ptr<OutputSet> set = OutputSet::in_memory({"a", "b"});
  for (const std::size_t i : {0, 1}) {
    const auto file = set->open(i);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->write(bytes_of(i == 0 ? "first" : "")));
    EXPECT_EQ((*file)->memory(), nullptr);
    ASSERT_TRUE((*file)->close());
    ASSERT_NE((*file)->memory(), nullptr);
    EXPECT_EQ(text_of(*(*file)->memory()), i == 0 ? "first" : "");
  }
  EXPECT_TRUE(set->commit());
}

TEST(InputFilesPaths, AreSortedAndUnique) {
  InputFiles files;
  const auto b = MemoryFile::copy_of(bytes_of("b"));
  const auto a = MemoryFile::copy_of(bytes_of("a"));
  ASSERT_TRUE(a && b);
  for (const auto& file : {*b, *a, *b}) files.add_path(file->path());
  std::vector<std::string> wanted = {(*a)->path(), (*b)->path()};
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(files.paths(), wanted);
}

}  // namespace
}  // namespace mo
