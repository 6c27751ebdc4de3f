#include "fuzz/harness/structured_mutator.hpp"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/harness/parts.hpp"
#include "fuzz/harness/wire_tree.hpp"

namespace mo::fuzz {
namespace {

/// Field 1: 5; field 2: a message with field 3, text; field 4: fixed32.
const std::string kMessage("\x08\x05\x12\x07\x1a\x05hello\x25\x01\x02\x03\x04", 16);

std::size_t no_change(std::uint8_t* /*data*/, std::size_t size, std::size_t /*most*/) { return size; }

TEST(WireTree, EncodesWhatItDecodes) {
  const auto fields = decode(kMessage);
  ASSERT_TRUE(fields);
  ASSERT_EQ(fields->size(), 3U);
  EXPECT_EQ((*fields)[0].value, 5U);
  ASSERT_EQ((*fields)[1].children.size(), 1U);
  EXPECT_EQ((*fields)[1].children[0].bytes, "hello");
  EXPECT_EQ((*fields)[2].value, 0x04030201U);
  EXPECT_EQ(encode(*fields), kMessage);
}

TEST(WireTree, ReadsNoTreeIntoOtherBytes) {
  EXPECT_FALSE(decode(""));
  EXPECT_FALSE(decode("node { }"));
  EXPECT_FALSE(decode(std::string_view(kMessage).substr(0, 6)));
  EXPECT_FALSE(decode("\x0b\x0c")) << "groups";
}

TEST(Parts, ComeApartAsTheyWerePutTogether) {
  const std::vector<std::string> parts = {"a", "", std::string("\0b", 2)};
  EXPECT_EQ(all_parts_of(joined(parts)), parts);
  EXPECT_EQ(parts_of("only one", 3), (std::vector<std::string_view>{"only one", "", ""}));
  EXPECT_EQ(parts_of(joined(parts), 2)[1], joined({"", parts[2]}));
}

TEST(StructuredMutator, KeepsAMessageAMessage) {
  std::set<std::string> different;
  std::size_t messages = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::string changed = mutated(kMessage, 64, seed, no_change);
    EXPECT_LE(changed.size(), 64U);
    EXPECT_EQ(changed, mutated(kMessage, 64, seed, no_change)) << "the same seed makes the same change";
    messages += decode(changed) || changed.empty() ? 1 : 0;
    different.insert(changed);
  }
  EXPECT_GT(different.size(), 50U);
  EXPECT_EQ(messages, 200U);
}

TEST(StructuredMutator, ChangesOneFileAndKeepsTheOthers) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::vector<std::string> parts =
        all_parts_of(mutated(joined({"text stays text", kMessage}), 256, seed, no_change));
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0], "text stays text");
  }
}

}  // namespace
}  // namespace mo::fuzz
