#include <sys/stat.h>

#include <functional>

#include "frontends/tensorflow/checkpoint/table.hpp"
#include "tests/frontends/tensorflow/checkpoint_folder.hpp"

namespace mo::tensorflow::testing {
namespace {

using namespace std::string_literals;

/// What reading says after the index was written by `index`.
std::string code_of_index(const std::string& index) {
  Folder folder;
  small_bundle().write(folder / "m");
  write_file(folder / "m.index", index);
  return read_all(folder / "m");
}

std::string header_bytes() { return small_bundle().header.SerializeAsString(); }

TEST(DamagedTable, a_file_that_is_not_a_table_is_refused) {
  const std::string index = small_bundle().index();
  EXPECT_EQ(code_of_index(index), "");
  EXPECT_EQ(code_of_index(""), "MO-TF-0403");
  EXPECT_EQ(code_of_index("short"), "MO-TF-0403");
  EXPECT_EQ(code_of_index(std::string(1000, 'x')), "MO-TF-0403");
  std::string magic = index;
  magic.back() ^= 1;
  EXPECT_EQ(code_of_index(magic), "MO-TF-0403");
  EXPECT_EQ(code_of_index(TableWriter::footer_of(std::string(40, '\xFF'))), "MO-TF-0403");
}

TEST(DamagedTable, a_cut_off_at_any_byte_is_an_error) {
  for (const TableOptions& options : {TableOptions{}, TableOptions{1, 1, false}, TableOptions{16, 50, true}}) {
    const std::string index = small_bundle(options).index();
    for (std::size_t size = 0; size < index.size(); ++size)
      ASSERT_EQ(code_of_index(index.substr(0, size)), "MO-TF-0403") << size;
  }
}

TEST(DamagedTable, a_wrong_byte_is_an_error_or_does_not_matter) {
  for (const TableOptions& options : {TableOptions{}, TableOptions{2, 50, true}}) {
    const std::string index = small_bundle(options).index();
    Folder folder;
    small_bundle(options).write(folder / "m");
    // The block of meta data, which is not read, is all that may differ unnoticed.
    const std::size_t footer = index.size() - 48;
    const auto* at = reinterpret_cast<const std::byte*>(index.data() + footer);
    std::uint64_t unread = 0;
    ASSERT_GT(frontends::detail::decode_varint(at, at + 10, unread), 0);
    for (std::size_t i = 0; i < index.size(); ++i)
      for (const int change : {1, 0x80, 0xFF}) {
        std::string damaged = index;
        damaged[i] = static_cast<char>(damaged[i] ^ change);
        write_file(folder / "m.index", damaged);
        const std::string code = read_all(folder / "m");
        if (i < unread || (i >= unread + 13 && i < footer)) { ASSERT_NE(code, "") << i; }
      }
  }
}

TEST(DamagedTable, blocks_outside_of_the_file_or_over_each_other_are_refused) {
  const auto index_with = [](std::uint64_t offset, std::uint64_t size, int times = 1) {
    TableWriter table;
    table.put_block(
        "",
        [] {
          BlockWriter block(1);
          block.add("", header_bytes());
          return block.finish();
        }(),
        false);
    for (int i = 0; i < times; ++i) {
      std::string handle;
      put_varint(handle, offset);
      put_varint(handle, size);
      table.put_index_entry("k" + std::to_string(i), handle);
    }
    return table.finish();
  };
  EXPECT_EQ(code_of_index(index_with(UINT64_MAX, 1)), "MO-TF-0404");
  EXPECT_EQ(code_of_index(index_with(1, UINT64_MAX)), "MO-TF-0404");
  EXPECT_EQ(code_of_index(index_with(100, UINT64_MAX - 100)), "MO-TF-0404");
  EXPECT_EQ(code_of_index(index_with(1'000'000, 10)), "MO-TF-0404");
  EXPECT_EQ(code_of_index(index_with(0, 10)), "MO-TF-0404");
  EXPECT_EQ(code_of_index(index_with(40, 8, 1000)), "MO-TF-0404");
  // In the footer.
  std::string handles;
  for (const std::uint64_t number : {0, 8, 1'000'000, 8}) put_varint(handles, number);
  EXPECT_EQ(code_of_index(TableWriter::footer_of(handles)), "MO-TF-0404");
  TableWriter table;
  table.put_index_entry("k", "\x80");
  EXPECT_EQ(code_of_index(table.finish()), "MO-TF-0404");
}

TEST(DamagedTable, a_wrong_checksum_of_a_block_is_an_error) {
  std::string index = small_bundle().index();
  index[3] = static_cast<char>(index[3] ^ 0x10);
  EXPECT_EQ(code_of_index(index), "MO-TF-0405");
}

/// A table of one block, which is stored as it is.
std::string table_of(std::string_view block, char compression = '\0') {
  TableWriter table;
  table.put_index_entry("zzz", table.store_raw(block, compression));
  return table.finish();
}

TEST(DamagedTable, compression_that_is_unknown_or_a_bomb_is_refused) {
  BlockWriter writer(16);
  writer.add("", header_bytes());
  const std::string block = writer.finish();
  std::string packed;
  snappy::Compress(block.data(), block.size(), &packed);
  EXPECT_EQ(code_of_index(table_of(packed, '\1')), "");
  EXPECT_EQ(code_of_index(table_of(block, '\2')), "MO-TF-0406");
  EXPECT_EQ(code_of_index(table_of(block, '\xFF')), "MO-TF-0406");
  EXPECT_EQ(code_of_index(table_of(packed.substr(0, packed.size() - 2), '\1')), "MO-TF-0406");
  EXPECT_EQ(code_of_index(table_of("", '\1')), "MO-TF-0406");
  // A kilobyte that says to be 4 GB, and one that says to be just below the limit.
  EXPECT_EQ(code_of_index(table_of("\xFF\xFF\xFF\xFF\x0F" + std::string(1000, '\0'), '\1')), "MO-TF-0406");
  EXPECT_EQ(code_of_index(table_of("\xFF\xFF\xFF\xFF\x07" + std::string(1000, '\0'), '\1')), "MO-TF-0406");
  EXPECT_EQ(code_of_index(table_of("\x80\x80\x80\x80\x80\x80" + std::string(1000, '\0'), '\1')), "MO-TF-0406");
}

TEST(DamagedTable, wrong_restart_points_are_refused) {
  const auto with_restarts = [](const std::vector<std::uint32_t>& restarts, std::uint32_t count) {
    std::string block;
    for (const char* key : {"", "a", "ab"}) {
      const std::string value = *key ? small_bundle().entries[key].SerializeAsString() : header_bytes();
      const std::string_view text(key);
      block += text == "ab" ? '\1' : '\0';
      block += text.empty() ? '\0' : '\1';
      put_varint(block, value.size());
      block += text.substr(text.size() > 1 ? 1 : 0);
      block += value;
    }
    for (const std::uint32_t at : restarts) put_fixed(block, at);
    put_fixed(block, count);
    return code_of_index(table_of(block));
  };
  const auto second = static_cast<std::uint32_t>(3 + header_bytes().size());
  EXPECT_EQ(with_restarts({0}, 1), "");
  EXPECT_EQ(with_restarts({0, second}, 2), "");
  EXPECT_EQ(with_restarts({0}, 0), "MO-TF-0407");
  EXPECT_EQ(with_restarts({0}, 100), "MO-TF-0407");
  EXPECT_EQ(with_restarts({0}, UINT32_MAX), "MO-TF-0407");
  EXPECT_EQ(with_restarts({1}, 1), "MO-TF-0407");
  EXPECT_EQ(with_restarts({0, 0}, 2), "MO-TF-0407");
  EXPECT_EQ(with_restarts({0, second + 1}, 2), "MO-TF-0407") << "inside of an entry";
  EXPECT_EQ(with_restarts({0, 1'000'000}, 2), "MO-TF-0407");
  const auto third = static_cast<std::uint32_t>(second + 4 + small_bundle().entries["a"].ByteSizeLong());
  EXPECT_EQ(with_restarts({0, third}, 2), "MO-TF-0407") << "an entry that shares its key is none";
  EXPECT_EQ(code_of_index(table_of("")), "MO-TF-0407");
  EXPECT_EQ(code_of_index(table_of("\0\0\0\0\1\0\0"s)), "MO-TF-0407");
}

TEST(DamagedTable, entries_that_do_not_fit_are_refused) {
  const auto with_entry = [](std::string_view entry) {
    std::string block(entry);
    put_fixed(block, std::uint32_t{0});
    put_fixed(block, std::uint32_t{1});
    return code_of_index(table_of(block));
  };
  EXPECT_EQ(with_entry("\0"s), "MO-TF-0407");
  EXPECT_EQ(with_entry("\0\0"s), "MO-TF-0407");
  EXPECT_EQ(with_entry("\0\0\x05"s), "MO-TF-0407");
  EXPECT_EQ(with_entry("\0\x05\0a"s), "MO-TF-0407");
  EXPECT_EQ(with_entry("\x05\0\0"s), "MO-TF-0407");
  EXPECT_EQ(with_entry("\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\0"s), "MO-TF-0407");
  EXPECT_EQ(with_entry("\0\0\xFF\xFF\xFF\xFF\x0F"s), "MO-TF-0407");
}

TEST(DamagedTable, keys_that_do_not_ascend_are_refused) {
  const auto code = [](const std::vector<std::string>& keys, const TableOptions& options) {
    TableWriter table(options);
    table.add("", header_bytes());
    for (const std::string& key : keys) table.add(key, small_bundle().entries["a"].SerializeAsString());
    return code_of_index(table.finish());
  };
  for (const TableOptions& options : {TableOptions{}, TableOptions{1, 1, false}, TableOptions{16, 60, false}}) {
    EXPECT_EQ(code({"a", "b", "ba", "c"}, options), "");
    EXPECT_EQ(code({"b", "a"}, options), "MO-TF-0408");
    EXPECT_EQ(code({"a", "a"}, options), "MO-TF-0408");
    EXPECT_EQ(code({"ab", "a"}, options), "MO-TF-0408");
    EXPECT_EQ(code({"a", "\xFF", "b"}, options), "MO-TF-0408");
    EXPECT_EQ(code({""}, options), "MO-TF-0408");
  }
  // The index has the keys in other blocks than they are.
  TableWriter table;
  BlockWriter block(16);
  block.add("", header_bytes());
  block.add("b", "");
  table.put_block("a", block.finish(), false);
  EXPECT_EQ(code_of_index(table.finish()), "MO-TF-0408");
}

TEST(DamagedTable, keys_of_any_length_cost_no_memory) {
  TableWriter table;
  table.add("", header_bytes());
  table.add(std::string(70'000, 'k'), "");
  EXPECT_EQ(code_of_index(table.finish()), "MO-TF-0409");
}

TEST(DamagedTable, keys_that_share_a_prefix_are_counted_in_full) {
  TableWriter table({.restart_interval = 100'000});
  table.add("", header_bytes());
  const std::string prefix(60'000, 'k');
  for (int i = 0; i < 1300; ++i) table.add(fmt::format("{}{:06}", prefix, i), "");
  EXPECT_EQ(code_of_index(table.finish()), "MO-TF-0409");
}

// -- header, entries, shards ------------------------------------------------------------------------------------------

std::string code_after(const std::function<void(BundleWriter&)>& edit) {
  Folder folder;
  BundleWriter writer = small_bundle();
  edit(writer);
  writer.write(folder / "m");
  return read_all(folder / "m");
}

TEST(DamagedBundle, an_invalid_header_is_refused) {
  EXPECT_EQ(code_after([](BundleWriter& w) { w.header.set_endianness(1); }), "MO-TF-0410");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.header.set_num_shards(0); }), "MO-TF-0410");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.header.set_num_shards(-1); }), "MO-TF-0410");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.header.set_num_shards(INT32_MAX); }), "MO-TF-0410");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.header.mutable_version()->set_min_consumer(2); }), "MO-TF-0410");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.header.mutable_version()->add_bad_consumers(1); }), "MO-TF-0410");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.header.mutable_version()->set_producer(7); }), "");
  TableWriter table;
  table.add("a", "");
  EXPECT_EQ(code_of_index(table.finish()), "MO-TF-0410");
  EXPECT_EQ(code_of_index(TableWriter().finish()), "MO-TF-0410");
}

