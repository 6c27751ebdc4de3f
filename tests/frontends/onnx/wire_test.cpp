#include "frontends/common/wire.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>

namespace mo::frontends {
namespace {

BufferPtr buffer_of(std::string_view bytes) {
  auto heap = *HeapBuffer::allocate(bytes.size());
  if (!bytes.empty()) std::memcpy(heap->mutable_bytes(), bytes.data(), bytes.size());
  return heap;
}

/// The code of the first error when all fields are read; "" when there is none.
std::string scan(std::string_view bytes, std::vector<WireField>* fields = nullptr) {
  WireSource source(buffer_of(bytes), "test");
  WireReader reader(source);
  const auto done = reader.each([&](const WireField& field) -> Expected<void> {
    if (fields) fields->push_back(field);
    return {};
  });
  return done ? std::string() : done.error().first().code;
}

using namespace std::string_literals;

TEST(Wire, every_wire_type_is_read) {
  std::vector<WireField> fields;
  EXPECT_EQ(scan("\x08\x96\x01\x11\x01\x02\x03\x04\x05\x06\x07\x08\x1A\x02hi\x25\x01\x00\x00\x00"s, &fields), "");
  ASSERT_EQ(fields.size(), 4U);
  EXPECT_EQ(fields[0].number, 1U);
  EXPECT_EQ(fields[0].value, 150U);
  EXPECT_EQ(fields[1].value, 0x0807060504030201U);
  EXPECT_EQ(fields[2].offset, 14U);
  EXPECT_EQ(fields[2].size, 2U);
  EXPECT_EQ(fields[3].value, 1U);
}

TEST(Wire, a_message_cut_off_inside_of_a_field_is_an_error) {
  const std::string whole = "\x08\x96\x01\x11\x01\x02\x03\x04\x05\x06\x07\x08\x1A\x02hi\x25\x01\x00\x00\x00"s;
  const std::set<std::size_t> ends{0, 3, 12, 16, 21};
  for (std::size_t size = 0; size <= whole.size(); ++size)
    EXPECT_EQ(scan(whole.substr(0, size)), ends.contains(size) ? "" : "MO-PB-0001") << size;
}

TEST(Wire, a_length_beyond_the_message_is_an_error_whatever_its_size) {
  EXPECT_EQ(scan("\x0A\x05hi"s), "MO-PB-0001");
  EXPECT_EQ(scan("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"s), "MO-PB-0001");
  EXPECT_EQ(scan("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s), "MO-PB-0001");
}

TEST(Wire, field_numbers_and_wire_types_that_do_not_exist_are_errors) {
  EXPECT_EQ(scan("\x00\x01"s), "MO-PB-0002");
  EXPECT_EQ(scan("\xF8\xFF\xFF\xFF\xFF\x01\x01"s), "MO-PB-0002");
  EXPECT_EQ(scan("\x0E\x01"s), "MO-PB-0003");
  EXPECT_EQ(scan("\x0F\x01"s), "MO-PB-0003");
  EXPECT_EQ(scan("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s), "MO-PB-0004");
}

TEST(Wire, groups_are_skipped_as_one_field_and_must_match) {
  std::vector<WireField> fields;
  EXPECT_EQ(scan("\x0B\x08\x01\x13\x14\x0C\x18\x07"s, &fields), "");
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].type, WireType::group);
  EXPECT_EQ(fields[0].size, 4U);
  EXPECT_EQ(fields[1].value, 7U);
  EXPECT_EQ(scan("\x0B\x08\x01"s), "MO-PB-0005");
  EXPECT_EQ(scan("\x0B\x14"s), "MO-PB-0005");
  EXPECT_EQ(scan("\x0C"s), "MO-PB-0005");
  EXPECT_EQ(scan(std::string(10'000'000, '\x0B')), "MO-PB-0005");
}

TEST(Wire, typed_access_checks_the_wire_type) {
  WireSource source(buffer_of("\x0A\x02hi"s), "test");
  const WireField text{.number = 1, .type = WireType::bytes, .value = 0, .offset = 2, .size = 2};
  EXPECT_EQ(*text_of(source, text), "hi");
  EXPECT_EQ(*short_text_of(source, text), "hi");
  EXPECT_EQ(integer_of(text).error().first().code, "MO-PB-0006");
  EXPECT_EQ(float_of(text).error().first().code, "MO-PB-0006");
  EXPECT_EQ(double_of(text).error().first().code, "MO-PB-0006");
  EXPECT_EQ(text_of(source, text, 1).error().first().code, "MO-PB-0008");
  const WireField number{.number = 1, .type = WireType::varint, .value = 5, .offset = 0, .size = 1};
  EXPECT_EQ(*integer_of(number), 5);
  EXPECT_EQ(message_of(source, number).error().first().code, "MO-PB-0006");
  EXPECT_EQ(text_of(source, number).error().first().code, "MO-PB-0006");
}

TEST(Wire, packed_and_single_numbers_are_read_alike) {
  std::vector<std::uint64_t> values;
  const auto collect = [&](std::uint64_t v) -> Expected<void> {
    values.push_back(v);
    return {};
  };
  WireSource source(buffer_of("\x01\x96\x01\x03"s), "test");
  EXPECT_TRUE(each_varint(source, {1, WireType::bytes, 0, 0, 4}, collect));
  EXPECT_TRUE(each_varint(source, {1, WireType::varint, 9, 0, 1}, collect));
  EXPECT_EQ(values, (std::vector<std::uint64_t>{1, 150, 3, 9}));
  EXPECT_EQ(each_varint(source, {1, WireType::bytes, 0, 0, 2}, collect).error().first().code, "MO-PB-0001");
  EXPECT_EQ(each_varint(source, {1, WireType::fixed32, 0, 0, 4}, collect).error().first().code, "MO-PB-0006");
  const auto ignore = [](float) -> Expected<void> { return {}; };
  EXPECT_EQ(each_fixed<float>(source, {1, WireType::bytes, 0, 0, 3}, ignore).error().first().code, "MO-PB-0007");
  EXPECT_EQ(each_fixed<float>(source, {1, WireType::fixed64, 0, 0, 8}, ignore).error().first().code, "MO-PB-0006");
}

TEST(Wire, long_packed_lists_are_read_across_pieces) {
  std::string bytes;
  for (int i = 0; i < 30'000; ++i) bytes += "\x96\x01"s + (i % 3 == 0 ? "\x05"s : ""s);
  WireSource source(buffer_of(bytes), "test");
  std::uint64_t sum = 0;
  EXPECT_TRUE(each_varint(source, {1, WireType::bytes, 0, 0, bytes.size()}, [&](std::uint64_t v) -> Expected<void> {
    sum += v;
    return {};
  }));
  EXPECT_EQ(sum, 30'000U * 150 + 10'000U * 5);
}

TEST(Wire, a_file_is_seen_through_its_window_like_memory) {
  // Fields of all sizes, so that every kind of jump over the window happens.
  std::string bytes;
  std::vector<std::size_t> sizes;
  for (std::size_t size :
       {std::size_t{0}, std::size_t{100}, std::size_t{20'000}, std::size_t{3'000'000}, std::size_t{7}}) {
    for (int i = 0; i < 40; ++i) {
      if (size == 3'000'000 && i > 1) break;
      std::string length;
      for (std::size_t rest = size; length.empty() || rest > 0; rest >>= 7)
        length += static_cast<char>((rest & 0x7F) | (rest > 0x7F ? 0x80 : 0));
      bytes += "\x0A"s + length + std::string(size, static_cast<char>('a' + i % 26));
      sizes.push_back(size);
    }
  }
  const std::string path = ::testing::TempDir() + "mo_wire_test.bin";
  std::ofstream(path, std::ios::binary) << bytes;
  WireSource source(*File::open(path));
  WireReader reader(source);
  std::size_t i = 0;
  EXPECT_TRUE(reader.each([&](const WireField& field) -> Expected<void> {
    EXPECT_EQ(field.size, sizes[i++]);
    if (field.size > 0 && field.size <= 20'000) {
      const auto text = text_of(source, field);
      EXPECT_EQ(text->front(), text->back());
    }
    return {};
  }));
  EXPECT_EQ(i, sizes.size());
  const auto range = source.share(0, 5);
  ASSERT_TRUE(range);
  EXPECT_NE(range->buffer->file_range(), nullptr);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace mo::frontends