TEST(DamagedBundle, invalid_entries_are_refused) {
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_shard_id(1); }), "MO-TF-0412");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_shard_id(-1); }), "MO-TF-0412");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_offset(-1); }), "MO-TF-0414");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_offset(1000); }), "MO-TF-0414");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_offset(INT64_MAX); }), "MO-TF-0414");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_size(7); }), "MO-TF-0411");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_size(-8); }), "MO-TF-0411");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].mutable_shape()->mutable_dim(0)->set_size(3); }),
            "MO-TF-0411");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].mutable_shape()->mutable_dim(0)->set_size(-1); }),
            "MO-TF-0411");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].mutable_shape()->mutable_dim(0)->set_size(-2); }),
            "MO-TF-0021");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].mutable_shape()->set_unknown_rank(true); }), "MO-TF-0411");
  EXPECT_EQ(code_after([](BundleWriter& w) {
              for (int i = 0; i < 3; ++i) w.entries["a"].mutable_shape()->add_dim()->set_size(std::int64_t{1} << 40);
            }),
            "MO-TF-0411");
  EXPECT_EQ(code_after([](BundleWriter& w) {
              w.entries["a"].mutable_shape()->mutable_dim(0)->set_size(std::int64_t{1} << 61);
              w.entries["a"].set_size(INT64_MAX);
            }),
            "MO-TF-0411");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_dtype(DT_RESOURCE); }), "MO-TF-0421");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_dtype(DT_VARIANT); }), "MO-TF-0421");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_dtype(DT_INVALID); }), "MO-TF-0421");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_dtype(DT_DOUBLE); }), "MO-TF-0411");
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["a"].set_crc32c(0); }), "MO-TF-0415");
}

TEST(DamagedBundle, invalid_strings_are_refused) {
  const auto with_bytes = [](std::string_view bytes, std::int64_t count) {
    return code_after([&](BundleWriter& w) {
      w.entries.erase("text");
      w.add("text", DT_STRING, {count}, bytes);
    });
  };
  EXPECT_EQ(code_after([](BundleWriter& w) { w.entries["text"].set_crc32c(0); }), "MO-TF-0415");
  EXPECT_EQ(with_bytes("\1\1\0\0\0\0ab"s, 2), "MO-TF-0415");
  EXPECT_EQ(with_bytes("\1"s, 1), "MO-TF-0416");
  EXPECT_EQ(with_bytes("\1\0\0\0\0a"s, 3), "MO-TF-0416");
  EXPECT_EQ(with_bytes("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s, 2), "MO-TF-0416");
  EXPECT_EQ(with_bytes("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F\0\0\0"s, 1), "MO-TF-0416");
  EXPECT_EQ(with_bytes("abcd"s, std::int64_t{1} << 40), "MO-TF-0409");
  const auto number = [](std::uint32_t length) {
    std::string bytes;
    put_fixed(bytes, length);
    std::string checksum;
    put_fixed(checksum, mask_crc(crc_of(bytes)));
    return checksum;
  };
  EXPECT_EQ(with_bytes("\2" + number(2) + "a", 1), "MO-TF-0416");
  EXPECT_EQ(with_bytes("\1" + number(1) + "ab", 1), "MO-TF-0416");
}

TEST(DamagedBundle, a_missing_shard_is_named_and_the_others_are_not_opened) {
  Folder folder;
  BundleWriter writer = small_bundle();
  writer.header.set_num_shards(99'999);
  writer.entries["ab"].set_shard_id(41'234);
  writer.write(folder / "m");
  fs::rename(folder / "m.data-00000-of-00001", folder / "m.data-00000-of-99999");
  const Opened opened = open_checkpoint(folder / "m");
  ASSERT_EQ(opened.code(), "");
  EXPECT_EQ(elements<float>(opened->read("a")), (std::vector<float>{1, 2}));
  const auto missing = opened->read("ab");
  ASSERT_EQ(code_of(missing), "MO-TF-0413");
  EXPECT_NE(missing.error().first().message.find("m.data-41234-of-99999"), std::string::npos);
}

TEST(DamagedBundle, a_shard_that_was_cut_off_is_an_error) {
  Folder folder;
  small_bundle().write(folder / "m");
  const fs::path shard = folder / "m.data-00000-of-00001";
  const std::string whole = read_file(shard);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(shard, whole.substr(0, size));
    ASSERT_EQ(read_all(folder / "m"), "MO-TF-0414") << size;
  }
}

TEST(DamagedBundle, a_missing_key_is_reported_with_the_nearest_ones) {
  Folder folder;
  BundleWriter writer;
  for (const char* key : {"dense/kernel", "dense/bias", "conv/kernel", "step"}) writer.add(key, DT_INT32, {}, "0000");
  writer.write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  const auto missing = opened->read("dense/kernels");
  ASSERT_EQ(code_of(missing), "MO-TF-0418");
  EXPECT_NE(missing.error().first().hint_text.find("'dense/kernel'"), std::string::npos);
  EXPECT_EQ(code_of(opened->type_of("")), "MO-TF-0418");
  EXPECT_EQ(code_of(opened->read(std::string(100'000, 'x'))), "MO-TF-0418");
  EXPECT_EQ(code_of(opened->read_slice("nothing", Extents{})), "MO-TF-0418");
  Folder second;
  BundleWriter().write(second / "m");
  EXPECT_EQ(code_of(open_checkpoint(second / "m")->read("x")), "MO-TF-0418");
}

}  // namespace
}  // namespace mo::tensorflow::testing
